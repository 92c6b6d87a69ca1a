import ChunkFormat
import FrameModel

/// How much is kept around marks when only that is asked for.
package struct MarkWindowOptions: Hashable, Sendable {
  /// Before and after each mark.
  package var prerollNanoseconds: Int64
  package var postrollNanoseconds: Int64
  /// Encoded frames that wait for a mark take at most so much memory; the oldest go first.
  package var byteLimit = 1 << 30

  package init(prerollNanoseconds: Int64, postrollNanoseconds: Int64) {
    self.prerollNanoseconds = prerollNanoseconds
    self.postrollNanoseconds = postrollNanoseconds
  }
}

/// Holds encoded frames in a ring in memory, and lets through what lies within the pre-roll before and the post-roll
/// after a mark.
///
/// What falls out of the ring is counted, and an event says so before the next frame of its stream. Frames are numbered
/// as they are let through, so that the recording's numbers have no holes.
struct MarkWindow {
  /// A mark reaches the recorder after its moment: the ring holds so much more than the pre-roll.
  private static let latenessNanoseconds: Int64 = 1_000_000_000

  private let options: MarkWindowOptions
  /// Nil where one was let go: its memory is free at once.
  private var entries: [RecordEntry?] = []
  private var head = 0
  private var heldByteCount = 0
  /// Entries of each stream that wait.
  private var waiting: [Int]
  private var latest: PresentationTime?
  private var hasKept = false
  /// The end of the post-roll of the latest mark.
  private var keptUntil = Int64.min
  /// Frames of each stream that were let go, in all and since the last one kept.
  private var discarded: [Int]
  private var unsaid: [Int]
  /// Numbers of the next frames of each stream in the recording.
  private var kept: [Int]
  /// Of the latest frames of each stream that were kept, the number before and after, in order: their faces come later, from a
  /// detector that takes seconds for a frame a hundred frames later.
  private var keptNumbers: [[(given: Int, kept: Int)]]
  private static let keptNumbersLimit = 4096

  init(_ options: MarkWindowOptions, streamCount: Int) {
    self.options = options
    discarded = Array(repeating: 0, count: streamCount)
    unsaid = discarded
    kept = discarded
    waiting = discarded
    keptNumbers = Array(repeating: [], count: streamCount)
  }

  /// Takes an entry in, and hands on what is to be written now.
  mutating func pass(_ entry: RecordEntry, _ write: (RecordEntry) -> Void) {
    let time = entry.presentation.nanoseconds
    if case .mark = entry {
      release(from: time - options.prerollNanoseconds, write)
      keptUntil = max(keptUntil, time + options.postrollNanoseconds)
      return write(entry)
    }
    // Faces go where their frame went.
    if case .faces(let faces) = entry, keptNumber(faces) != nil { return keep(entry, write) }
    latest = max(latest ?? entry.presentation, entry.presentation)
    // In order within its stream, so not past one that waits.
    let stream = entry.stream
    if time <= keptUntil && stream.map({ waiting[$0] == 0 }) ?? true { return keep(entry, write) }
    entries.append(entry)
    if let stream { waiting[stream] += 1 }
    heldByteCount += entry.byteCount
    while let oldest = entries[head...].first.flatMap(\.self),
      oldest.presentation.nanoseconds < time - options.prerollNanoseconds - Self.latenessNanoseconds
        || heldByteCount > options.byteLimit
    {
      discard(oldest)
      if let stream = oldest.stream { waiting[stream] -= 1 }
      heldByteCount -= oldest.byteCount
      entries[head] = nil
      head += 1
    }
    compact()
  }

  /// The number in the recording of the frame in which they were seen; nil for one that was not kept, or long ago.
  private func keptNumber(_ faces: FacesMessage) -> Int? {
    let numbers = keptNumbers[faces.stream]
    var range = numbers.indices
    while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
      if numbers[middle].given == faces.frameNumber { return numbers[middle].kept }
      range = numbers[middle].given < faces.frameNumber ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  /// Lets go of what waits, and says so when there is a recording to say it in.
  mutating func finish(_ write: (RecordEntry) -> Void) {
    release(from: .max, write)
    guard hasKept, let end = latest else { return }
    for stream in unsaid.indices where unsaid[stream] > 0 { say(stream, nextNumber: kept[stream], at: end, write) }
  }

  private mutating func discard(_ entry: RecordEntry) {
    // What went wrong with frames that nobody wanted is of no interest either.
    guard case .frame(_, _, let stream) = entry else { return }
    discarded[stream] += 1
    unsaid[stream] += 1
  }

  /// Hands on what waits, from a time on.
  private mutating func release(from start: Int64, _ write: (RecordEntry) -> Void) {
    for case .some(let entry) in entries[head...] {
      if entry.presentation.nanoseconds < start { discard(entry) } else { keep(entry, write) }
    }
    entries.removeAll()
    (head, heldByteCount) = (0, 0)
    for stream in waiting.indices { waiting[stream] = 0 }
  }

  private mutating func say(
    _ stream: Int, nextNumber: Int, at time: PresentationTime, _ write: (RecordEntry) -> Void
  ) {
    write(
      .event(
        FrameEvent(
          stream: stream, stage: .preroll, reason: .notKept, frameNumber: nextNumber, count: unsaid[stream],
          presentation: time)))
    unsaid[stream] = 0
  }

  private mutating func keep(_ entry: RecordEntry, _ write: (RecordEntry) -> Void) {
    if case .faces(var faces) = entry {
      guard let number = keptNumber(faces) else { return }
      faces.frameNumber = number
      return write(.faces(faces))
    }
    hasKept = true
    let entry = entry.renumbered(less: discarded)
    if case .frame(let message, _, let stream) = entry {
      kept[stream] = message.number + 1
      keptNumbers[stream].append((message.number + discarded[stream], message.number))
      if keptNumbers[stream].count > Self.keptNumbersLimit {
        keptNumbers[stream].removeFirst(Self.keptNumbersLimit / 2)
      }
      if unsaid[stream] > 0 { say(stream, nextNumber: message.number, at: entry.presentation, write) }
    }
    write(entry)
  }

  /// What was handed on leaves the list; not one by one, which would move the rest each time.
  private mutating func compact() {
    guard head >= 256, head * 2 >= entries.count else { return }
    entries.removeFirst(head)
    head = 0
  }
}
