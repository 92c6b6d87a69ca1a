import Glibc

/// Foreground over background through an 8-bit matte.
package enum Blend {
  /// out = (m · foreground + (255 − m) · background) / 255, rounded to nearest, for three channels.
  ///
  /// Sixteen pixels at a time: where the matte is all 255 or all 0, which is most of it, they are copied.
  /// - Parameter count: pixels.
  package static func rgb(
    foreground: UnsafePointer<UInt8>, background: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    var i = 0
    while i + 16 <= count {
      let raw = UnsafeRawPointer(matte + i)
      let low = raw.loadUnaligned(as: UInt64.self)
      let high = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      if low & high == .max {
        memcpy(out + 3 * i, foreground + 3 * i, 48)
      } else if low | high == 0 {
        memcpy(out + 3 * i, background + 3 * i, 48)
      } else {
        blend(foreground, background, matte, out, i..<i + 16)
      }
      i += 16
    }
    blend(foreground, background, matte, out, i..<count)
  }

  @inline(__always)
  private static func blend(
    _ foreground: UnsafePointer<UInt8>, _ background: UnsafePointer<UInt8>,
    _ matte: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt8>, _ pixels: Range<Int>
  ) {
    for i in pixels {
      let m = UInt32(matte[i])
      let n = 255 &- m
      let first = 3 &* i
      for k in first..<first &+ 3 {
        let near = m &* UInt32(foreground[k])
        let far = n &* UInt32(background[k])
        let sum = near &+ far &+ 128
        // Exactly (near + far + 127) / 255 for all it can be: Blinn's division.
        out[k] = UInt8(truncatingIfNeeded: (sum &+ (sum >> 8)) >> 8)
      }
    }
  }

  /// The formula; what the kernel is tested against.
  package static func reference(foreground: UInt8, background: UInt8, matte: UInt8) -> UInt8 {
    let near = Int(matte) * Int(foreground)
    let far = (255 - Int(matte)) * Int(background)
    return UInt8((near + far + 127) / 255)
  }
}
