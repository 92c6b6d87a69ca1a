import CKernels

/// Foreground over background through an 8-bit matte.
package enum Blend {
  /// out = (m · foreground + (255 − m) · background) / 255, rounded to nearest, for three channels.
  ///
  /// Sixteen pixels at a time: where the matte is all 255 or all 0, which is most of it, they are copied.
  /// - Parameter count: pixels.
  package static func rgb(
    foreground: UnsafePointer<UInt8>, background: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, count: Int, processor: Processor = .best
  ) {
    rtk_blend_rgb(processor.choice, foreground, background, matte, out, count)
  }

  /// The formula; what the kernel is tested against.
  package static func reference(foreground: UInt8, background: UInt8, matte: UInt8) -> UInt8 {
    let near = Int(matte) * Int(foreground)
    let far = (255 - Int(matte)) * Int(background)
    return UInt8((near + far + 127) / 255)
  }
}
