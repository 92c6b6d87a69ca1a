import FrameModel
import MattePipeline
import Replay

/// Pulls frame sets out of a recording, through the pipeline, into sinks.
package struct RenderLoop {
  package struct Result: Hashable, Sendable {
    package var counts: ReplayCursor.Counts
    /// Frames that gave no output: before the first depth, or without a mask.
    package var skipped: Int
  }

  private let cursor: ReplayCursor
  private let pipeline: MattePipeline
  private let sinks: [any RenderSink]

  package init(_ cursor: ReplayCursor, _ pipeline: MattePipeline, sinks: [any RenderSink]) {
    self.cursor = cursor
    self.pipeline = pipeline
    self.sinks = sinks
  }

  /// - Parameter progress: called after each frame with the number done; false ends the replay early.
  package func run(progress: (Int) -> Bool = { _ in true }) throws(RetakeError) -> Result {
    var skipped = 0
    while let frames = try cursor.next() {
      try take(try pipeline.process(frames), &skipped)
      guard progress(cursor.counts.video) else { break }
    }
    drain: while true {
      let result = try pipeline.drain()
      if case .waiting = result { break drain }
      try take(result, &skipped)
    }
    for sink in sinks { try sink.finish() }
    return Result(counts: cursor.counts, skipped: skipped)
  }

  private func take(_ result: PipelineResult, _ skipped: inout Int) throws(RetakeError) {
    switch result {
    case .output(let output): for sink in sinks { try sink.take(output) }
    case .skipped: skipped += 1
    case .waiting: break
    }
  }
}
