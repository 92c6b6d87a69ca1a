import CKernels

/// Blends foreground over background through an 8-bit matte.
package enum Blend {
  /// out = (m · foreground + (255 − m) · background) / 255, rounded to nearest, for three channels
  /// of `count` pixels. Blocks of sixteen pixels where the matte is all 255 or all 0, which is most
  /// of it, are copied.
  package static func rgb(
    foreground: UnsafePointer<UInt8>, background: UnsafePointer<UInt8>, matte: UnsafePointer<UInt8>,
    to out: UnsafeMutablePointer<UInt8>, count: Int, processor: Processor = .best
  ) {
    rtk_blend_rgb(processor.choice, foreground, background, matte, out, count)
  }
}
