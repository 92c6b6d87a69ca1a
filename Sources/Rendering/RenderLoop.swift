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

  /// - Parameters:
  ///   - isDue: called before each frame, and may take its time; false ends the replay before that frame.
  ///   - progress: called after each frame with the number done; false ends the replay early.
  /// - Throws: the first error. Outputs that have not failed are ended all the same.
  package func run(
    isDue: (FrameSet) -> Bool = { _ in true }, progress: (Int) -> Bool = { _ in true }
  ) throws(RetakeError) -> Result {
    do throws(RetakeError) {
      let result = try takeAll(isDue, progress)
      try outputs.finish()
      return result
    } catch {
      try? outputs.finish()
      throw error
    }
  }

  private func takeAll(_ isDue: (FrameSet) -> Bool, _ progress: (Int) -> Bool) throws(RetakeError) -> Result {
    var skipped = 0
    // Without the frame that was waiting when the replay was ended.
    var counts = cursor.counts
    while let frames = try cursor.next() {
      guard isDue(frames) else { break }
      counts = cursor.counts
      try take(try pipeline.process(frames), &skipped)
      guard progress(counts.video) else { break }
    }
    drain: while true {
      let result = try pipeline.drain()
      if case .waiting = result { break drain }
      try take(result, &skipped)
    }
    return Result(counts: counts, skipped: skipped)
  }

  private func take(_ result: PipelineResult, _ skipped: inout Int) throws(RetakeError) {
    switch result {
    case .output(let output): try outputs.take(output)
    case .skipped: skipped += 1
    case .waiting: break
    }
  }
}
