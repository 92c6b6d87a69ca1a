import ChunkFormat
import DequeModule
import FrameModel

/// How much is kept around each mark when only frames near marks are recorded.
package struct MarkWindowOptions: Hashable, Sendable {
  package var prerollNanoseconds: Int64
  package var postrollNanoseconds: Int64
  /// Memory limit of encoded frames that wait for a mark; the oldest are discarded first.
  package var byteLimit = 1 << 30
  /// Whether frames before the first kept one of a stream count as a gap of the recording.
  package var countsBefore = true

  /// What is kept around a mark unless the user says otherwise, in a ring too.
  package static let usualPreroll: Int64 = 10_000_000_000
  package static let usualPostroll: Int64 = 5_000_000_000

  package init(prerollNanoseconds: Int64 = usualPreroll, postrollNanoseconds: Int64 = usualPostroll) {
    self.prerollNanoseconds = prerollNanoseconds
    self.postrollNanoseconds = postrollNanoseconds
  }
}

/// Buffers encoded frames in memory and writes those within the pre-roll or post-roll of a mark.
///
/// An event before the next written frame of a stream reports the number of discarded frames.
package struct MarkWindow {
  /// A mark reaches the recorder late, so the buffer holds this much more than the pre-roll.
  private static let latenessNanoseconds: Int64 = 1_000_000_000

  private let options: MarkWindowOptions
  private var entries: Deque<RecordEntry> = []
  private var heldByteCount = 0
  private var waiting: [Int]
  private var latest: PresentationTime?
  private var hasKept: [Bool]
  private var keptUntil = Int64.min
  /// Frames discarded since the last written one, by stream.
  private var unsaid: [Int]
  /// Number of the first undecided frame, by stream: it is buffered or has not arrived.
  private var undecided: [Int]

  package init(_ options: MarkWindowOptions, streamCount: Int) {
    self.options = options
    unsaid = Array(repeating: 0, count: streamCount)
    (waiting, undecided) = (unsaid, unsaid)
    hasKept = Array(repeating: false, count: streamCount)
  }

  /// Buffers an entry, and writes all entries that are due.
  package mutating func pass(_ entry: RecordEntry, _ write: (RecordEntry) -> Void) {
    let time = entry.presentation.nanoseconds
    if case .mark = entry {
      release(from: time - options.prerollNanoseconds, write)
      keptUntil = max(keptUntil, time + options.postrollNanoseconds)
      return write(entry)
    }
    // Faces follow their frame. `FrameNumbering` drops those of a discarded frame, which has no
    // number.
    if case .faces(let faces) = entry, faces.frameNumber < undecided[faces.stream] { return write(entry) }
    latest = max(latest ?? entry.presentation, entry.presentation)
    // Keeps the order within a stream: an entry never overtakes a buffered one.
    let stream = entry.stream
    if time <= keptUntil && stream.map({ waiting[$0] == 0 }) ?? true { return keep(entry, write) }
    entries.append(entry)
    if let stream { waiting[stream] += 1 }
    heldByteCount += entry.byteCount
    while let oldest = entries.first,
      oldest.presentation.nanoseconds < time - options.prerollNanoseconds - Self.latenessNanoseconds
        || heldByteCount > options.byteLimit
    {
      discard(oldest)
      if let stream = oldest.stream { waiting[stream] -= 1 }
      heldByteCount -= oldest.byteCount
      entries.removeFirst()
    }
  }

  /// Discards the buffered entries, and reports them if anything was recorded.
  package mutating func finish(_ write: (RecordEntry) -> Void) {
    release(from: .max, write)
    guard hasKept.contains(true), let end = latest else { return }
    for stream in unsaid.indices where unsaid[stream] > 0 { say(stream, nextNumber: undecided[stream], at: end, write) }
  }

  private mutating func discard(_ entry: RecordEntry) {
    guard case .frame(let message, _, let stream) = entry else { return }
    undecided[stream] = message.number + 1
    unsaid[stream] += 1
  }

  private mutating func release(from start: Int64, _ write: (RecordEntry) -> Void) {
    for entry in entries {
      if entry.presentation.nanoseconds < start { discard(entry) } else { keep(entry, write) }
    }
    entries.removeAll()
    heldByteCount = 0
    for stream in waiting.indices { waiting[stream] = 0 }
  }

  private mutating func say(
    _ stream: Int, nextNumber: Int, at time: PresentationTime, _ write: (RecordEntry) -> Void
  ) {
    defer { unsaid[stream] = 0 }
    guard hasKept[stream] || options.countsBefore else { return }
    write(
      .event(
        FrameEvent(
          stream: stream, stage: .preroll, reason: .notKept, frameNumber: nextNumber, count: unsaid[stream],
          presentation: time)))
  }

  private mutating func keep(_ entry: RecordEntry, _ write: (RecordEntry) -> Void) {
    if case .frame(let message, _, let stream) = entry {
      undecided[stream] = message.number + 1
      if unsaid[stream] > 0 { say(stream, nextNumber: message.number, at: entry.presentation, write) }
      hasKept[stream] = true
    }
    write(entry)
  }
}
