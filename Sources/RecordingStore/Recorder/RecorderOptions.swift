import FrameModel

/// How a recording is written.
package struct RecorderOptions: Hashable, Sendable {
  /// A chunk file ends after so much time or so many bytes, whichever comes first: what a power cut can cost.
  package var chunkFileNanoseconds: Int64 = 2_000_000_000
  package var chunkFileByteCount = 64 << 20
  /// Threads that encode. They change how fast frames are encoded and nothing else.
  package var encoderThreadCount = 2
  /// Frames that wait for the writer at most, over all streams.
  package var queueLimit = 128
  /// The recording ends cleanly before the disk has less than this free. Nil: 1 GiB, or 5 % of a smaller disk.
  package var keepFreeByteCount: Int?
  /// Frames from this time on are not recorded; when every stream has come so far, the recording is complete. Nil: no end.
  package var durationNanoseconds: Int64?
  /// Unix time at presentation time 0. Nil: the clock is asked. Sources with no clock of their own time give 0, so that
  /// equal input makes equal recordings.
  package var wallClockNanoseconds: Int64?
  /// 32 hexadecimal digits. Nil: random.
  package var id: String?

  package init() {}

  func floorByteCount(_ diskByteCount: Int) -> Int { keepFreeByteCount ?? min(1 << 30, diskByteCount / 20) }
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
  package var queueDepth = 0
  /// Streams that have come to the end of the duration.
  package var endedStreams: Set<Int> = []
  package var freeByteCount: Int?
  /// Why the recording ended before it was asked to: what was written until then is kept.
  package var failure: RetakeError?

  init(streamCount: Int) {
    let zeros = Array(repeating: 0, count: streamCount)
    frameCounts = zeros
    dropped = Dictionary(uniqueKeysWithValues: FrameEvent.Stage.allCases.map { ($0, zeros) })
  }

  package var droppedCount: Int { dropped.values.reduce(0) { $0 + $1.reduce(0, +) } }

  mutating func note(_ event: FrameEvent) {
    if event.isLoss { dropped[event.stage]![event.stream] += event.count }
  }
}
