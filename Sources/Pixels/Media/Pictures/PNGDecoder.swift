import CSpng
import FrameModel
import Support

/// Decodes a PNG in memory through libspng. All sizes are limited before memory is allocated.
package struct PNGDecoder: ~Copyable {
  private let context: OpaquePointer
  private let name: String
  package let width: Int
  package let height: Int
  /// Grey of at most 8 bits is `.grey8`, all colour and all transparency `.rgb8`.
  package let samples: SampleFormat
  /// Whether each pixel has its own transparency.
  package let hasAlpha: Bool
  private let bitDepth: UInt8

  package static func isPNG(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }

  /// Reads the header.
  /// - Parameters:
  ///   - bytes: must outlive the decoder.
  ///   - name: of the picture, for errors.
  package init(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) {
    guard let context = spng_ctx_new(0) else {
      throw RetakeError(.inputOutput, "There is not enough memory to read \(name).")
    }
    let side = UInt32(FrameLayout.largestSide)
    spng_set_image_limits(context, side, side)
    spng_set_chunk_limits(context, 1 << 24, 1 << 26)
    spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
    var header = spng_ihdr()
    let status = spng_get_ihdr(context, &header)
    guard status == 0 else {
      spng_ctx_free(context)
      throw Self.unreadable(name, status)
    }
    self.context = context
    self.name = name
    (width, height) = (Int(header.width), Int(header.height))
    hasAlpha = [SPNG_COLOR_TYPE_GRAYSCALE_ALPHA, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA].contains {
      UInt8($0.rawValue) == header.color_type
    }
    bitDepth = header.bit_depth
    let isGrey = header.color_type == UInt8(SPNG_COLOR_TYPE_GRAYSCALE.rawValue)
    samples = !isGrey ? .rgb8 : header.bit_depth == 16 ? .grey16 : .grey8
  }

  deinit { spng_ctx_free(context) }

  /// Decodes any PNG as 8-bit RGB; transparency is dropped, 16 bits are cut to 8.
  package func rgb() throws(RetakeError) -> RGBImage {
    RGBImage(width: width, height: height, pixels: try decode(SPNG_FMT_RGB8, samplesPerPixel: 3))
  }

  /// What `rgb` leaves out of a picture with colours, in words; nothing of another file than PNG.
  package static func leftOutOfColor(_ bytes: UnsafeRawBufferPointer, name: String) throws(RetakeError) -> [String] {
    guard isPNG(bytes) else { return [] }
    let decoder = try PNGDecoder(bytes, name: name)
    let hasMoreBits = decoder.bitDepth == 16 && decoder.samples == .rgb8
    return (decoder.hasAlpha ? ["their transparency"] : []) + (hasMoreBits ? ["the lower 8 of their 16 bits"] : [])
  }

  /// Decodes a 16-bit grey PNG without loss.
  package func grey16() throws(RetakeError) -> Grey16Image {
    guard samples == .grey16 else {
      throw RetakeError(
        .unsupported, "\(name) is not a 16-bit grey PNG.", hint: "depth pictures need one 16-bit sample per pixel")
    }
    // SPNG_FMT_PNG gives the file's own samples in host order.
    return Grey16Image(width: width, height: height, samples: try decode(SPNG_FMT_PNG, samplesPerPixel: 1))
  }

  /// Decodes a grey PNG of at most 8 bits, scaled to 0 ... 255 if it has fewer.
  package func grey8() throws(RetakeError) -> [UInt8] {
    guard samples == .grey8 else {
      throw RetakeError(
        .unsupported, "\(name) is not an 8-bit grey PNG.", hint: "give a grey PNG with one 8-bit sample per pixel")
    }
    return try decode(SPNG_FMT_G8, samplesPerPixel: 1)
  }

  /// Decodes grey with alpha, also if it is stored as red, green and blue.
  /// - Throws: `.unsupported` for 16 bits, and for a pixel of alpha 128 or more that is not grey.
  package func greyAndAlpha8() throws(RetakeError) -> (grey: [UInt8], alpha: [UInt8]) {
    let count = width * height
    let pixels: [UInt8] = bitDepth > 8 ? [] : try decode(SPNG_FMT_RGBA8, samplesPerPixel: 4)
    guard bitDepth <= 8, (0..<count).allSatisfy({ Self.isGrey(pixels, 4 * $0) }) else {
      throw RetakeError(
        .unsupported, "\(name) is not an 8-bit grey PNG with alpha.",
        hint: "give a PNG with one 8-bit grey sample and one of alpha per pixel")
    }
    return ((0..<count).map { pixels[4 * $0] }, (0..<count).map { pixels[4 * $0 + 3] })
  }

  /// Colour does not matter where alpha is low.
  private static func isGrey(_ pixels: [UInt8], _ i: Int) -> Bool {
    pixels[i + 3] < 128 || (pixels[i] == pixels[i + 1] && pixels[i] == pixels[i + 2])
  }

  private func decode<Sample: FixedWidthInteger>(
    _ format: spng_format, samplesPerPixel: Int
  ) throws(RetakeError) -> [Sample] {
    let count = width * height * samplesPerPixel
    let wanted = Int32(bitPattern: format.rawValue)
    var byteCount = 0
    var status = spng_decoded_image_size(context, wanted, &byteCount)
    guard status == 0 else { throw Self.unreadable(name, status) }
    guard byteCount == count * MemoryLayout<Sample>.size, byteCount <= FrameLayout.largestByteCount else {
      throw RetakeError(.unsupported, "The picture \(name) is too large.")
    }
    let samples = [Sample](unsafeUninitializedCapacity: count) { buffer, initialized in
      status = spng_decode_image(context, buffer.baseAddress, byteCount, wanted, 0)
      // The last checksum of the pixels is read only with what follows them.
      if status == 0 { status = spng_decode_chunks(context) }
      initialized = status == 0 ? count : 0
    }
    guard status == 0 else { throw Self.unreadable(name, status) }
    return samples
  }

  private static func unreadable(_ name: String, _ status: Int32) -> RetakeError {
    RetakeError(
      .corrupt, "\(name) is not a readable PNG: \(String(cString: spng_strerror(status))).",
      hint: "give a PNG or JPEG picture")
  }
}
