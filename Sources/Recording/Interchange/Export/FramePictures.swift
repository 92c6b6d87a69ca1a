import FrameModel
import Kernels
import Media
import Support

/// Converts frames for other programs: to packed RGB24, or depth in whole millimetres.
enum FramePictures {
  static func isColor(_ format: PixelFormat) -> Bool { !format.isDepth && format != .motion && format != .grey16 }

  /// Whether a JPEG's header has the stream's size. Readers may reject a whole export otherwise.
  static func isReadableJPEG(_ frame: Frame) -> Bool {
    let size = try? JPEGDecoder.size(frame.bytes, name: "frame \(frame.number)")
    return size.map { $0 == (frame.layout.width, frame.layout.height) } ?? false
  }

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

package enum DepthSamples: String, CaseIterable, Sendable {
  /// Whole millimetres, 0 = hole.
  case millimeters = "mm"
  /// As recorded.
  case raw
}

extension FramePictures {
  /// Samples of exported pictures for frames of this format.
  static func samples(of format: PixelFormat) -> SampleFormat {
    if format.isDepth || format == .grey16 { return .grey16 }
    return format == .grey8 ? .grey8 : .rgb8
  }

  /// Calls `body` with a whole frame's picture: packed rows of `samples(of:)`, 16-bit ones in host
  /// order, which is little-endian on all supported machines.
  /// - Parameter converter: converts depth to millimetres; nil for unchanged samples.
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
