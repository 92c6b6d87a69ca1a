import FrameModel
import Media
import Support

/// A stream's own frames on a V4L2 output device, where other programs find them as a camera's.
package final class RawOutput {
  package let stream: Int
  package let format: VideoOutputFormat
  package private(set) var shownCount = 0
  /// Damaged frames, and JPEGs that are larger than the device takes.
  package private(set) var leftOutCount = 0
  private let node: any VideoOutputNode
  private var padded: [UInt8]

  /// - Throws: `.unsupported` for a stream that V4L2 has no format for, `.device` if the device does not take its format.
  package init(_ description: StreamDescription, stream: Int, to node: any VideoOutputNode) throws(RetakeError) {
    self.stream = stream
    self.node = node
    let layout = description.layout
    do throws(RetakeError) {
      format = try VideoOutputFormat.negotiated(
        with: node, as: Self.samples(of: description), width: layout.width, height: layout.height,
        rate: description.rate)
    } catch {
      node.close()
      throw error
    }
    let isPacked = format.bytesPerRow == format.packedBytesPerRow
    padded = isPacked ? [] : [UInt8](repeating: 0, count: format.byteCount)
  }

  deinit { node.close() }

  /// In order of preference. Only the same bytes come into question, so that programs get what the camera sent.
  package static func samples(of stream: StreamDescription) throws(RetakeError) -> [VideoOutputFormat.Samples] {
    switch stream.layout.format {
    case .rgb24: return [.rgb24]
    case .yuyv: return [.yuyv]
    case .nv12: return [.nv12]
    case .grey8: return [.grey8]
    case .grey16: return stream.kind == .depth ? [.depth16, .grey16] : [.grey16]
    case .depthMillimeters16: return [.depth16, .grey16]
    // Not distances, so never Z16.
    case .kinectRaw11: return [.grey16]
    case .jpeg: return [.jpeg]
    case .bayerRGGB8: return [.bayerRGGB8]
    case .bayerGRBG8: return [.bayerGRBG8]
    case .bayerGBRG8: return [.bayerGBRG8]
    case .bayerBGGR8: return [.bayerBGGR8]
    case .disparityFloat32, .motion:
      throw RetakeError(
        .unsupported, "V4L2 has no format for the \(stream.layout.format.rawValue) frames of stream '\(stream.name)'.",
        hint: "choose another stream; 'retake info' lists them")
    }
  }

  func leaveOut() { leftOutCount += 1 }

  /// - Parameter frame: whole and packed.
  func show(_ frame: Frame) throws(RetakeError) {
    let bytes = UnsafeRawBufferPointer(rebasing: frame.buffer.bytes[..<frame.byteCount])
    guard bytes.count <= format.byteCount else { return leaveOut() }
    defer { withExtendedLifetime(frame) {} }
    if padded.isEmpty {
      try node.write(bytes)
    } else {
      let (packed, stride) = (format.packedBytesPerRow, format.bytesPerRow)
      padded.withUnsafeMutableBytes { padded in
        for row in 0..<frame.layout.rowCount {
          UnsafeMutableRawBufferPointer(rebasing: padded[(row * stride)...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[row * packed..<(row + 1) * packed]))
        }
      }
      try padded.withRawBytes { bytes throws(RetakeError) in try node.write(bytes) }
    }
    shownCount += 1
  }

  package func close() { node.close() }
}
