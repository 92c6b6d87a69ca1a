import ChunkFormat
import FrameModel
import Support

/// Derives the rows of an index from what chunk files hold, through the steps that the recorder takes: the result equals
/// the index that was made while recording.
struct IndexRebuilder {
  private let streams: [StreamDescription]
  private var sets: FrameSetBuilder
  private var clocks: ClockAccount
  private var numbers: FrameNumberAccount
  /// Rows of the chunk file that is being entered.
  private var batch = IndexBatch()
  private(set) var frameCounts: [Int]
  private(set) var frameSetCount = 0
  private(set) var pairingEventCount = 0

  init(streams: [StreamDescription]) {
    self.streams = streams
    sets = FrameSetBuilder(streams: streams)
    clocks = ClockAccount(streams: streams)
    numbers = FrameNumberAccount(streamCount: streams.count)
    frameCounts = streams.map { _ in 0 }
  }

  /// Enters what stands in a chunk file, in the file's order. Whether a frame's payload is whole is the caller's to check.
  /// - Parameter copy: called with each entry that is entered, and before it with an event for frames that are missing;
  ///   returns where a frame now lies, nil where the scan found it.
  /// - Throws: `.corrupt` for what belongs to no stream, and for a frame that came before; what `copy` throws.
  mutating func enter(
    _ entry: ChunkFileScan.Entry, chunkFile: Int,
    copy: (ChunkFileScan.Entry) throws(RetakeError) -> MessagePlace? = { _ in nil }
  ) throws(RetakeError) {
    switch entry {
    case .frame(let message, _, let stream, let place):
      guard numbers.isNext(stream: stream, number: message.number) else {
        throw RetakeError(.corrupt, "frame \(message.number) of '\(streams[stream].name)' comes twice")
      }
      if let loss = numbers.add(stream: stream, number: message.number, time: message.timestamps.presentation) {
        _ = try copy(.event(loss))
        batch.events.append(loss)
      }
      let copied = try copy(entry)
      enter(FrameRow(message, stream: stream, chunkFile: chunkFile, place: copied ?? place))
    case .faces(let faces):
      guard faces.stream < streams.count else { throw RetakeError(.corrupt, "faces name no stream") }
      _ = try copy(entry)
      batch.faces.append(faces)
    case .event(let event):
      guard event.stream < streams.count else { throw RetakeError(.corrupt, "an event names no stream") }
      _ = try copy(entry)
      numbers.add(event)
      batch.events.append(event)
    case .mark(let mark):
      _ = try copy(entry)
      batch.marks.append(mark)
    case .lost(let stream, let count): numbers.addUnreadable(stream: stream, count: count)
    }
  }

  /// Enters a frame of a chunk file that an index has already.
  /// - Returns: false where it does not follow the frames entered before.
  mutating func enterKnown(_ row: FrameRow) -> Bool {
    guard row.stream < streams.count, numbers.isNext(stream: row.stream, number: row.number),
      numbers.add(stream: row.stream, number: row.number, time: row.timestamps.presentation) == nil
    else { return false }
    enter(row)
    return true
  }

  private mutating func enter(_ row: FrameRow) {
    frameCounts[row.stream] += 1
    clocks.add(stream: row.stream, timestamps: row.timestamps, flags: row.flags)
    batch.frames.append(row)
    sets.add(
      stream: row.stream, number: row.number, time: row.timestamps.presentation, flags: row.flags, to: &batch)
  }

  /// - Returns: the file's rows, and what was decided with them.
  mutating func endFile(number: Int, byteCount: Int) -> IndexBatch {
    batch.chunkFile = (number, byteCount)
    batch.clocks = clocks.facts
    return take()
  }

  /// Of each stream, the number that its next frame has where none is missing.
  var nextNumbers: [Int] { numbers.nextNumbers }

  /// Tells how far an earlier index knew the numbers of each stream's frames: what is missing at the end is accounted for.
  mutating func expect(_ ends: [Int]) {
    for (stream, end) in ends.enumerated() where stream < streams.count { numbers.addKnown(stream: stream, end: end) }
  }

  /// Events for frames at the end of what was entered that could not be read. They are in the rows.
  mutating func endLosses() -> [FrameEvent] {
    let events = numbers.finish()
    batch.events += events
    return events
  }

  /// - Returns: what ends with the recording.
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
