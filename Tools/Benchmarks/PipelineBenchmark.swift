import FrameModel
import MattePipeline
import RecordingStore
import Replay

/// The preset's time for each frame, by threads; frames are decoded beforehand.
enum PipelineBenchmark {
  static func run(_ recording: Recording) throws {
    let cursor = try ReplayCursor(recording, schedule: DepthSchedule(rate: .one), frames: 0..<30)
    var sets: [FrameSet] = []
    while let frames = try cursor.next() { sets.append(frames) }
    let parameters = try Preset.all[0].parameters(ReplayParameters.all + PipelineParameters.all)
    guard let color = recording.firstStream(.color), let depth = recording.firstStream(.depth) else { return }
    let format = try PipelineFormat(color: recording.streams[color].layout, depth: recording.streams[depth].layout)
    for threads in [1, 2] {
      let pipeline = try MattePipeline(format, parameters: parameters, threadCount: threads)
      var times: [Double] = []
      for _ in 0..<7 {
        let start = MonotonicTime.now()
        for frames in sets { _ = try pipeline.process(frames) }
        times.append(Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e6 / Double(sets.count))
      }
      print(
        "  \(Preset.all[0].name) \(size: recording.streams[depth].layout) to \(size: format.color), \(threads) thread(s): "
          + "\(Stopwatch.text(Stopwatch.median(times))) ms a frame")
    }
  }
}

extension String.StringInterpolation {
  fileprivate mutating func appendInterpolation(size layout: FrameLayout) {
    appendLiteral("\(layout.width)x\(layout.height)")
  }
}
