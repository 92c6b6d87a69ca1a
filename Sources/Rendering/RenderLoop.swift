import FrameModel
import MattePipeline
import Replay

/// Pulls frame sets out of a recording, through the pipeline, into sinks.
package struct RenderLoop {
  package struct Result: Hashable, Sendable {
    package var counts: ReplayCursor.Counts
    /// Frames that came before the first depth and so gave no output.
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
      if let output = try pipeline.process(frames) {
        for sink in sinks { try sink.take(output) }
      } else {
        skipped += 1
      }
      guard progress(cursor.counts.video) else { break }
    }
    for sink in sinks { try sink.finish() }
    return Result(counts: cursor.counts, skipped: skipped)
  }
}
