import FrameModel
import MattePipeline
import Parameters
import Replay
import Support

/// How long batches will take, by how long the first frames of one take.
enum ForecastTimer {
  private static let frameCount = 8
  private static let secondLimit = 3.0

  /// - Parameters:
  ///   - frameCount: that a batch plays.
  ///   - make: makes a batch, which is thrown away.
  static func seconds(
    _ plan: BatchPlan, frameCount: Int, make: ([DistinctMatte]) throws(RetakeError) -> SweepBatch
  ) throws(RetakeError) -> Double {
    guard let first = plan.batches.first else { return 0 }
    let batch = try make(first)
    defer { batch.finish() }
    // The first frame waits for look-ahead, and touches all memory for the first time.
    guard batch.step() != nil else { return 0 }
    let start = MonotonicTime.now().nanoseconds
    var elapsed = 0.0
    var count = 0
    while count < Self.frameCount, elapsed < Self.secondLimit, batch.step() != nil {
      count += 1
      elapsed = Double(MonotonicTime.now().nanoseconds - start) / 1e9
    }
    guard count > 0 else { return elapsed }
    let share = Double(plan.batches.reduce(0) { $0 + $1.count }) / Double(max(1, first.count))
    return elapsed / Double(count) * Double(frameCount) * share
  }
}

extension BatchPlan {
  /// Of all batches together: mattes in one group share stages wherever they come.
  func stageCounts(hasDepth: Bool) -> StageCounts {
    var groups: [DistinctMatte.Group: [ParameterSet]] = [:]
    for matte in batches.joined() {
      groups[matte.origin.group(.everything), default: []].append(matte.origin.parameters)
    }
    var counts = StageCounts()
    for settings in groups.values {
      counts += StageCounts(settings, hasDepth: hasDepth, wanted: .matte)
    }
    return counts
  }
}
