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
/// What falls out of the ring is counted, and an event says so before the next frame of its stream.
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
  /// Frames of each stream that were let go since the last one kept.
  private var unsaid: [Int]
  /// The first frame of each stream that is not decided on: it waits, or has not come.
  private var undecided: [Int]

  init(_ options: MarkWindowOptions, streamCount: Int) {
    self.options = options
    unsaid = Array(repeating: 0, count: streamCount)
    (waiting, undecided) = (unsaid, unsaid)
  }

  /// Takes an entry in, and hands on what is to be written now.
  mutating func pass(_ entry: RecordEntry, _ write: (RecordEntry) -> Void) {
    let time = entry.presentation.nanoseconds
    if case .mark = entry {
      release(from: time - options.prerollNanoseconds, write)
      keptUntil = max(keptUntil, time + options.postrollNanoseconds)
      return write(entry)
    }
    // Faces go where their frame went: those of a frame that was let go find no number.
    if case .faces(let faces) = entry, faces.frameNumber < undecided[faces.stream] { return write(entry) }
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

  /// Lets go of what waits, and says so when there is a recording to say it in.
  mutating func finish(_ write: (RecordEntry) -> Void) {
    release(from: .max, write)
    guard hasKept, let end = latest else { return }
    for stream in unsaid.indices where unsaid[stream] > 0 { say(stream, nextNumber: undecided[stream], at: end, write) }
  }

  private mutating func discard(_ entry: RecordEntry) {
    // What went wrong with frames that nobody wanted is of no interest either.
    guard case .frame(let message, _, let stream) = entry else { return }
    undecided[stream] = message.number + 1
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
    hasKept = true
    if case .frame(let message, _, let stream) = entry {
      undecided[stream] = message.number + 1
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
