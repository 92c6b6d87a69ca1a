import FrameModel
import MattePipeline
import Support

/// Reads frame sets from a recording, processes them in the pipeline, and passes the results to the
/// outputs.
package struct RenderLoop {
  package struct Result: Hashable, Sendable {
    package var counts: ReplayCounts
    /// Frames without output: before the first depth frame, or without a mask.
    package var skipped: Int
  }

  private let cursor: ReplayCursor
  private let pipeline: MattePipeline
  private let outputs: RenderOutputs
  private let beginAnew: (MattePipeline) throws(RetakeError) -> Void

  /// - Parameter beginAnew: resets the pipeline to its state before the first frame. Called between
  ///   passes, so that each gives the same bits.
  package init(
    _ cursor: ReplayCursor, _ pipeline: MattePipeline, outputs: RenderOutputs,
    beginAnew: @escaping (MattePipeline) throws(RetakeError) -> Void = { pipeline throws(RetakeError) in
      try pipeline.prepare(pipeline.format)
    }
  ) {
    self.cursor = cursor
    self.pipeline = pipeline
    self.outputs = outputs
    self.beginAnew = beginAnew
  }

  /// - Parameters:
  ///   - progress: called after each frame with the number of frame sets played so far, over all
  ///     passes; false ends the replay early.
  ///   - isDue: called before each frame, and may block; false ends the replay before that frame.
  /// - Throws: the first error. Outputs are then abandoned, since their content is incomplete.
  package func run(
    progress: (Int) -> Bool = { _ in true }, isDue: (FrameSet) -> Bool = { _ in true }
  ) throws(RetakeError) -> Result {
    do throws(RetakeError) {
      let result = try takeAll(isDue, progress)
      try outputs.finish()
      return result
    } catch {
      outputs.abandon()
      throw error
    }
  }

  private func takeAll(_ isDue: (FrameSet) -> Bool, _ progress: (Int) -> Bool) throws(RetakeError) -> Result {
    var skipped = 0
    var pass = cursor.pass
    // Copied per frame, so that a frame read but not played at an early end is not counted.
    var counts = cursor.counts
    while true {
      guard let frames = try cursor.next() else {
        counts = cursor.counts
        break
      }
      if cursor.pass != pass {
        try drain(&skipped)
        try beginAnew(pipeline)
        pass = cursor.pass
      }
      guard isDue(frames) else { break }
      counts = cursor.counts
      try take(try pipeline.process(frames), &skipped)
      guard progress(counts.played) else { break }
    }
    try drain(&skipped)
    return Result(counts: counts, skipped: skipped)
  }

  private func drain(_ skipped: inout Int) throws(RetakeError) {
    while true {
      let result = try pipeline.drain()
      if case .waiting = result { return }
      try take(result, &skipped)
    }
  }

  private func take(_ result: PipelineResult, _ skipped: inout Int) throws(RetakeError) {
    switch result {
    case .output(let output): try outputs.take(output)
    case .skipped: skipped += 1
    case .waiting: break
    }
  }
}
