import ChunkFormat
import Foundation
import FrameModel
import Support

package struct RecorderOptions: Hashable, Sendable {
  /// A chunk file ends at this age or size, whichever comes first. A power cut loses at most the
  /// open file.
  package var chunkFileNanoseconds: Int64 = 2_000_000_000
  package var chunkFileByteCount = 64 << 20
  /// Number of encoder threads. Affects speed only, not the encoded bytes.
  package var encoderThreadCount = min(max(2, ProcessInfo.processInfo.activeProcessorCount), 8)
  /// Limits, in bytes and in age, on live frames in memory that no file holds yet. Beyond either,
  /// frames are dropped. A killed recorder loses these frames.
  package var waitingByteCount = Int(min(1 << 30, ProcessInfo.processInfo.physicalMemory / 8))
  package var waitingNanoseconds: Int64 = 1_000_000_000
  /// Maximum number of queued frames over all streams. Nil: bounded by the two limits above only.
  package var queueLimit: Int?
  /// Free disk space, in bytes, below which the recording ends cleanly; at least `indexByteCount`.
  /// Nil: 1 GiB, or 5 % of a smaller disk.
  package var keepFreeByteCount: Int?
  /// Frames at or after this presentation time are not recorded. The recording is complete when
  /// every stream has reached it. Nil: no end.
  package var durationNanoseconds: Int64?
  /// Total size of the chunk files, in bytes, before which the recording ends. Nil: no limit.
  package var largestByteCount: Int?
  /// Keeps only frames near a mark. Nil: keeps everything.
  package var markWindow: MarkWindowOptions?
  package var split: SplitOptions?
  /// Removes the oldest chunk files. Not together with `markWindow`, `split` or `largestByteCount`.
  package var ring: RingOptions?
  /// Syncs each chunk file to disk before the next is opened. Slower, but the order of disk
  /// operations is deterministic.
  package var waitsForDisk = false
  /// Unix time at presentation time 0. Nil: read from the system clock. Sources without their own
  /// clock pass 0, so that equal input makes equal recordings.
  package var wallClockNanoseconds: Int64?
  /// 32 hexadecimal digits. Nil: random.
  package var id: String?

  package init() {}

  /// Stores no wall clock time and no random id, so that equal input gives equal files. For sources
  /// without a clock.
  package mutating func makeReproducible(_ streams: [StreamDescription], wallClockNanoseconds: Int64 = 0) {
    self.wallClockNanoseconds = wallClockNanoseconds
    id = RecordingIdentity.id(of: streams)
  }

  /// Upper bound of the bytes that a chunk file needs after its last frame.
  static let endingByteCount = 64 << 10

  /// Always left free, so that the index can take the last chunk file's rows and the losses after it: about 1 kB
  /// for each frame, most of it in its log.
  static let indexByteCount = 1 << 20

  /// What is free besides before a frame set: as much as it may take, what waits to be written before it and after each of
  /// its frames, and the end of the file.
  func roomByteCount(_ streams: [StreamDescription]) -> Int {
    let frames = streams.reduce(0) { sum, stream in
      // The largest that a JPEG may be is many times what it is.
      sum
        + min(
          stream.layout.byteCount, stream.layout.format == .jpeg ? stream.layout.width * stream.layout.height : .max)
    }
    return frames + (streams.count + 1) * ChunkFileWriter<PartialFile>.chunkByteCountTarget + Self.endingByteCount
  }

  /// Bytes that a recording leaves free, of a disk of this size.
  package func floorByteCount(_ diskByteCount: Int) -> Int {
    max(keepFreeByteCount ?? min(1 << 30, diskByteCount / 20), Self.indexByteCount)
  }
}

package struct FaceCounts: Hashable, Sendable {
  package var lookedCount = 0
  package var faceFrameCount = 0
  /// Frames the detector had no time for.
  package var skippedCount = 0

  package init() {}

  package mutating func note(_ message: FacesMessage) {
    if message.isSkipped { skippedCount += 1 } else { lookedCount += 1 }
    if !message.faces.isEmpty { faceFrameCount += 1 }
  }
}

package struct RecorderStatus: Hashable, Sendable {
  package var frameCounts: [Int]
  /// Frames that the camera captured and the recording lacks, by stage and stream.
  package var dropped: [FrameEvent.Stage: [Int]]
  /// Frames that are kept, but incomplete.
  package var damagedCount = 0
  package var rawByteCount = 0
  package var storedByteCount = 0
  package var presentation = PresentationTime(nanoseconds: 0)
  package var markCount = 0
  package var faces = FaceCounts()
  package var faceDetector: String?
  /// Why face detection stopped. Later frames are marked as skipped, and the recording continues.
  package var faceFailure: RetakeError?
  /// Whether the recording has reached `largestByteCount`, or what must stay free of the disk, or marks keep all of a
  /// ring.
  package var isFull = false
  /// By stream, frames that a ring removed, as it should. Empty without a ring.
  package var removedFrameCounts: [Int] = []
  package var queueDepth = 0
  package var endedStreams: Set<Int> = []
  package var freeByteCount: Int?
  /// The recordings made, in order: one, or more where the session was split.
  package var folders: [RecordingFolder] = []
  /// Why the recording ended early. Everything written until then is kept.
  package var failure: RetakeError?

  init(streamCount: Int) {
    let zeros = Array(repeating: 0, count: streamCount)
    frameCounts = zeros
    dropped = Dictionary(uniqueKeysWithValues: FrameEvent.Stage.allCases.map { ($0, zeros) })
  }

  mutating func add(_ other: RecorderStatus) {
    for stream in frameCounts.indices { frameCounts[stream] += other.frameCounts[stream] }
    for (stage, counts) in other.dropped {
      for stream in counts.indices { dropped[stage]![stream] += counts[stream] }
    }
    damagedCount += other.damagedCount
    rawByteCount += other.rawByteCount
    storedByteCount += other.storedByteCount
    markCount += other.markCount
    faces.lookedCount += other.faces.lookedCount
    faces.faceFrameCount += other.faces.faceFrameCount
    faces.skippedCount += other.faces.skippedCount
    presentation = max(presentation, other.presentation)
  }

  /// Combines this status, kept by the frame writer, with `files`, kept by the file writer.
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
    if event.reason == .damaged { damagedCount += event.count }
  }
}
