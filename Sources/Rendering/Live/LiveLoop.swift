import FrameModel
import MattePipeline
import RecordingStore

/// Takes frame sets of running cameras, through the pipeline, into sinks: what `RenderLoop` does with a recording.
package final class LiveLoop {
  private let source: LiveFrameSets
  private let pipeline: MattePipeline
  private let sinks: [any RenderSink]
  private let hasClock: Bool
  private let clock: () -> MonotonicTime
  package private(set) var statistics = LiveStatistics()
  /// Of the frame that was taken last.
  package private(set) var lastPresentation = PresentationTime(nanoseconds: 0)
  /// Arrivals of the frames that look-ahead holds.
  private var arrivals: [(index: Int, time: MonotonicTime)] = []
  /// More than look-ahead holds.
  private static let arrivalLimit = 64
  /// The longest wait for a frame, after which whoever runs the loop gets a word.
  private static let waitMilliseconds = 50

  /// - Parameters:
  ///   - hasClock: whether frames arrive at times of this host: otherwise there is no latency.
  ///   - clock: only what is reported depends on it.
  package init(
    _ source: LiveFrameSets, _ pipeline: MattePipeline, sinks: [any RenderSink], hasClock: Bool,
    clock: @escaping () -> MonotonicTime = MonotonicTime.now
  ) {
    self.source = source
    self.pipeline = pipeline
    self.sinks = sinks
    self.hasClock = hasClock
    self.clock = clock
    arrivals.reserveCapacity(Self.arrivalLimit)
  }

  /// Shows the next frame, or waits a little for one.
  /// - Returns: false when no more will come.
  package func step() throws(RetakeError) -> Bool {
    defer { statistics.tick(now: clock()) }
    switch source.next(milliseconds: Self.waitMilliseconds) {
    case .nothing: return true
    case .ended: return false
    case .set(let frames):
      lastPresentation = frames.color.timestamps.presentation
      // Frames that give no output leave theirs behind.
      if arrivals.count == Self.arrivalLimit { arrivals.removeFirst() }
      arrivals.append((frames.index, frames.color.timestamps.arrival))
      if frames.depth != nil { statistics.depthDelivered += 1 }
      try take(try pipeline.process(frames))
      return true
    }
  }

  /// After the last step: what look-ahead holds, and the ends of the outputs.
  package func finish() throws(RetakeError) {
    while true {
      let result = try pipeline.drain()
      if case .waiting = result { break }
      try take(result)
    }
    for sink in sinks { try sink.finish() }
  }

  private func take(_ result: PipelineResult) throws(RetakeError) {
    switch result {
    case .output(let output):
      for sink in sinks { try sink.take(output) }
      while let first = arrivals.first, first.index <= output.index {
        if first.index == output.index { statistics.noteShown(arrival: hasClock ? first.time : nil, now: clock()) }
        arrivals.removeFirst()
      }
    case .skipped: statistics.skipped += 1
    case .waiting: break
    }
  }
}
