import FrameModel
import MattePipeline
import RecordingStore
import Support

/// Takes frame sets of running cameras, through the pipeline, into outputs: what `RenderLoop` does with a recording.
///
/// Every set that it takes is shown, skipped, failed or left out: `statistics` says how many.
package final class LiveLoop {
  private let source: LiveFrameSets
  private let pipeline: MattePipeline
  private let outputs: RenderOutputs
  private let survivesOutputs: Bool
  private let onFailure: (RetakeError) -> Void
  private let hasClock: Bool
  private let clock: () -> MonotonicTime
  package private(set) var statistics = LiveStatistics()
  /// Arrivals of the frames that look-ahead holds.
  private var arrivals: [(index: Int, time: MonotonicTime)] = []
  /// More than look-ahead holds.
  private static let arrivalLimit = 64
  /// The longest wait for a frame, after which whoever runs the loop gets a word.
  private static let waitMilliseconds = 50

  /// - Parameters:
  ///   - hasClock: whether frames arrive at times of this host: otherwise there is no latency.
  ///   - survivesOutputs: whether it goes on when no output is left, because somebody records.
  ///   - clock: only what is reported depends on it.
  ///   - onFailure: called for each output that fails while others, or the loop, go on, and for the first frame that is not
  ///     whole.
  package init(
    _ source: LiveFrameSets, _ pipeline: MattePipeline, outputs: RenderOutputs, hasClock: Bool,
    survivesOutputs: Bool = false, clock: @escaping () -> MonotonicTime = MonotonicTime.now,
    onFailure: @escaping (RetakeError) -> Void = { _ in }
  ) {
    self.source = source
    self.pipeline = pipeline
    self.outputs = outputs
    self.survivesOutputs = survivesOutputs
    self.onFailure = onFailure
    self.hasClock = hasClock
    self.clock = clock
    arrivals.reserveCapacity(Self.arrivalLimit)
  }

  /// Shows the next frame, or waits a little for one. A frame that is not whole is left out, and the next one is shown.
  /// - Returns: false when no more will come.
  /// - Throws: what the last output threw, unless it goes on without; what the background or the network throws.
  package func step() throws(RetakeError) -> Bool {
    defer { statistics.tick(now: clock()) }
    switch source.next(milliseconds: Self.waitMilliseconds) {
    case .nothing: return true
    case .ended: return false
    case .set(let frames):
      guard !outputs.isLost else {
        statistics.leftOut += 1
        return true
      }
      // Frames that give no output leave theirs behind.
      if arrivals.count == Self.arrivalLimit { arrivals.removeFirst() }
      arrivals.append((frames.index, frames.color.timestamps.arrival))
      if frames.depth != nil { statistics.depthDelivered += 1 }
      _ = try take { () throws(RetakeError) in try pipeline.process(frames) }
      return true
    }
  }

  /// After the last step, also when that threw: what look-ahead holds, and the ends of the outputs.
  /// - Throws: the first error, when all that can be ended has been.
  package func finish() throws(RetakeError) {
    var failure: RetakeError?
    var goesOn = true
    while goesOn {
      do throws(RetakeError) {
        goesOn = try take { () throws(RetakeError) in try pipeline.drain() }
      } catch {
        failure = failure ?? error
        goesOn = error.code != .usage
      }
    }
    do throws(RetakeError) { try outputs.finish() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  /// - Returns: false when nothing came of it.
  private func take(_ make: () throws(RetakeError) -> PipelineResult) throws(RetakeError) -> Bool {
    let result: PipelineResult
    do throws(RetakeError) {
      result = try make()
    } catch {
      statistics.failed += 1
      guard error.code == .corrupt else { throw error }
      if statistics.failed == 1 { onFailure(error) }
      return true
    }
    switch result {
    case .output(let output):
      guard try show(output) else {
        statistics.leftOut += 1
        return true
      }
      while let first = arrivals.first, first.index <= output.index {
        if first.index == output.index { statistics.noteShown(arrival: hasClock ? first.time : nil, now: clock()) }
        arrivals.removeFirst()
      }
    case .skipped: statistics.skipped += 1
    case .waiting: return false
    }
    return true
  }

  /// - Returns: false where no output took it.
  private func show(_ output: PipelineOutput) throws(RetakeError) -> Bool {
    guard !outputs.isLost else { return false }
    do throws(RetakeError) {
      try outputs.take(output)
    } catch {
      guard !outputs.isLost || survivesOutputs else {
        statistics.leftOut += 1
        throw error
      }
      onFailure(error)
    }
    return !outputs.isLost
  }
}
