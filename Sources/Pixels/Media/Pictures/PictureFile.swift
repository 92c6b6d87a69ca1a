import FrameModel
import Support

/// Picture files, recognised by their first bytes, not their names.
package enum PictureFile {
  private static let limit = 1 << 28

  /// In pixels, from the header alone.
  package static func size(path: String) throws(RetakeError) -> (width: Int, height: Int) {
    let file = try FileBytes.read(path, limit: limit)
    return try file.withRawBytes { bytes throws(RetakeError) in
      if PNGDecoder.isPNG(bytes) {
        let png = try PNGDecoder(bytes, name: path)
        return (png.width, png.height)
      }
      return try JPEGDecoder.size(bytes, name: path)
    }
  }

  /// Reads a PNG of any kind or a JPEG as 8-bit RGB.
  package static func readColor(path: String) throws(RetakeError) -> RGBImage {
    let file = try FileBytes.read(path, limit: limit)
    return try file.withRawBytes { bytes throws(RetakeError) in
      if PNGDecoder.isPNG(bytes) { return try PNGDecoder(bytes, name: path).rgb() }
      let (width, height) = try JPEGDecoder.size(bytes, name: path)
      var image = RGBImage(width: width, height: height)
      try image.pixels.withUnsafeMutableBufferPointer { pixels throws(RetakeError) in
        try JPEGDecoder().decodeRGB(
          bytes, width: width, height: height, into: pixels.baseAddress!, isFile: true, name: path)
      }
      return image
    }
  }

  package static func readGrey16(path: String) throws(RetakeError) -> Grey16Image {
    let file = try FileBytes.read(path, limit: limit)
    return try file.withRawBytes { bytes throws(RetakeError) in
      try PNGDecoder(bytes, name: path).grey16()
    }
  }

  package static func writePNG(_ image: RGBImage, to path: String) throws(RetakeError) {
    try FileBytes.write(png(image), to: path)
  }

  package static func png(_ image: RGBImage) throws(RetakeError) -> [UInt8] {
    try image.pixels.withRawBytes { bytes throws(RetakeError) in
      try PNGEncoder.encode(bytes, width: image.width, height: image.height, as: .rgb8)
    }
  }

  /// Whether a file's first bytes are those of a PNG or JPEG.
  package static func isPicture(_ bytes: UnsafeRawBufferPointer) -> Bool {
    PNGDecoder.isPNG(bytes) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }
}
