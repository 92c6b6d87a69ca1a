import ChunkFormat
import FrameModel

/// Makes an index from chunk files, equal to the one that the recorder made beside them: it goes through the same steps
/// with what stands in the files.
struct IndexRebuilder {
  private let index: IndexDatabase
  private let verifier: FrameVerifier
  private let identity: RecordingIdentity
  private let streams: [StreamDescription]
  private var sets: FrameSetBuilder
  private var clocks: ClockAccount
  /// The least number that the next frame of each stream can have.
  private var nextNumbers: [Int]
  /// The rows of the file before: the last file's take up what ends with the recording.
  private var waiting: IndexBatch?
  private(set) var chunkFileCount = 0
  private(set) var frameCounts: [Int]
  private(set) var damage: [String] = []

  /// Makes the new index.
  init(path: String, identity: RecordingIdentity, streams: [StreamDescription]) throws(RetakeError) {
    index = try IndexDatabase.create(at: path)
    verifier = try FrameVerifier()
    self.identity = identity
    self.streams = streams
    sets = FrameSetBuilder(streams: streams)
    clocks = ClockAccount(streams: streams)
    nextNumbers = streams.map { _ in 0 }
    frameCounts = streams.map { _ in 0 }
    try index.insert(identity, streams: streams)
  }

  /// Enters a chunk file. Damage is noted, and the other frames are entered.
  mutating func add(path: String, number: Int) throws(RetakeError) {
    var batch = IndexBatch()
    let scan = try ChunkFileScan.run(path: path) { entry, scan throws(RetakeError) in
      guard scan.belongs(to: identity, streams, number: number) else { return }
      try enter(entry, chunkFile: number, into: &batch)
    }
    damage += scan.damage.map { "\(path): \($0)" }
    guard scan.belongs(to: identity, streams, number: number) else {
      return damage.append(ChunkFileScan.Report.strayDamage(path))
    }
    if let waiting { try index.insert(waiting) }
    chunkFileCount += 1
    batch.chunkFile = (number, try FileSource(path: path).byteCount ?? 0)
    batch.clocks = clocks.facts
    waiting = batch
  }

  /// Enters what ends with the recording, and closes the index.
  mutating func finish() throws(RetakeError) {
    if var last = waiting {
      sets.finish(into: &last)
      try index.insert(last)
    }
    waiting = nil
    try index.setClosed(true)
    try index.close()
  }

  private mutating func enter(_ entry: ChunkFileScan.Entry, chunkFile: Int, into batch: inout IndexBatch)
    throws(RetakeError)
  {
    switch entry {
    case .frame(let message, let payload, let stream, let place):
      guard message.number >= nextNumbers[stream] else {
        throw RetakeError(.corrupt, "frame \(message.number) of '\(streams[stream].name)' comes twice")
      }
      try verifier.verify(message, payload)
      nextNumbers[stream] = message.number + 1
      frameCounts[stream] += 1
      let times = message.timestamps
      clocks.add(stream: stream, timestamps: times, flags: message.flags)
      batch.frames.append(FrameRow(message, stream: stream, chunkFile: chunkFile, place: place))
      sets.add(
        stream: stream, number: message.number, time: times.presentation, flags: message.flags, to: &batch)
    case .faces(let faces):
      guard faces.stream < streams.count else { throw RetakeError(.corrupt, "faces name no stream") }
      batch.faces.append(faces)
    case .event(let event):
      guard event.stream < streams.count else { throw RetakeError(.corrupt, "an event names no stream") }
      batch.events.append(event)
    case .mark(let mark): batch.marks.append(mark)
    }
  }
}
