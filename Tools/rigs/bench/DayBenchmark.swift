import FrameModel
import Glibc
import RecordingStore
import Support

/// Records a day-long recording of two streams of tiny frames, then measures queries on it. Neither
/// query times nor the recorder's memory may depend on the recording's length.
enum DayBenchmark {
  private static let seekCount = 2000

  static func run(folder: String, hours: Double) throws {
    let streams = try [
      stream("color", .color, FrameLayout(.grey8, width: 16, height: 12)),
      stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 16, height: 12)),
    ]
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    let recorder = try Recorder(folder: RecordingFolder(path: folder), streams: streams, options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    let buffers = streams.map { FrameBuffer(byteCount: $0.layout.byteCount) }
    let count = Int(hours * 3600 * 30)
    let start = MonotonicTime.now()
    var tenth = 0
    for instant in 0..<count {
      let time = Int64(instant) * 33_333_333
      for stream in streams.indices {
        sink.deliver(
          CapturedFrame(
            streamIndex: stream, layout: streams[stream].layout, buffer: buffers[stream],
            byteCount: streams[stream].layout.byteCount, deviceSequence: UInt64(instant),
            deviceTick: UInt64(time / 1000), arrival: MonotonicTime(nanoseconds: time + 1_000_000_000)))
      }
      if instant == count / 10 { tenth = ProcessUsage.peakResidentByteCount }
    }
    let status = recorder.finish()
    if let failure = status.failure { throw failure }
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    let peak = ProcessUsage.peakResidentByteCount
    print(
      """
        \(status.frameCounts.reduce(0, +)) frames of \(Stopwatch.text(hours)) hours recorded in \
      \(Stopwatch.text(seconds)) s; peak memory \(peak >> 20) MiB, \
      \(Goal.atMost(1.2, Double(peak) / Double(max(1, tenth)))) times that after a tenth of it
      """)
  }

  /// Measures queries that use the index only.
  static func seek(_ recording: Recording) throws {
    let count = try recording.frameSetCount()
    let end = try recording.summary().streams.compactMap(\.lastPresentation).max()!.nanoseconds
    var generator = SeededGenerator(seed: 3)
    try measure("summary", 50, goal: 100) { _ = try recording.summary() }
    try measure("frame set by number", seekCount) {
      let number = generator.next(below: count)
      guard try recording.frameSets(number..<number + 1).count == 1 else {
        throw RetakeError(.corrupt, "A frame set is missing.")
      }
    }
    try measure("frame set by time", seekCount) {
      _ = try recording.firstFrameSet(
        from: PresentationTime(nanoseconds: Int64(generator.next(below: Int(end)))))
    }
    try measure("part by time", 200) {
      let begin = Int64(generator.next(below: Int(end)))
      _ = try? FrameSelection(
        recording, from: PresentationTime(nanoseconds: begin), to: PresentationTime(nanoseconds: begin + 10_000_000_000)
      )
    }
  }

  private static func measure(_ name: String, _ count: Int, goal: Double = 10, _ body: () throws -> Void) throws {
    var times: [Double] = []
    for _ in 0..<count {
      let start = MonotonicTime.now()
      try body()
      times.append(Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e6)
    }
    times.sort()
    print(
      "  \(name), ms: p50 \(Stopwatch.text(times[count / 2])), p99 \(Goal.atMost(goal, times[count * 99 / 100])), max "
        + Stopwatch.text(times[count - 1]))
  }

  private static func stream(_ name: String, _ kind: StreamKind, _ layout: FrameLayout) throws -> StreamDescription {
    StreamDescription(
      name: name, kind: kind, layout: layout, rate: try FrameRate(30), clock: .microseconds, device: "benchmark",
      settings: [])
  }
}
