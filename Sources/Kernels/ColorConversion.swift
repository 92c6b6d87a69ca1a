/// Camera formats to packed RGB24.
///
/// YUV is ITU-R BT.601, full range as cameras send it in JPEG and most webcams in YUYV:
/// R = Y + 1.402 V', G = Y − 0.344136 U' − 0.714136 V', B = Y + 1.772 U', with 16 fractional bits, rounded to nearest.
/// Chroma is not interpolated: each sample serves the pixels it was taken for.
package enum ColorConversion {
  @inline(__always)
  static func store(_ y: UInt8, _ u: UInt8, _ v: UInt8, to out: UnsafeMutablePointer<UInt8>) {
    let luma = Int32(y) << 16 &+ 1 << 15
    let cb = Int32(u) &- 128
    let cr = Int32(v) &- 128
    out[0] = clamp((luma &+ 91_881 &* cr) >> 16)
    out[1] = clamp((luma &- 22_553 &* cb &- 46_802 &* cr) >> 16)
    out[2] = clamp((luma &+ 116_130 &* cb) >> 16)
  }

  @inline(__always)
  private static func clamp(_ value: Int32) -> UInt8 { UInt8(truncatingIfNeeded: min(max(value, 0), 255)) }

  /// Rows of Y0 U Y1 V.
  package static func yuyv(
    _ source: UnsafePointer<UInt8>, width: Int, to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>
  ) {
    let stride = (width + 1) / 2 * 4
    for y in rows {
      let row = source + y * stride
      let out = target + y * width * 3
      for x in 0..<width {
        let pair = row + (x >> 1) * 4
        store(pair[(x & 1) * 2], pair[1], pair[3], to: out + 3 * x)
      }
    }
  }

  /// Luma, then rows of U V for two rows each.
  package static func nv12(
    _ source: UnsafePointer<UInt8>, width: Int, height: Int, to target: UnsafeMutablePointer<UInt8>,
    rows: Range<Int>
  ) {
    let stride = (width + 1) / 2 * 2
    for y in rows {
      let luma = source + y * stride
      let chroma = source + (height + y / 2) * stride
      let out = target + y * width * 3
      for x in 0..<width {
        let k = x & ~1
        store(luma[x], chroma[k], chroma[k + 1], to: out + 3 * x)
      }
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
