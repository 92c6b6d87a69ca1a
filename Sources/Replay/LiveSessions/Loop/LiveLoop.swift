import FrameModel
import MattePipeline
import Replay
import Support

/// Passes frame sets from running cameras through the pipeline to outputs, as `RenderLoop` does for
/// recordings. `statistics` accounts for each set.
package final class LiveLoop {
  private let source: LiveFrameSets
  private let pipeline: MattePipeline
  private let outputs: RenderOutputs
  private let survivesOutputs: Bool
  private let onFailure: (RetakeError) -> Void
  private let hasClock: Bool
  private let clock: () -> MonotonicTime
  package private(set) var statistics = LiveStatistics()
  /// Arrival times of frames that may be held by look-ahead.
  private var arrivals: [(index: Int, time: MonotonicTime)] = []
  private static let arrivalLimit = 64
  /// Limits the wait for a frame, so that `step` returns regularly.
  private static let waitMilliseconds = 50

  /// - Parameters:
  ///   - hasClock: whether arrival times are of this host. Otherwise no latency is reported.
  ///   - survivesOutputs: whether the loop continues without outputs, as during a recording.
  ///   - clock: affects only statistics.
  ///   - onFailure: called for the first damaged frame, and for outputs that fail before the last.
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

  /// Shows the next frame, or waits briefly for one. A damaged frame is left out.
  /// - Returns: false when no more frames will arrive.
  /// - Throws: the last output's error, unless the loop continues; errors of background and
  ///   network.
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
      // Frames that give no output stay in the list until a later frame gives one.
      if arrivals.count == Self.arrivalLimit { arrivals.removeFirst() }
      arrivals.append((frames.index, frames.color.timestamps.arrival))
      if frames.depth != nil { statistics.depthDelivered += 1 }
      _ = try take { () throws(RetakeError) in try pipeline.process(frames) }
      return true
    }
  }

  /// Drains the look-ahead and finishes the outputs. Call after the last step, even if it threw.
  /// - Throws: the first error, after everything has been finished.
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

  /// - Returns: false when the pipeline is waiting for more frames.
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
