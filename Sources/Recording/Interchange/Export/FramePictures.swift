import FrameModel
import Kernels
import Media
import Support

/// Pixels of frames as other programs want them: packed RGB24, or depth in whole millimetres.
enum FramePictures {
  /// Formats that `rgb` takes.
  static func isColor(_ format: PixelFormat) -> Bool { !format.isDepth && format != .motion && format != .grey16 }

  /// Whether a JPEG frame begins as one of its stream's size: a reader may refuse everything for one that does not.
  static func isReadableJPEG(_ frame: Frame) -> Bool {
    let size = try? JPEGDecoder.size(frame.bytes, name: "frame \(frame.number)")
    return size.map { $0 == (frame.layout.width, frame.layout.height) } ?? false
  }

  /// - Parameter matrix: what the stream's YUV means.
  /// - Returns: `width * height * 3` bytes.
  /// - Throws: `.corrupt` for a JPEG that cannot be decoded.
  static func rgb(_ frame: Frame, by matrix: ColorMatrix) throws(RetakeError) -> [UInt8] {
    let layout = frame.layout
    var pixels = [UInt8](repeating: 0, count: layout.width * layout.height * 3)
    try pixels.withUnsafeMutableBufferPointer { target throws(RetakeError) in
      guard let base = target.baseAddress else { return }
      if layout.format == .jpeg {
        return try JPEGDecoder.decodeRGB(
          frame.bytes, width: layout.width, height: layout.height, into: base, name: "Colour frame \(frame.number)")
      }
      guard let source = frame.bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      ColorConversion.convert(source, layout, matrix, to: base, rows: 0..<layout.height)
    }
    return withExtendedLifetime(frame) { pixels }
  }

  /// - Parameter frame: whole, of the converter's stream.
  /// - Returns: `width * height` samples, 0 = hole.
  static func millimeters(_ frame: Frame, by converter: DepthConverter) -> [UInt16] {
    let count = frame.layout.width * frame.layout.height
    return withExtendedLifetime(frame) {
      [UInt16](unsafeUninitializedCapacity: count) { target, initialized in
        guard let base = target.baseAddress else { return }
        converter.convert(frame.bytes, to: base)
        initialized = count
      }
    }
  }
}

/// How depth is put into 16 bits.
package enum DepthSamples: String, CaseIterable, Sendable {
  /// Whole millimetres, 0 = hole.
  case millimeters = "mm"
  /// As recorded.
  case raw
}

extension FramePictures {
  /// What samples a frame of this format becomes, where every format becomes a picture.
  static func samples(of format: PixelFormat) -> PNGEncoder.Samples {
    if format.isDepth || format == .grey16 { return .grey16 }
    return format == .grey8 ? .grey8 : .rgb8
  }

  /// Calls `body` with a whole frame's picture: packed rows of `samples(of:)`, those of 16 bits in host order, which is
  /// little-endian on every machine that Retake runs on.
  /// - Parameters:
  ///   - matrix: what the stream's YUV means.
  ///   - converter: makes millimetres of depth; nil for samples as they are.
  /// - Throws: `.corrupt` for a JPEG that cannot be decoded.
  static func withPixels<Result>(
    _ frame: Frame, _ matrix: ColorMatrix, _ converter: DepthConverter?,
    _ body: (UnsafeRawBufferPointer) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    defer { withExtendedLifetime(frame) {} }
    switch samples(of: frame.layout.format) {
    case .grey8: return try body(frame.bytes)
    case .grey16:
      guard let converter else { return try body(frame.bytes) }
      return try millimeters(frame, by: converter).withRawBytes(body)
    case .rgb8: return try rgb(frame, by: matrix).withRawBytes(body)
    }
  }
}
