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
  private let outputs: RenderOutputs

  package init(_ cursor: ReplayCursor, _ pipeline: MattePipeline, outputs: RenderOutputs) {
    self.cursor = cursor
    self.pipeline = pipeline
    self.outputs = outputs
  }

  /// - Parameter progress: called after each frame with the number done; false ends the replay early.
  /// - Throws: the first error. Outputs that have not failed are ended all the same.
  package func run(progress: (Int) -> Bool = { _ in true }) throws(RetakeError) -> Result {
    do throws(RetakeError) {
      let skipped = try takeAll(progress)
      try outputs.finish()
      return Result(counts: cursor.counts, skipped: skipped)
    } catch {
      try? outputs.finish()
      throw error
    }
  }

  /// - Returns: how many were skipped.
  private func takeAll(_ progress: (Int) -> Bool) throws(RetakeError) -> Int {
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
    return skipped
  }

  private func take(_ result: PipelineResult, _ skipped: inout Int) throws(RetakeError) {
    switch result {
    case .output(let output): try outputs.take(output)
    case .skipped: skipped += 1
    case .waiting: break
    }
  }
}
