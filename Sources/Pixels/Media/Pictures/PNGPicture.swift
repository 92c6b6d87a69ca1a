import CSpng
import FrameModel
import Support

/// A PNG that lies in memory, as a message of another program carries it.
package enum PNGPicture {
  package enum Samples: Hashable, Sendable {
    /// One sample of 16 bits a pixel.
    case grey16
    /// One sample of at most 8 bits a pixel.
    case grey8
    case color
  }

  package static func isPNG(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: PNGDecoder.signature) }

  /// Pixels and their kind, from the header alone.
  package static func shape(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> (
    width: Int, height: Int, samples: Samples
  ) {
    let header = try PNGDecoder(bytes, path: name).header
    let isGrey = header.color_type == UInt8(SPNG_COLOR_TYPE_GRAYSCALE.rawValue)
    let samples: Samples = !isGrey ? .color : header.bit_depth == 16 ? .grey16 : .grey8
    return (Int(header.width), Int(header.height), samples)
  }

  /// Any PNG as 8-bit RGB, as `PictureFile.readColor` has it.
  package static func rgb(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> RGBImage {
    try PNGDecoder(bytes, path: name).rgb(path: name)
  }

  /// The samples of a 16-bit grey PNG, exactly.
  package static func grey16(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> Grey16Image {
    try PNGDecoder(bytes, path: name).grey16(path: name)
  }

  /// The samples of a grey PNG of at most 8 bits, stretched to 0 ... 255 where it has fewer.
  package static func grey8(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> [UInt8] {
    try PNGDecoder(bytes, path: name).grey8(path: name)
  }
}
