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

/// Encodes frames on several threads and gives them back in the order in which they came.
///
/// What a frame becomes depends on the frame and the effort asked for alone, so neither bytes nor order depend on the number of threads. Memory is
/// bounded by the number of places; a place's payload buffer is used again.
final class EncoderPool: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`, and a place that is being encoded belongs to its thread.
  private enum Place {
    case free
    case waiting(CapturedFrame, EncodingEffort)
    case encoding
    case done(EncodedFrame)
  }

  private let condition = NSCondition()
  private var places: [Place]
  private var spareBuffers: [[UInt8]] = []
  /// Frames taken in, begun and given back so far; a frame's place is its count modulo the number of places.
  private var submitted = 0
  private var begun = 0
  private var returned = 0
  private var isEnding = false

  init(threadCount: Int) throws(RetakeError) {
    precondition(threadCount >= 1)
    places = Array(repeating: .free, count: 2 * threadCount)
    for number in 0..<threadCount {
      let encoder = try SendableEncoder(encoder: FrameEncoder())
      let thread = Thread { [self] in serve(encoder.encoder) }
      thread.name = "retake.encoder-\(number)"
      thread.start()
    }
  }

  /// One thread's encoder, on its way to that thread.
  private struct SendableEncoder: @unchecked Sendable {
    let encoder: FrameEncoder
  }

  /// Ends the threads when they have done what was submitted.
  func end() {
    condition.withLock {
      isEnding = true
      condition.broadcast()
    }
  }

  var isFull: Bool { condition.withLock { submitted - returned == places.count } }

  /// - Precondition: not full.
  func submit(_ frame: CapturedFrame, effort: EncodingEffort) {
    condition.withLock {
      precondition(submitted - returned < places.count)
      places[submitted % places.count] = .waiting(frame, effort)
      submitted += 1
      condition.broadcast()
    }
  }

  /// The oldest frame, calling `body` with it when it is done; its payload is valid during the call.
  /// - Parameter waits: whether to wait for it.
  /// - Returns: nil when it is not done yet and `waits` is false, or there is none.
  func takeOldest<Result>(waits: Bool, _ body: (EncodedFrame) -> Result) -> Result? {
    let frame: EncodedFrame? = condition.withLock {
      guard submitted > returned else { return nil }
      let place = returned % places.count
      while true {
        if case .done(let frame) = places[place] {
          places[place] = .free
          returned += 1
          return frame
        }
        guard waits else { return nil }
        condition.wait()
      }
    }
    guard let frame else { return nil }
    defer { condition.withLock { spareBuffers.append(frame.payload) } }
    return body(frame)
  }

  private func serve(_ encoder: FrameEncoder) {
    // Where frames with padded rows are packed; its memory does not move, as an array's may.
    var scratch: FrameBuffer?
    while true {
      let work: (frame: CapturedFrame, effort: EncodingEffort, place: Int, buffer: [UInt8])? = condition.withLock {
        while begun == submitted && !isEnding { condition.wait() }
        guard begun < submitted else { return nil }
        let place = begun % places.count
        guard case .waiting(let frame, let effort) = places[place] else { return nil }
        places[place] = .encoding
        begun += 1
        return (frame, effort, place, spareBuffers.popLast() ?? [])
      }
      guard let work else { return }
      let encoded = Self.encode(work.frame, work.effort, with: encoder, scratch: &scratch, buffer: work.buffer)
      condition.withLock {
        places[work.place] = .done(encoded)
        condition.broadcast()
      }
    }
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
  fileprivate func packedBytes(scratch: inout FrameBuffer?) -> UnsafeRawBufferPointer {
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
