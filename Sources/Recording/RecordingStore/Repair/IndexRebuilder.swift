import ChunkFormat
import FrameModel
import Support

/// Derives index rows from chunk files through the recorder's own steps, so that the result equals
/// the index made while recording.
struct IndexRebuilder {
  private let streams: [StreamDescription]
  private var sets: FrameSetBuilder
  private var clocks: ClockAccount
  private var numbers: FrameNumberAccount
  /// Rows of the current chunk file.
  private var batch = IndexBatch()
  private(set) var frameCounts: [Int]
  private(set) var frameSetCount = 0
  private(set) var pairingEventCount = 0
  /// The number of the next chunk file, where none is missing.
  private var nextFileNumber = 0

  init(streams: [StreamDescription]) {
    self.streams = streams
    sets = FrameSetBuilder(streams: streams)
    clocks = ClockAccount(streams: streams)
    numbers = FrameNumberAccount(streamCount: streams.count)
    frameCounts = streams.map { _ in 0 }
  }

  /// Begins a chunk file. In a ring, missing files before it were removed on purpose.
  mutating func beginFile(_ number: Int) {
    if streams.areOfRing && number > nextFileNumber { numbers.allowJump() }
    nextFileNumber = number + 1
  }

  /// Enters an entry of a chunk file, in the file's order. Frame payloads must have been verified.
  /// - Parameter copy: called for the entry, and before that for an event if frames are missing.
  ///   Returns a frame's new place, or nil to keep the scanned one.
  /// - Throws: `.corrupt` for an unknown stream or a repeated frame; errors of `copy`.
  mutating func enter(
    _ entry: ChunkFileScan.Entry, chunkFile: Int,
    copy: (ChunkFileScan.Entry) throws(RetakeError) -> MessagePlace? = { _ in nil }
  ) throws(RetakeError) {
    switch entry {
    case .frame(let message, _, let stream, let place):
      guard numbers.isNext(stream: stream, number: message.number) else {
        throw RetakeError(.corrupt, "frame \(message.number) of '\(streams[stream].name)' appears twice")
      }
      if let gap = numbers.add(stream: stream, number: message.number, time: message.timestamps.presentation) {
        // What a ring removed follows from the missing chunk files, so it is in none of them.
        if gap.reason != .notKept { _ = try copy(.event(gap)) }
        batch.events.append(gap)
      }
      let copied = try copy(entry)
      enter(FrameRow(message, stream: stream, chunkFile: chunkFile, place: copied ?? place))
    case .faces(let faces):
      guard faces.stream < streams.count else {
        throw RetakeError(.corrupt, "a face result refers to no stream of the recording")
      }
      _ = try copy(entry)
      batch.faces.append(faces)
    case .event(let event):
      guard event.stream < streams.count else {
        throw RetakeError(.corrupt, "an event refers to no stream of the recording")
      }
      guard let event = numbers.unrefuted(event) else { return }
      _ = try copy(.event(event))
      numbers.add(event)
      batch.events.append(event)
    case .mark(let mark):
      _ = try copy(entry)
      batch.marks.append(mark)
    case .lost(let stream, let count): numbers.addUnreadable(stream: stream, count: count)
    }
  }

  /// Enters a frame from the index of a finished chunk file.
  /// - Returns: false when it does not directly follow the stream's frames so far, or those that a ring removed.
  mutating func enterKnown(_ row: FrameRow) -> Bool {
    guard row.stream < streams.count, numbers.isNext(stream: row.stream, number: row.number) else { return false }
    let gap = numbers.add(stream: row.stream, number: row.number, time: row.timestamps.presentation)
    if let gap {
      guard gap.reason == .notKept else { return false }
      batch.events.append(gap)
    }
    enter(row)
    return true
  }

  /// Enters events, marks and faces that the index of finished chunk files has.
  mutating func enterKnown(events: [FrameEvent] = [], marks: [Mark] = [], faces: [FacesMessage] = []) {
    batch.events += events
    batch.marks += marks
    batch.faces += faces
  }

  private mutating func enter(_ row: FrameRow) {
    frameCounts[row.stream] += 1
    clocks.add(stream: row.stream, timestamps: row.timestamps, flags: row.flags)
    batch.frames.append(row)
    sets.add(
      stream: row.stream, number: row.number, time: row.timestamps.presentation, flags: row.flags, to: &batch)
  }

  mutating func endFile(number: Int, byteCount: Int) -> IndexBatch {
    batch.chunkFile = (number, byteCount)
    batch.clocks = clocks.facts
    return take()
  }

  /// The next frame number of each stream, if none is missing.
  var nextNumbers: [Int] { numbers.nextNumbers }

  /// Sets the number after the last frame known to an earlier index, to find frames lost at the
  /// end.
  mutating func expect(_ ends: [Int]) {
    for (stream, end) in ends.enumerated() where stream < streams.count { numbers.addKnown(stream: stream, end: end) }
  }

  /// Events for unreadable frames at the end. They are also part of the rows.
  mutating func endLosses() -> [FrameEvent] {
    let events = numbers.finish()
    batch.events += events
    return events
  }

  mutating func finish() -> IndexBatch {
    _ = endLosses()
    sets.finish(into: &batch)
    return take()
  }

  private mutating func take() -> IndexBatch {
    defer { batch = IndexBatch() }
    frameSetCount += batch.frameSets.count
    pairingEventCount += batch.events.count { $0.stage == .pairing }
    return batch
  }
}
