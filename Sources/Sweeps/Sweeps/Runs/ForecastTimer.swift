import FrameModel
import MattePipeline
import Parameters
import Replay
import Support

/// Estimates the duration of batches from the first frames of one.
enum ForecastTimer {
  private static let frameCount = 8
  private static let secondLimit = 3.0

  /// - Parameters:
  ///   - frameCount: frames that each batch plays.
  ///   - make: creates a batch, which is discarded after timing.
  static func seconds(
    _ plan: BatchPlan, frameCount: Int, make: ([DistinctMatte]) throws(RetakeError) -> SweepBatch
  ) throws(RetakeError) -> Double {
    guard let first = plan.batches.first else { return 0 }
    let batch = try make(first)
    defer { batch.finish() }
    // Not timed: the first frame fills the look-ahead and touches all memory for the first time.
    guard batch.step() != nil else { return 0 }
    var (frames, each, before) = (Frames(), [Double](), 0.0)
    while frames.count < Self.frameCount, frames.seconds < Self.secondLimit, batch.step() != nil {
      frames.add()
      each.append(frames.seconds - before)
      before = frames.seconds
    }
    guard !each.isEmpty else { return 0 }
    // The middle one: another program that works for a moment makes some of the frames take many times as long.
    let middle = each.sorted()[(each.count - 1) / 2]
    let share = Double(plan.batches.reduce(0) { $0 + $1.count }) / Double(max(1, first.count))
    return middle * Double(frameCount) * share
  }

  /// Frames and the time since the first of them began. Decides about speed only, never about results.
  struct Frames {
    private let start = MonotonicTime.now().nanoseconds
    private(set) var count = 0
    private(set) var seconds = 0.0

    mutating func add() {
      count += 1
      seconds = Double(MonotonicTime.now().nanoseconds - start) / 1e9
    }
  }
}

extension BatchPlan {
  /// Stage counts over all batches. Mattes in one group share stages even across batches.
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
