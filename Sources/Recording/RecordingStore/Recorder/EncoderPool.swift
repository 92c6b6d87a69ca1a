import ChunkFormat
import Foundation
import FrameModel
import Kernels
import Support
import Synchronization

struct EncodedFrame {
  var codec: FrameCodec
  /// Size of the frame before encoding, in bytes, without row padding.
  var byteCount: Int
  /// XXH3-64 of the packed bytes before encoding.
  var checksum: UInt64
  var payload: [UInt8]
}

/// Encodes frames on several threads and returns them in submission order. Reuses payload memory.
final class EncoderPool {
  private struct Job {
    var frame: CapturedFrame
    var effort: EncodingEffort
  }

  private let workers: OrderedWorkers<Job, EncodedFrame>
  private let spares = SparePayloads()

  init(threadCount: Int) throws(RetakeError) {
    let spares = spares
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: 4 * threadCount, name: "encoder") {
      () throws(RetakeError) in
      let encoder = try FrameEncoder()
      // Frames with padded rows are packed here. A `FrameBuffer`, since an array's memory may move.
      var scratch: FrameBuffer?
      return { Self.encode($0.frame, $0.effort, with: encoder, scratch: &scratch, spares: spares) }
    }
  }

  deinit { workers.end() }

  var isFull: Bool { workers.room == 0 }

  func submit(_ frame: CapturedFrame, effort: EncodingEffort) {
    workers.submit(Job(frame: frame, effort: effort))
  }

  /// Returns the oldest frame once it is encoded.
  /// - Parameter waits: whether to wait for it.
  /// - Returns: nil when the pool is empty, or without `waits`, when the frame is not encoded yet.
  func takeOldest(waits: Bool) -> EncodedFrame? { workers.takeOldest(waits: waits) }

  /// Returns a payload's memory for reuse. Thread-safe.
  func recycle(_ payload: consuming [UInt8]) { spares.give(payload) }

  private static func encode(
    _ frame: CapturedFrame, _ effort: EncodingEffort, with encoder: FrameEncoder, scratch: inout FrameBuffer?,
    spares: SparePayloads
  ) -> EncodedFrame {
    defer { withExtendedLifetime((frame.buffer, scratch)) {} }
    let bytes = frame.packedBytes(scratch: &scratch)
    var payload: [UInt8] = []
    var codec = FrameCodec.raw
    do throws(RetakeError) {
      try encoder.encode(bytes, layout: frame.layout, effort: effort) { chosen, encoded throws(RetakeError) in
        codec = chosen
        payload = spares.take(encoded.count)
        payload.append(contentsOf: encoded)
      }
    } catch {
      // When the encoder fails, for example for lack of memory, the frame is stored raw instead.
      codec = .raw
      payload = spares.take(bytes.count)
      payload.append(contentsOf: bytes)
    }
    return EncodedFrame(
      codec: codec, byteCount: bytes.count, checksum: Checksum.xxh3(bytes), payload: payload)
  }
}

/// Payload memory for reuse. Allocating it for each frame would have the kernel clear it each time.
private final class SparePayloads: Sendable {
  private static let byteLimit = 64 << 20
  private static let step = 64 << 10
  private struct State {
    var payloads: [[UInt8]] = []
    var byteCount = 0
  }
  private let state = Mutex(State())

  /// Returns an empty array with room for `byteCount` bytes and not much more: the backlog counts
  /// the capacity of payloads that wait for the disk.
  func take(_ byteCount: Int) -> [UInt8] {
    let found: [UInt8]? = state.withLock { state in
      let fitting = state.payloads.lastIndex { ($0.capacity >= byteCount) && $0.capacity <= 2 * byteCount + Self.step }
      guard let fitting else { return nil }
      state.payloads.swapAt(fitting, state.payloads.count - 1)
      let payload = state.payloads.removeLast()
      state.byteCount -= payload.capacity
      return payload
    }
    var payload = found ?? []
    payload.removeAll(keepingCapacity: true)
    payload.reserveCapacity(found == nil ? (byteCount / Self.step + 1) * Self.step : byteCount)
    return payload
  }

  func give(_ payload: consuming [UInt8]) {
    state.withLock { [payload] state in
      guard state.byteCount + payload.capacity <= Self.byteLimit else { return }
      state.byteCount += payload.capacity
      state.payloads.append(payload)
    }
  }
}

extension CapturedFrame {
  /// Returns the frame's bytes without row padding. They point into `buffer`, or into `scratch`
  /// after a copy.
  package func packedBytes(scratch: inout FrameBuffer?) -> UnsafeRawBufferPointer {
    let used = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<byteCount])
    if layout.format == .jpeg || layout.isPacked { return used }
    let packed = layout.packed
    // A damaged frame may end early; only its whole rows are kept.
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
