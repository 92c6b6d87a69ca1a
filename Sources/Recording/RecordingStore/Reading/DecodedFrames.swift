import FrameModel
import Support

/// Shares decoded frames between consumers that need the same ones at about the same time. Each is
/// decoded once and kept until every requester has taken it, then longer while there is room. A
/// frame requested after that is decoded again, so this affects only speed. Serves one thread.
package final class DecodedFrames {
  package struct Key: Hashable {
    let stream: Int
    let number: Int
    init(_ row: FrameRow) { (stream, number) = (row.stream, row.number) }
  }

  package struct Entry {
    /// Nil until decoded.
    var result: Result<Frame, RetakeError>?
    /// Requests that have not been taken yet.
    var wantedCount = 1
    /// The value of `takenCount` when the frame was last taken; valid while `wantedCount` is 0.
    var idleSince = 0
  }

  /// The index, read once for all consumers.
  package let frameSets: FrameSetPages
  private let workers: OrderedWorkers<FrameRow, Result<Frame, RetakeError>>
  package private(set) var entries: [Key: Entry] = [:]
  private var underWay: [Key] = []
  /// Frames without pending requests, least recently taken first; re-requested ones are skipped.
  private var idle: [(key: Key, since: Int)] = []
  private var idleByteCount = 0
  private var takenCount = 0
  private let idleByteLimit: Int
  package private(set) var decodedCount = 0

  /// - Parameter idleByteLimit: for frames without pending requests. Requested frames are kept
  ///   regardless of size.
  package init(_ recording: Recording, threadCount: Int, idleByteLimit: Int) throws(RetakeError) {
    self.idleByteLimit = idleByteLimit
    frameSets = FrameSetPages(recording)
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: 4 * (threadCount + 1), name: "decoder") {
      () throws(RetakeError) in
      // No limit: every buffer returns to its pool, however many are in use.
      let reader = try FrameReader(recording, heldFrameLimit: Int(Int32.max))
      return { row in Result { () throws(RetakeError) in try reader.frame(row) } }
    }
  }

  deinit { workers.end() }

  /// Every requested frame must be passed to `take` or `letGo`.
  package func request(_ row: FrameRow) {
    let key = Key(row)
    if let entry = entries[key] {
      if entry.wantedCount == 0 { idleByteCount -= Self.byteCount(entry) }
      entries[key]?.wantedCount += 1
      return
    }
    if workers.room == 0 { takeOldest() }
    workers.submit(row)
    underWay.append(key)
    entries[key] = Entry()
    decodedCount += 1
  }

  package func take(_ row: FrameRow) -> Result<Frame, RetakeError> {
    let key = Key(row)
    while entries[key]?.result == nil {
      guard !underWay.isEmpty else { preconditionFailure("the frame was not requested") }
      takeOldest()
    }
    guard let result = entries[key]?.result else { preconditionFailure("the frame was not requested") }
    letGo(row)
    return result
  }

  /// Cancels a request.
  func letGo(_ row: FrameRow) {
    let key = Key(row)
    guard var entry = entries[key] else { return }
    entry.wantedCount -= 1
    takenCount += 1
    entry.idleSince = takenCount
    entries[key] = entry
    guard entry.wantedCount == 0 else { return }
    idleByteCount += Self.byteCount(entry)
    idle.append((key, takenCount))
    if idle.count > 2 * entries.count + 64 { idle.removeAll { !isIdle($0.key, since: $0.since) } }
    while idleByteCount > idleByteLimit, !idle.isEmpty {
      let (oldest, since) = idle.removeFirst()
      drop(oldest, since)
    }
  }

  private func isIdle(_ key: Key, since: Int) -> Bool {
    entries[key].map { $0.wantedCount == 0 && $0.idleSince == since } ?? false
  }

  private func drop(_ key: Key, _ since: Int) {
    guard isIdle(key, since: since), let entry = entries[key] else { return }
    // A frame that is still being decoded is dropped when it is done.
    guard entry.result != nil else { return }
    idleByteCount -= Self.byteCount(entry)
    entries[key] = nil
  }

  private func takeOldest() {
    guard let result = workers.takeOldest(waits: true) else { return }
    let key = underWay.removeFirst()
    guard let entry = entries[key] else { return }
    guard entry.wantedCount > 0 else {
      entries[key] = nil
      return
    }
    entries[key]?.result = result
  }

  private static func byteCount(_ entry: Entry) -> Int {
    guard case .success(let frame) = entry.result else { return 0 }
    return frame.buffer.byteCount
  }
}
