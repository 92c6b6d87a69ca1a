import FrameModel
import Kernels
import Media
import Support

package enum DepthSamples: String, CaseIterable, Sendable {
  /// Whole millimetres, 0 = hole.
  case millimeters = "mm"
  /// As recorded.
  case raw
}

/// Frames as pictures for other programs: packed RGB24, grey, or depth.
extension ExportFrames {
  static func isColor(_ format: PixelFormat) -> Bool { !format.isDepth && format != .motion && format != .grey16 }

  /// The samples of `withPixels` for frames of this format.
  static func samples(of format: PixelFormat) -> SampleFormat {
    if format.isDepth || format == .grey16 { return .grey16 }
    return format == .grey8 ? .grey8 : .rgb8
  }

  /// Whether a JPEG's header has the stream's size. Readers may reject a whole export otherwise.
  static func isReadableJPEG(_ frame: Frame) -> Bool {
    let size = try? JPEGDecoder.size(frame.bytes, name: "frame \(frame.number)")
    return size.map { $0 == (frame.layout.width, frame.layout.height) } ?? false
  }

  /// Calls `body` with a whole frame's picture: packed rows, 16-bit samples in host order, which is
  /// little-endian on all supported machines.
  /// - Throws: `.corrupt` for a JPEG that cannot be decoded.
  func withPixels<Result>(
    _ frame: Frame, _ body: (UnsafeRawBufferPointer) throws(RetakeError) -> Result
  ) throws(RetakeError) -> Result {
    defer { withExtendedLifetime(frame) {} }
    if let samples = millimeters(frame) { return try samples.withRawBytes(body) }
    guard Self.samples(of: frame.layout.format) == .rgb8 else { return try body(frame.bytes) }
    return try rgb(frame).withRawBytes(body)
  }

  /// - Returns: `width * height * 3` bytes.
  /// - Throws: `.corrupt` for a JPEG that cannot be decoded.
  func rgb(_ frame: Frame) throws(RetakeError) -> [UInt8] {
    let layout = frame.layout
    var pixels = [UInt8](repeating: 0, count: layout.width * layout.height * 3)
    try pixels.withUnsafeMutableBufferPointer { target throws(RetakeError) in
      guard let base = target.baseAddress else { return }
      if layout.format == .jpeg {
        return try JPEGDecoder().decodeRGB(
          frame.bytes, width: layout.width, height: layout.height, into: base, name: "Colour frame \(frame.number)")
      }
      guard let source = frame.bytes.bindMemory(to: UInt8.self).baseAddress else { return }
      ColorConversion.convert(source, layout, matrices[frame.stream], to: base, rows: 0..<layout.height)
    }
    return withExtendedLifetime(frame) { pixels }
  }

  /// - Returns: `width * height` samples, 0 = hole; nil for a stream whose samples stay unchanged.
  func millimeters(_ frame: Frame) -> [UInt16]? {
    guard let converter = converters[frame.stream] else { return nil }
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
