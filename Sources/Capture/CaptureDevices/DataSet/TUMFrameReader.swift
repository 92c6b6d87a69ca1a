import FrameModel
import Media
import Support

package struct TUMFrameReader: Sendable {
  /// Millimetres for each 16-bit sample value.
  private let millimeters: [UInt16]

  /// - Parameter unitsPerMeter: at least 1; the TUM RGB-D data sets use 5000.
  package init(unitsPerMeter: Int) {
    // Rounded half up and clamped: (65535 · 1000 + scale / 2) / scale may exceed 16 bits.
    millimeters = (0...65535).map { sample in
      UInt16(min(65535, (sample * 1000 + unitsPerMeter / 2) / unitsPerMeter))
    }
  }

  /// Pictures that are tried for one that can be read.
  private static let trialCount = 100

  /// The first picture that can be read determines the stream's size.
  static func layout(ofFirst paths: [String], _ format: PixelFormat) throws(RetakeError) -> FrameLayout {
    var failure: RetakeError?
    for path in paths.prefix(trialCount) {
      do throws(RetakeError) {
        return try layout(of: path, format)
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? RetakeError(.notFound, "There are no pictures.", hint: "check the folder")
  }

  private static func layout(of path: String, _ format: PixelFormat) throws(RetakeError) -> FrameLayout {
    let (width, height) = try PictureFile.size(path: path)
    let sides = 1...FrameLayout.largestSide
    guard sides.contains(width), sides.contains(height),
      width * height * 3 <= FrameLayout.largestByteCount
    else {
      throw RetakeError(
        .unsupported, "\(path) is too large: \(width)x\(height) pixels.", hint: "scale the data set's pictures down")
    }
    return try FrameLayout(format, width: width, height: height)
  }

  /// - Throws: an error with the path, for an image that cannot be read or has another size.
  package func read(_ path: String, as layout: FrameLayout, into buffer: FrameBuffer) throws(RetakeError) {
    // The header is read first, so that no memory is allocated for a rejected image.
    let size = try PictureFile.size(path: path)
    guard size == (layout.width, layout.height) else {
      throw RetakeError(
        .unsupported,
        "\(path) is \(size.width)x\(size.height) pixels, but the first picture of its stream is "
          + "\(layout.width)x\(layout.height).",
        hint: "all pictures of a stream must have the same size")
    }
    switch layout.format {
    case .depthMillimeters16, .grey16, .kinectRaw11: try readDepth(path, into: buffer)
    case .grey8: try readGrey(path, into: buffer)
    default: try readColor(path, into: buffer)
    }
  }

  private func readColor(_ path: String, into buffer: FrameBuffer) throws(RetakeError) {
    let image = try PictureFile.readColor(path: path)
    image.pixels.withUnsafeBytes { buffer.mutableBytes.copyMemory(from: $0) }
  }

  private func readGrey(_ path: String, into buffer: FrameBuffer) throws(RetakeError) {
    let image = try PictureFile.readColor(path: path)
    let isGrey = image.pixels.withUnsafeBufferPointer { pixels in
      var difference: UInt8 = 0
      for i in 0..<image.width * image.height {
        let red = pixels[3 * i]
        difference |= (red ^ pixels[3 * i + 1]) | (red ^ pixels[3 * i + 2])
        buffer.mutableBytes[i] = red
      }
      return difference == 0
    }
    guard isGrey else {
      throw RetakeError(
        .unsupported, "The mask \(path) is not grey.",
        hint: "masks must be grey pictures: 0 is background, 255 is the person")
    }
  }

  private func readDepth(_ path: String, into buffer: FrameBuffer) throws(RetakeError) {
    let image = try PictureFile.readGrey16(path: path)
    millimeters.withUnsafeBufferPointer { millimeters in
      image.samples.withUnsafeBufferPointer { samples in
        for i in 0..<samples.count {
          let value = millimeters[Int(samples[i])].littleEndian
          buffer.mutableBytes.storeBytes(of: value, toByteOffset: 2 * i, as: UInt16.self)
        }
      }
    }
  }
}
