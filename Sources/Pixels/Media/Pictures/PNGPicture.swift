import CSpng
import FrameModel
import Support

/// Reads PNGs that are in memory, such as those in another program's messages.
package enum PNGPicture {
  package enum Samples: Hashable, Sendable {
    case grey16
    /// One sample of at most 8 bits per pixel.
    case grey8
    case color
  }

  package static func isPNG(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: PNGDecoder.signature) }

  /// Size in pixels and kind of samples, from the header alone.
  package static func shape(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> (
    width: Int, height: Int, samples: Samples
  ) {
    let header = try PNGDecoder(bytes, path: name).header
    let isGrey = header.color_type == UInt8(SPNG_COLOR_TYPE_GRAYSCALE.rawValue)
    let samples: Samples = !isGrey ? .color : header.bit_depth == 16 ? .grey16 : .grey8
    return (Int(header.width), Int(header.height), samples)
  }

  /// Whether each pixel has its own transparency.
  package static func hasAlpha(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> Bool {
    let type = try PNGDecoder(bytes, path: name).header.color_type
    return [SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA].contains { UInt8($0.rawValue) == type }
  }

  /// Grey with alpha, also if it is stored as red, green and blue.
  /// - Throws: `.unsupported` for 16 bits, and for a pixel of alpha 128 or more that is not grey.
  package static func greyAndAlpha8(
    _ bytes: UnsafeRawBufferPointer, name: String
  ) throws(RetakeError) -> (grey: [UInt8], alpha: [UInt8]) {
    try PNGDecoder(bytes, path: name).greyAndAlpha8(path: name)
  }

  package static func rgb(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> RGBImage {
    try PNGDecoder(bytes, path: name).rgb(path: name)
  }

  package static func grey16(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> Grey16Image {
    try PNGDecoder(bytes, path: name).grey16(path: name)
  }

  /// Scaled to 0 ... 255 if samples have fewer than 8 bits.
  package static func grey8(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> [UInt8] {
    try PNGDecoder(bytes, path: name).grey8(path: name)
  }
}
