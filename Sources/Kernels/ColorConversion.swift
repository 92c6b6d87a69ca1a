/// Camera formats to packed RGB24.
///
/// What YUV means is a `ColorMatrix`, one for a stream. Chroma is not interpolated: each sample serves the pixels it was
/// taken for.
package enum ColorConversion {
  /// Rows of Y0 U Y1 V.
  package static func yuyv(
    _ source: UnsafePointer<UInt8>, _ matrix: ColorMatrix, width: Int, to target: UnsafeMutablePointer<UInt8>,
    rows: Range<Int>
  ) {
    let stride = (width + 1) / 2 * 4
    for y in rows {
      var pair = source + y * stride
      var out = target + y * width * 3
      for _ in 0..<width / 2 {
        let chroma = matrix.chroma(pair[1], pair[3])
        matrix.store(pair[0], chroma, to: out)
        matrix.store(pair[2], chroma, to: out + 3)
        pair += 4
        out += 6
      }
      if width % 2 == 1 { matrix.store(pair[0], matrix.chroma(pair[1], pair[3]), to: out) }
    }
  }

  /// Luma, then rows of U V for two rows each.
  package static func nv12(
    _ source: UnsafePointer<UInt8>, _ matrix: ColorMatrix, width: Int, height: Int,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    let stride = (width + 1) / 2 * 2
    for y in rows {
      var luma = source + y * stride
      var pair = source + (height + y / 2) * stride
      var out = target + y * width * 3
      for _ in 0..<width / 2 {
        let chroma = matrix.chroma(pair[0], pair[1])
        matrix.store(luma[0], chroma, to: out)
        matrix.store(luma[1], chroma, to: out + 3)
        luma += 2
        pair += 2
        out += 6
      }
      if width % 2 == 1 { matrix.store(luma[0], matrix.chroma(pair[0], pair[1]), to: out) }
    }
  }

  package static func grey(
    _ source: UnsafePointer<UInt8>, width: Int, to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    for i in rows.lowerBound * width..<rows.upperBound * width {
      let value = source[i]
      target[3 * i] = value
      target[3 * i + 1] = value
      target[3 * i + 2] = value
    }
  }

  /// Which colour a mosaic has at the top left corner, and so everywhere.
  package enum Mosaic: Sendable {
    case rggb, grbg, gbrg, bggr
    /// Where red lies in each square of two by two.
    @inline(__always)
    var red: (x: Int, y: Int) {
      switch self {
      case .rggb: (0, 0)
      case .grbg: (1, 0)
      case .gbrg: (0, 1)
      case .bggr: (1, 1)
      }
    }
  }

  /// Bilinear demosaicing: a missing colour is the mean, rounded to nearest, of its two or four nearest samples; beyond
  /// an edge the samples are mirrored, which keeps their colours.
  package static func bayer(
    _ source: UnsafePointer<UInt8>, _ mosaic: Mosaic, width: Int, height: Int,
    to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    let red = mosaic.red
    @inline(__always) func mirror(_ i: Int, _ length: Int) -> Int {
      if length == 1 { return 0 }
      return i < 0 ? -i : i >= length ? 2 * length - 2 - i : i
    }
    for y in rows {
      let up = source + mirror(y - 1, height) * width
      let row = source + y * width
      let down = source + mirror(y + 1, height) * width
      for x in 0..<width {
        let left = mirror(x - 1, width)
        let right = mirror(x + 1, width)
        let here = UInt32(row[x])
        let out = target + (y * width + x) * 3
        let inRedColumn = (x & 1) == red.x
        let inRedRow = (y & 1) == red.y
        let sides = UInt32(row[left]) &+ UInt32(row[right])
        let ends = UInt32(up[x]) &+ UInt32(down[x])
        if inRedColumn == inRedRow {
          let cross = UInt8(truncatingIfNeeded: (sides &+ ends &+ 2) >> 2)
          let corners =
            UInt32(up[left]) &+ UInt32(up[right]) &+ UInt32(down[left]) &+ UInt32(down[right])
          let diagonal = UInt8(truncatingIfNeeded: (corners &+ 2) >> 2)
          out[0] = inRedRow ? row[x] : diagonal
          out[1] = cross
          out[2] = inRedRow ? diagonal : row[x]
        } else {
          let along = UInt8(truncatingIfNeeded: (sides &+ 1) >> 1)
          let across = UInt8(truncatingIfNeeded: (ends &+ 1) >> 1)
          out[0] = inRedRow ? along : across
          out[1] = UInt8(truncatingIfNeeded: here)
          out[2] = inRedRow ? across : along
        }
      }
    }
  }
}
