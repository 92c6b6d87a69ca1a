import ChunkFormat
import FrameModel
import Support

/// Encodes frames of a copy again, on several threads, and writes them in their order. Each new payload is
/// decoded and compared with its frame before it is written.
final class FrameRecoder {
  private let workers: OrderedWorkers<RecordEntry, Result<RecordEntry, RetakeError>>
  private let files: RecordingFiles

  /// - Parameter effort: `.smallest` keeps payloads that are small already.
  init(effort: EncodingEffort, threadCount: Int, into files: RecordingFiles) throws(RetakeError) {
    self.files = files
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: 4 * threadCount, name: "recoder") {
      () throws(RetakeError) in
      let coder = try Coder(effort: effort)
      return { entry in Result { () throws(RetakeError) in try coder.recoded(entry) } }
    }
  }

  deinit { workers.end() }

  func write(_ entry: RecordEntry) throws(RetakeError) {
    if workers.room == 0 { _ = try writeOldest() }
    workers.submit(entry)
  }

  /// Writes what is still being encoded.
  func finish() throws(RetakeError) { while try writeOldest() {} }

  private func writeOldest() throws(RetakeError) -> Bool {
    guard let oldest = workers.takeOldest(waits: true) else { return false }
    files.write(try oldest.get())
    if let failure = files.failure { throw failure }
    return true
  }
}

/// Encodes frames on one thread.
private final class Coder {
  private let effort: EncodingEffort
  private let encoder: FrameEncoder
  private let decoder: FrameDecoder
  private let verifier: FrameVerifier
  private var buffer = FrameBuffer(byteCount: 1)

  init(effort: EncodingEffort) throws(RetakeError) {
    self.effort = effort
    encoder = try FrameEncoder()
    decoder = try FrameDecoder()
    verifier = try FrameVerifier()
  }

  /// - Throws: `.corrupt` for a payload that does not decode to its frame.
  func recoded(_ entry: RecordEntry) throws(RetakeError) -> RecordEntry {
    guard case .frame(let message, let payload, let stream) = entry else { return entry }
    if buffer.byteCount < message.byteCount { buffer = FrameBuffer(byteCount: message.byteCount) }
    let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer.mutableBytes[..<message.byteCount])
    try payload.withRawBytes { payload throws(RetakeError) in
      _ = try decoder.decode(payload, of: message, into: bytes)
    }
    return try encoder.encode(UnsafeRawBufferPointer(bytes), layout: message.layout, effort: effort) {
      codec, encoded throws(RetakeError) in
      if effort == .smallest && encoded.count >= payload.count { return entry }
      var message = message
      message.codec = codec
      try verifier.verify(message, encoded)
      return .frame(message, payload: Array(encoded), stream: stream)
    }
  }
}
