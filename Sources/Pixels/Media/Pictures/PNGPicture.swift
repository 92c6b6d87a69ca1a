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
