import FrameModel

/// Converts RGB to what cameras send. Integer arithmetic only, so every machine agrees.
///
/// BT.601 full range (JFIF) in 8-bit fixed point, divided towards −∞ and clamped to 0 ... 255:
/// Y = (77 R + 150 G + 29 B + 128) / 256, U = 128 + (−43 R − 85 G + 128 B + 128) / 256,
/// V = 128 + (128 R − 107 G − 21 B + 128) / 256.
/// Shared chroma uses the mean colour of its pixels, rounded half up.
enum CameraColorEncoding {
  @inline(__always)
  private static func luma(_ rgb: UnsafePointer<UInt8>) -> UInt8 {
    UInt8(truncatingIfNeeded: (77 &* Int32(rgb[0]) &+ 150 &* Int32(rgb[1]) &+ 29 &* Int32(rgb[2]) &+ 128) >> 8)
  }

  @inline(__always)
  private static func chromaU(_ r: Int32, _ g: Int32, _ b: Int32) -> UInt8 {
    let u = ((-43 &* r &- 85 &* g &+ 128 &* b &+ 128) >> 8) &+ 128
    return UInt8(truncatingIfNeeded: u > 255 ? 255 : u)
  }

  @inline(__always)
  private static func chromaV(_ r: Int32, _ g: Int32, _ b: Int32) -> UInt8 {
    let v = ((128 &* r &- 107 &* g &- 21 &* b &+ 128) >> 8) &+ 128
    return UInt8(truncatingIfNeeded: v > 255 ? 255 : v)
  }

  /// `rgb` has `width` · `height` · 3 bytes. `output` gets a packed frame in RGB24, YUYV, NV12,
  /// GREY or GRBG8.
  static func write(
    _ rgb: UnsafePointer<UInt8>, as layout: FrameLayout, to output: UnsafeMutableRawBufferPointer
  ) {
    guard let base = output.baseAddress, output.count >= layout.byteCount else { return }
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    let count = layout.width * layout.height
    switch layout.format {
    case .yuyv: writeYUYV(rgb, layout, bytes)
    case .nv12: writeNV12(rgb, layout, bytes)
    case .grey8:
      for i in 0..<count { bytes[i] = luma(rgb + 3 * i) }
    case .bayerGRBG8: writeBayer(rgb, layout, bytes)
    default: bytes.update(from: rgb, count: count * 3)
    }
  }

  private static func writeYUYV(
    _ rgb: UnsafePointer<UInt8>, _ layout: FrameLayout, _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    let pairs = (layout.width + 1) / 2
    for y in 0..<layout.height {
      let row = rgb + y * layout.width * 3
      var out = bytes + y * layout.bytesPerRow
      for pair in 0..<pairs {
        let a = row + pair * 6
        // An odd last column is its own neighbour.
        let b = 2 * pair + 1 < layout.width ? a + 3 : a
        func mean(_ channel: Int) -> Int32 { (Int32(a[channel]) &+ Int32(b[channel]) &+ 1) >> 1 }
        let (red, green, blue) = (mean(0), mean(1), mean(2))
        out[0] = luma(a)
        out[1] = chromaU(red, green, blue)
        out[2] = luma(b)
        out[3] = chromaV(red, green, blue)
        out += 4
      }
    }
  }

  private static func writeNV12(
    _ rgb: UnsafePointer<UInt8>, _ layout: FrameLayout, _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    let width = layout.width
    for y in 0..<layout.height {
      let row = rgb + y * width * 3
      let out = bytes + y * layout.bytesPerRow
      for x in 0..<width { out[x] = luma(row + 3 * x) }
      if width & 1 == 1 { out[width] = out[width - 1] }
    }
    for y in 0..<(layout.height + 1) / 2 {
      let upper = rgb + 2 * y * width * 3
      let lower = 2 * y + 1 < layout.height ? upper + width * 3 : upper
      let out = bytes + (layout.height + y) * layout.bytesPerRow
      for x in 0..<(width + 1) / 2 {
        let left = 6 * x
        let right = 2 * x + 1 < width ? left + 3 : left
        func mean(_ channel: Int) -> Int32 {
          let sum =
            Int32(upper[left + channel]) &+ Int32(upper[right + channel]) &+ Int32(lower[left + channel])
            &+ Int32(lower[right + channel])
          return (sum &+ 2) >> 2
        }
        let (r, g, b) = (mean(0), mean(1), mean(2))
        out[2 * x] = chromaU(r, g, b)
        out[2 * x + 1] = chromaV(r, g, b)
      }
    }
  }

  /// Green red over blue green: each pixel keeps the one channel of its filter.
  private static func writeBayer(
    _ rgb: UnsafePointer<UInt8>, _ layout: FrameLayout, _ bytes: UnsafeMutablePointer<UInt8>
  ) {
    for y in 0..<layout.height {
      let row = rgb + y * layout.width * 3
      let out = bytes + y * layout.bytesPerRow
      let (even, odd) = y & 1 == 0 ? (1, 0) : (2, 1)
      for x in 0..<layout.width { out[x] = row[3 * x + (x & 1 == 0 ? even : odd)] }
    }
  }
}
