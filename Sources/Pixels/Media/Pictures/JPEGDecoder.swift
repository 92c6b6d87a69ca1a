import CTurboJPEG
import FrameModel
import Support

/// Decodes JPEG in memory through libjpeg-turbo. An instance keeps the library's decoder, for one
/// thread at a time; the library itself allocates for each picture.
package final class JPEGDecoder {
  private let handle: tjhandle
  /// Pictures decoded despite a warning: some of their data is damaged, excess or missing.
  package private(set) var flawedCount = 0

  package init() throws(RetakeError) {
    guard let handle = tjInitDecompress() else {
      throw RetakeError(.inputOutput, "There is not enough memory to decode a JPEG.")
    }
    self.handle = handle
  }

  deinit { tjDestroy(handle) }

  /// - Returns: the size in pixels, from the header alone.
  package static func size(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> (
    width: Int, height: Int
  ) {
    try JPEGDecoder().header(bytes, hint: fileHint, name)
  }

  /// Writes `width * height * 3` bytes of packed RGB. The accurate integer transform and the
  /// default (smooth) chroma upsampling give the same bits on every processor.
  /// - Parameter isFile: whether a user gave it as a picture file, where warnings are errors.
  ///   Cameras send JPEGs with excess bytes or without an end, which decode with a warning.
  /// - Throws: `.corrupt` if it cannot be decoded or has another size.
  package func decodeRGB(
    _ bytes: UnsafeRawBufferPointer, width: Int, height: Int, into pixels: UnsafeMutablePointer<UInt8>,
    isFile: Bool = false, name: @autoclosure () -> String
  ) throws(RetakeError) {
    let hint = isFile ? Self.fileHint : ""
    let size = try header(bytes, hint: hint, name())
    guard size == (width, height) else {
      throw RetakeError(
        .corrupt, "\(name()) is a JPEG of \(size.width)x\(size.height) pixels, not \(width)x\(height).")
    }
    let status = tjDecompress2(
      handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), pixels, Int32(width),
      Int32(width * 3), Int32(height), Int32(TJPF_RGB.rawValue), Self.flags)
    let isFlawed = status != 0 && tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    guard status == 0 || isFlawed && !isFile else { throw unreadable(name(), hint: hint) }
    if isFlawed { flawedCount += 1 }
  }

  /// Refuses more than 500 scans: a progressive JPEG of 800 KB can have thousands, and each costs a
  /// pass over the whole picture. Encoders make about ten.
  private static let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS
  private static let fileHint = "give a PNG or JPEG picture"

  private func header(
    _ bytes: UnsafeRawBufferPointer, hint: String, _ name: @autoclosure () -> String
  ) throws(RetakeError) -> (width: Int, height: Int) {
    var width: Int32 = 0
    var height: Int32 = 0
    var subsampling: Int32 = 0
    var colorSpace: Int32 = 0
    let status = tjDecompressHeader3(
      handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height, &subsampling,
      &colorSpace)
    let sides = 1...Int32(FrameLayout.largestSide)
    guard status == 0, sides.contains(width), sides.contains(height),
      Int(width) * Int(height) * 3 <= FrameLayout.largestByteCount
    else { throw unreadable(name(), hint: hint) }
    // libjpeg-turbo converts them to nothing else.
    guard ![Int32(TJCS_CMYK.rawValue), Int32(TJCS_YCCK.rawValue)].contains(colorSpace) else {
      throw RetakeError(.unsupported, "\(name()) is a JPEG in CMYK.", hint: "convert it to RGB")
    }
    return (Int(width), Int(height))
  }

  private func unreadable(_ name: String, hint: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(name) is not a readable JPEG: \(String(cString: tjGetErrorStr2(handle))).", hint: hint)
  }
}

/// Encodes JPEG, for simulated cameras and tests.
package enum JPEGEncoder {
  /// - Parameter quality: libjpeg's, 1 to 100. Chroma is subsampled 4:2:0.
  package static func encode(_ image: RGBImage, quality: Int = 90) throws(RetakeError) -> [UInt8] {
    guard let encoder = tjInitCompress() else {
      throw RetakeError(.inputOutput, "There is not enough memory to encode a JPEG.")
    }
    defer { tjDestroy(encoder) }
    var file: UnsafeMutablePointer<UInt8>?
    var length: UInt = 0
    let status = tjCompress2(
      encoder, image.pixels, Int32(image.width), 0, Int32(image.height), Int32(TJPF_RGB.rawValue), &file,
      &length, Int32(TJSAMP_420.rawValue), Int32(quality), TJFLAG_ACCURATEDCT)
    defer { tjFree(file) }
    guard status == 0, let file else {
      throw RetakeError(
        .inputOutput, "A JPEG could not be encoded: \(String(cString: tjGetErrorStr2(encoder))).")
    }
    return [UInt8](UnsafeBufferPointer(start: file, count: Int(length)))
  }
}
