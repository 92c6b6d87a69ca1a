import ChunkFormat
import Foundation
import FrameModel
import Support

/// How a recording is written.
package struct RecorderOptions: Hashable, Sendable {
  /// A chunk file ends after so much time or so many bytes, whichever comes first: what a power cut can cost.
  package var chunkFileNanoseconds: Int64 = 2_000_000_000
  package var chunkFileByteCount = 64 << 20
  /// Threads that encode. They change how fast frames are encoded and nothing else.
  package var encoderThreadCount = min(max(2, ProcessInfo.processInfo.activeProcessorCount), 8)
  /// What live devices gave waits in memory until it is written: so many bytes and so long at most. Then frames are dropped.
  /// A killed recorder loses what waits.
  package var waitingByteCount = Int(min(1 << 30, ProcessInfo.processInfo.physicalMemory / 8))
  package var waitingNanoseconds: Int64 = 1_000_000_000
  /// Frames that wait for an encoder at most, over all streams. Nil: as many as the limits above allow.
  package var queueLimit: Int?
  /// The recording ends cleanly before the disk has less than this free. Nil: 1 GiB, or 5 % of a smaller disk.
  package var keepFreeByteCount: Int?
  /// Frames from this time on are not recorded; when every stream has come so far, the recording is complete. Nil: no end.
  package var durationNanoseconds: Int64?
  /// The recording ends before its chunk files are larger than this. Nil: no end.
  package var largestByteCount: Int?
  /// Only what is near a mark is kept. Nil: everything.
  package var markWindow: MarkWindowOptions?
  /// Where the session is cut into several recordings. Nil: it is one.
  package var split: SplitOptions?
  /// Each chunk file is on the disk before the next is begun: slower, and the same order of disk operations every time.
  package var waitsForDisk = false
  /// Unix time at presentation time 0. Nil: the clock is asked. Sources with no clock of their own time give 0, so that
  /// equal input makes equal recordings.
  package var wallClockNanoseconds: Int64?
  /// 32 hexadecimal digits. Nil: random.
  package var id: String?

  package init() {}

  /// For sources without a clock: no time and no random id of this run is stored, so that equal input gives equal files.
  package mutating func makeReproducible(_ streams: [StreamDescription], wallClockNanoseconds: Int64 = 0) {
    self.wallClockNanoseconds = wallClockNanoseconds
    id = RecordingIdentity.id(of: streams)
  }

  /// What the end of a chunk file takes at most, beside its frames.
  static let endingByteCount = 64 << 10

  func floorByteCount(_ diskByteCount: Int) -> Int { keepFreeByteCount ?? min(1 << 30, diskByteCount / 20) }
}

/// What became of the frames that faces were looked for in.
package struct FaceCounts: Hashable, Sendable {
  package var lookedCount = 0
  package var faceFrameCount = 0
  /// The detector did not come to look at them.
  package var skippedCount = 0

  package init() {}

  package mutating func note(_ message: FacesMessage) {
    if message.isSkipped { skippedCount += 1 } else { lookedCount += 1 }
    if !message.faces.isEmpty { faceFrameCount += 1 }
  }
}

/// How a recording stands, or how it ended.
package struct RecorderStatus: Hashable, Sendable {
  /// Frames written of each stream.
  package var frameCounts: [Int]
  /// Frames of each stream that the camera saw and the recording lacks, by stage.
  package var dropped: [FrameEvent.Stage: [Int]]
  /// Bytes of frames before and after encoding.
  package var rawByteCount = 0
  package var storedByteCount = 0
  /// Time of the latest frame.
  package var presentation = PresentationTime(nanoseconds: 0)
  package var markCount = 0
  package var faces = FaceCounts()
  /// Who looks for faces beside the recording; nil where nobody does.
  package var faceDetector: String?
  /// Why it no longer does: the frames since are marked as skipped, and the recording goes on.
  package var faceFailure: RetakeError?
  /// It has come to its largest size.
  package var isFull = false
  package var queueDepth = 0
  /// Streams that have come to the end of the duration.
  package var endedStreams: Set<Int> = []
  package var freeByteCount: Int?
  /// The recordings made, in order: one, or more where the session was split.
  package var folders: [RecordingFolder] = []
  /// Why the recording ended before it was asked to: what was written until then is kept.
  package var failure: RetakeError?

  init(streamCount: Int) {
    let zeros = Array(repeating: 0, count: streamCount)
    frameCounts = zeros
    dropped = Dictionary(uniqueKeysWithValues: FrameEvent.Stage.allCases.map { ($0, zeros) })
  }

  /// Adds what another part of the same session says.
  mutating func add(_ other: RecorderStatus) {
    for stream in frameCounts.indices { frameCounts[stream] += other.frameCounts[stream] }
    for (stage, counts) in other.dropped {
      for stream in counts.indices { dropped[stage]![stream] += counts[stream] }
    }
    rawByteCount += other.rawByteCount
    storedByteCount += other.storedByteCount
    markCount += other.markCount
    faces.lookedCount += other.faces.lookedCount
    faces.faceFrameCount += other.faces.faceFrameCount
    faces.skippedCount += other.faces.skippedCount
    presentation = max(presentation, other.presentation)
  }

  /// What the writer of frames knows, with what the files say now.
  func updated(with files: RecorderStatus) -> RecorderStatus {
    var all = files
    all.presentation = presentation
    all.endedStreams = endedStreams
    all.faceDetector = faceDetector
    all.faceFailure = faceFailure
    return all
  }

  package var droppedCount: Int { dropped.values.reduce(0) { $0 + $1.reduce(0, +) } }

  mutating func note(_ event: FrameEvent) {
    if event.isLoss { dropped[event.stage]![event.stream] += event.count }
  }
}
