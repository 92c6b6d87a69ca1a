import FrameModel
import Support

/// Shares decoded frames between consumers that need the same ones at about the same time. Each is
/// decoded once and kept until every requester has taken it, then longer while there is room. A
/// frame requested after that is decoded again, so this affects only speed. Serves one thread.
package final class DecodedFrames {
  private struct Key: Hashable {
    let stream: Int
    let number: Int
    init(_ row: FrameRow) { (stream, number) = (row.stream, row.number) }
  }

  private struct Entry {
    /// Nil until decoded.
    var result: Result<Frame, RetakeError>?
    /// Requests that have not been taken yet.
    var wantedCount = 1
    /// The value of `takenCount` when the frame was last taken; valid while `wantedCount` is 0.
    var idleSince = 0
  }

  private let workers: OrderedWorkers<FrameRow, Result<Frame, RetakeError>>
  private var entries: [Key: Entry] = [:]
  private var underWay = Queue<Key>()
  /// Frames without pending requests, least recently taken first; re-requested ones are skipped.
  private var idle = Queue<(key: Key, since: Int)>()
  private var idleByteCount = 0
  private var takenCount = 0
  private let idleByteLimit: Int
  package private(set) var decodedCount = 0
  var keptCount: Int { entries.count }

  /// - Parameter idleByteLimit: for frames without pending requests. Requested frames are kept
  ///   regardless of size.
  package init(_ recording: Recording, threadCount: Int, idleByteLimit: Int) throws(RetakeError) {
    self.idleByteLimit = idleByteLimit
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: 4 * (threadCount + 1), name: "decoder") {
      () throws(RetakeError) in
      // No limit: every buffer returns to its pool, however many are in use.
      let reader = try FrameReader(recording, heldFrameLimit: Int(Int32.max))
      return { row in
        do throws(RetakeError) {
          return .success(try reader.frame(row))
        } catch {
          return .failure(error)
        }
      }
    }
  }

  deinit { workers.end() }

  /// Every requested frame must be passed to `take` or `letGo`.
  func request(_ row: FrameRow) {
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

  func take(_ row: FrameRow) throws(RetakeError) -> Frame {
    let key = Key(row)
    while entries[key]?.result == nil {
      guard !underWay.isEmpty else { preconditionFailure("the frame was not requested") }
      takeOldest()
    }
    guard let result = entries[key]?.result else { preconditionFailure("the frame was not requested") }
    letGo(row)
    return try result.get()
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
    while idleByteCount > idleByteLimit, let (oldest, since) = idle.popFirst() { drop(oldest, since) }
  }

  private func drop(_ key: Key, _ since: Int) {
    guard let entry = entries[key], entry.wantedCount == 0, entry.idleSince == since else { return }
    // A frame that is still being decoded is dropped when it is done.
    guard entry.result != nil else { return }
    idleByteCount -= Self.byteCount(entry)
    entries[key] = nil
  }

  private func takeOldest() {
    guard let result = workers.takeOldest(waits: true), let key = underWay.popFirst() else { return }
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

struct Queue<Element> {
  private var elements: [Element] = []
  private var first = 0

  var isEmpty: Bool { first == elements.count }
  var count: Int { elements.count - first }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard first < elements.count else { return nil }
    let element = elements[first]
    first += 1
    // Compacting at half keeps removal at amortized constant time.
    if 2 * first >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  mutating func popAll() -> [Element] {
    defer { self = Queue() }
    return Array(elements[first...])
  }
}
