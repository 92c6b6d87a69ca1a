import CSpng
import FrameModel
import Support

/// Decodes PNG in memory through libspng. All sizes are limited before memory is allocated.
struct PNGDecoder: ~Copyable {
  private let context: OpaquePointer
  let header: spng_ihdr

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// - Parameter bytes: must outlive the decoder.
  init(_ bytes: UnsafeRawBufferPointer, path: String) throws(RetakeError) {
    guard let context = spng_ctx_new(0) else {
      throw RetakeError(.inputOutput, "There is not enough memory to read \(path).")
    }
    let side = UInt32(FrameLayout.largestSide)
    spng_set_image_limits(context, side, side)
    spng_set_chunk_limits(context, 1 << 24, 1 << 26)
    spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
    var header = spng_ihdr()
    let status = spng_get_ihdr(context, &header)
    guard status == 0 else {
      spng_ctx_free(context)
      throw Self.unreadable(path, status)
    }
    self.context = context
    self.header = header
  }

  deinit { spng_ctx_free(context) }

  /// Decodes any PNG as 8-bit RGB; transparency is dropped, 16 bits are cut to 8.
  func rgb(path: String) throws(RetakeError) -> RGBImage {
    let width = Int(header.width)
    let height = Int(header.height)
    let pixels = try decode(SPNG_FMT_RGB8, into: UInt8.self, count: width * height * 3, path: path)
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// Decodes a 16-bit grey PNG without loss.
  func grey16(path: String) throws(RetakeError) -> Grey16Image {
    guard header.bit_depth == 16, header.color_type == UInt8(SPNG_COLOR_TYPE_GRAYSCALE.rawValue) else {
      throw RetakeError(
        .unsupported, "\(path) is not a 16-bit grey PNG.",
        hint: "depth pictures need one 16-bit sample per pixel")
    }
    let width = Int(header.width)
    let height = Int(header.height)
    // SPNG_FMT_PNG gives the file's own samples in host order.
    let samples = try decode(SPNG_FMT_PNG, into: UInt16.self, count: width * height, path: path)
    return Grey16Image(width: width, height: height, samples: samples)
  }

  /// Decodes a grey PNG of at most 8 bits, scaled to 0 ... 255 if it has fewer.
  func grey8(path: String) throws(RetakeError) -> [UInt8] {
    guard header.bit_depth <= 8, header.color_type == UInt8(SPNG_COLOR_TYPE_GRAYSCALE.rawValue) else {
      throw RetakeError(
        .unsupported, "\(path) is not an 8-bit grey PNG.", hint: "give a grey PNG with one 8-bit sample per pixel")
    }
    return try decode(SPNG_FMT_G8, into: UInt8.self, count: Int(header.width) * Int(header.height), path: path)
  }

  func greyAndAlpha8(path: String) throws(RetakeError) -> (grey: [UInt8], alpha: [UInt8]) {
    let count = Int(header.width) * Int(header.height)
    let pixels = header.bit_depth > 8 ? [] : try decode(SPNG_FMT_RGBA8, into: UInt8.self, count: 4 * count, path: path)
    guard header.bit_depth <= 8, (0..<count).allSatisfy({ Self.isGrey(pixels, 4 * $0) }) else {
      throw RetakeError(
        .unsupported, "\(path) is not an 8-bit grey PNG with alpha.",
        hint: "give a PNG with one 8-bit grey sample and one of alpha per pixel")
    }
    return ((0..<count).map { pixels[4 * $0] }, (0..<count).map { pixels[4 * $0 + 3] })
  }

  /// Colour does not matter where alpha is low.
  private static func isGrey(_ pixels: [UInt8], _ i: Int) -> Bool {
    pixels[i + 3] < 128 || (pixels[i] == pixels[i + 1] && pixels[i] == pixels[i + 2])
  }

  private func decode<Sample: FixedWidthInteger>(
    _ format: spng_format, into type: Sample.Type, count: Int, path: String
  ) throws(RetakeError) -> [Sample] {
    let wanted = Int32(bitPattern: format.rawValue)
    var byteCount = 0
    var status = spng_decoded_image_size(context, wanted, &byteCount)
    guard status == 0, byteCount == count * MemoryLayout<Sample>.size,
      byteCount <= FrameLayout.largestByteCount
    else {
      throw status == 0
        ? RetakeError(.unsupported, "The picture \(path) is too large.") : Self.unreadable(path, status)
    }
    let samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      status = spng_decode_image(context, buffer.baseAddress, byteCount, wanted, 0)
      initialized = status == 0 ? count : 0
    }
    guard status == 0 else { throw Self.unreadable(path, status) }
    return samples
  }

  private static func unreadable(_ path: String, _ status: Int32) -> RetakeError {
    RetakeError(
      .corrupt, "\(path) is not a readable PNG: \(String(cString: spng_strerror(status))).",
      hint: "give a PNG or JPEG picture")
  }
}
