import FrameModel
import Support

/// Frames of a recording that several takers want at about the same time: each is read and decoded once, on several threads, and
/// kept until the last of those who asked has taken it, and then a while longer, as far as there is room.
///
/// A frame that is asked for after it was dropped is decoded again: what is kept changes the time it takes and nothing else.
/// Serves one thread.
package final class DecodedFrames {
  private struct Key: Hashable {
    let stream: Int
    let number: Int
    init(_ row: FrameRow) { (stream, number) = (row.stream, row.number) }
  }

  private struct Entry {
    /// Nil while it is under way.
    var result: Result<Frame, RetakeError>?
    /// How often it was asked for and not taken yet.
    var wantedCount = 1
    /// When it was taken last, if nobody wants it: counts.
    var idleSince = 0
  }

  private let workers: OrderedWorkers<FrameRow, Result<Frame, RetakeError>>
  private var entries: [Key: Entry] = [:]
  /// In the order in which they were handed to the workers.
  private var underWay = Queue<Key>()
  /// Frames that nobody wants, the one taken first at the front; those that were asked for again since are passed over.
  private var idle = Queue<(key: Key, since: Int)>()
  private var idleByteCount = 0
  private var takenCount = 0
  private let idleByteLimit: Int
  /// Frames that were read and decoded so far.
  package private(set) var decodedCount = 0
  /// Frames that are under way or kept.
  var keptCount: Int { entries.count }

  /// - Parameters:
  ///   - threadCount: changes how fast frames come and nothing else.
  ///   - idleByteLimit: of frames that nobody has asked for at the moment. Those that were asked for are kept whatever they take.
  package init(_ recording: Recording, threadCount: Int, idleByteLimit: Int) throws(RetakeError) {
    self.idleByteLimit = idleByteLimit
    workers = try OrderedWorkers(threadCount: threadCount, placeCount: 4 * (threadCount + 1), name: "decoder") {
      () throws(RetakeError) in
      // Buffers come back to their pool, however many are out.
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

  /// Every frame that is asked for has to be taken or let go of.
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

  /// - Throws: what reading it throws.
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

  /// Instead of taking it.
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
    // What is under way is dropped when it comes.
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

/// First in, first out.
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
    // Half of it has been taken: moving the rest costs no more than that did.
    if 2 * first >= elements.count {
      elements.removeFirst(first)
      first = 0
    }
    return element
  }

  /// All that is left, in order.
  mutating func popAll() -> [Element] {
    defer { self = Queue() }
    return Array(elements[first...])
  }
}
