import ChunkFormat
import FrameModel

/// Makes an index from chunk files, equal to the one that the recorder made beside them: it goes through the same steps
/// with what stands in the files.
struct IndexRebuilder {
  private let index: IndexDatabase
  private let verifier: FrameVerifier
  private var identity: RecordingIdentity?
  private var streams: [StreamDescription] = []
  private var sets: FrameSetBuilder?
  private var clocks: StreamClocks?
  /// The rows of the file before: the last file's take up what ends with the recording.
  private var waiting: IndexBatch?
  private(set) var chunkFileCount = 0
  private(set) var frameCounts: [Int] = []
  private(set) var damage: [String] = []

  init(path: String) throws(RetakeError) {
    index = try IndexDatabase.create(at: path)
    verifier = try FrameVerifier()
  }

  /// Enters a chunk file. Damage is noted, and the other frames are entered.
  mutating func add(path: String, number: Int) throws(RetakeError) {
    var batch = IndexBatch()
    let scan = try ChunkFileScan.run(path: path) { entry, scan throws(RetakeError) in
      guard try belongs(scan, number: number) else { return }
      try enter(entry, chunkFile: number, into: &batch)
    }
    damage += scan.damage.map { "\(path): \($0)" }
    guard let found = scan.identity, found.id == identity?.id, scan.fileNumber == number else {
      damage.append("\(path) does not belong to this recording, or not in this place.")
      return
    }
    if let waiting { try index.insert(waiting) }
    chunkFileCount += 1
    batch.chunkFile = (number, try FileSource(path: path).byteCount ?? 0)
    batch.clockOffsets = clocks?.offsetsNanoseconds ?? []
    waiting = batch
  }

  /// Enters what ends with the recording, and closes the index.
  mutating func finish() throws(RetakeError) {
    if var last = waiting {
      sets?.finish(into: &last)
      try index.insert(last)
    }
    waiting = nil
    try index.markClosed()
    try index.close()
  }

  /// The first file says what recording this is.
  private mutating func belongs(_ scan: ChunkFileScan.Report, number: Int) throws(RetakeError) -> Bool {
    guard let found = scan.identity, scan.fileNumber == number else { return false }
    if identity == nil {
      identity = found
      streams = scan.streams
      sets = FrameSetBuilder(streams: streams)
      clocks = StreamClocks(streams: streams)
      frameCounts = streams.map { _ in 0 }
      try index.insert(found, streams: streams)
    }
    return found.id == identity?.id && scan.streams == streams
  }

  private mutating func enter(_ entry: ChunkFileScan.Entry, chunkFile: Int, into batch: inout IndexBatch)
    throws(RetakeError)
  {
    switch entry {
    case .frame(let message, let payload, let stream, let place):
      guard message.number >= frameCounts[stream] else {
        throw RetakeError(.corrupt, "frame \(message.number) of '\(streams[stream].name)' comes twice")
      }
      try verifier.verify(message, payload)
      frameCounts[stream] = message.number + 1
      let times = message.timestamps
      _ = clocks?.hostTime(stream: stream, tick: times.unwrappedTick, arrival: times.arrival)
      batch.frames.append(FrameRow(message, stream: stream, chunkFile: chunkFile, place: place))
      sets?.add(
        stream: stream, number: message.number, time: times.presentation, flags: message.flags, to: &batch)
    case .faces(let faces): batch.faces.append(faces)
    case .event(let event):
      guard event.stream < streams.count else { throw RetakeError(.corrupt, "an event names no stream") }
      batch.events.append(event)
    }
  }
}
