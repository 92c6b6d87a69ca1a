import ChunkFormat
import Foundation
import FrameModel

/// A frame on its way through an encoder.
struct EncodedFrame {
  var codec: FrameCodec
  /// Bytes of the frame before the codec, packed.
  var byteCount: Int
  /// XXH3-64 of them.
  var checksum: UInt64
  var payload: [UInt8]
}

/// Encodes frames on several threads and gives them back in the order in which they came. A place's payload buffer is used
/// again.
final class EncoderPool {
  private struct Job {
    var frame: CapturedFrame
    var effort: EncodingEffort
    /// Memory for the payload.
    var buffer: [UInt8]
  }

  private let workers: OrderedWorkers<Job, EncodedFrame>
  private var spareBuffers: [[UInt8]] = []

  init(threadCount: Int) throws(RetakeError) {
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: 2 * threadCount, name: "encoder") {
      () throws(RetakeError) in
      let encoder = try FrameEncoder()
      // Where frames with padded rows are packed; its memory does not move, as an array's may.
      var scratch: FrameBuffer?
      return { Self.encode($0.frame, $0.effort, with: encoder, scratch: &scratch, buffer: $0.buffer) }
    }
  }

  deinit { workers.end() }

  var isFull: Bool { workers.room == 0 }

  /// - Precondition: not full.
  func submit(_ frame: CapturedFrame, effort: EncodingEffort) {
    workers.submit(Job(frame: frame, effort: effort, buffer: spareBuffers.popLast() ?? []))
  }

  /// The oldest frame, calling `body` with it when it is done.
  /// - Parameter waits: whether to wait for it.
  /// - Returns: nil when it is not done yet and `waits` is false, or there is none.
  func takeOldest<Result>(waits: Bool, _ body: (EncodedFrame) -> Result) -> Result? {
    guard let frame = workers.takeOldest(waits: waits) else { return nil }
    defer { spareBuffers.append(frame.payload) }
    return body(frame)
  }

  private static func encode(
    _ frame: CapturedFrame, _ effort: EncodingEffort, with encoder: FrameEncoder, scratch: inout FrameBuffer?,
    buffer: [UInt8]
  ) -> EncodedFrame {
    defer { withExtendedLifetime((frame.buffer, scratch)) {} }
    let bytes = frame.packedBytes(scratch: &scratch)
    var payload = buffer
    payload.removeAll(keepingCapacity: true)
    var codec = FrameCodec.raw
    do throws(RetakeError) {
      try encoder.encode(bytes, layout: frame.layout, effort: effort) { chosen, encoded throws(RetakeError) in
        codec = chosen
        payload.append(contentsOf: encoded)
      }
    } catch {
      // An encoder that has no memory left loses compression, not the frame.
      codec = .raw
      payload.removeAll(keepingCapacity: true)
      payload.append(contentsOf: bytes)
    }
    return EncodedFrame(
      codec: codec, byteCount: bytes.count, checksum: Checksum.xxh3(bytes), payload: payload)
  }
}

extension CapturedFrame {
  /// The frame's bytes without padding at the end of rows. Points into the buffer, or into `scratch` after a copy.
  func packedBytes(scratch: inout FrameBuffer?) -> UnsafeRawBufferPointer {
    let used = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount])
    if layout.format == .jpeg || layout.isPacked { return used }
    let packed = layout.packed
    // A damaged frame may end early: only its whole rows are kept.
    let rows = min(layout.rowCount, byteCount / layout.bytesPerRow)
    let target =
      scratch.flatMap { $0.byteCount >= packed.byteCount ? $0 : nil } ?? FrameBuffer(byteCount: packed.byteCount)
    scratch = target
    for row in 0..<rows {
      let line = used[row * layout.bytesPerRow..<row * layout.bytesPerRow + packed.bytesPerRow]
      UnsafeMutableRawBufferPointer(rebasing: target.mutableBytes[(row * packed.bytesPerRow)...]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: line))
    }
    return UnsafeRawBufferPointer(rebasing: target.bytes[..<(rows * packed.bytesPerRow)])
  }
}
