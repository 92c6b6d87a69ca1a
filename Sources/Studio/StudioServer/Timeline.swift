import FrameModel
import RecordingStore
import Replay
import StudioViews
import Support

/// What a recording has over a span, in as many parts as a page has room for.
struct Timeline: Sendable {
  static let bucketLimits = 1...2000
  /// More frames are told by a sample of their parts.
  private static let frameLimit = 20_000
  /// Frames whose deliveries are listed one by one.
  static let deliveryLimit = 2000
  private static let gapLimit = 500

  let recording: Recording
  let firstNumber: Int

  /// - Parameter frames: numbers of frame sets.
  func parts(_ frames: Range<Int>, bucketCount: Int) throws(RetakeError) -> JSONObject {
    let count = min(bucketCount, frames.count)
    let depth = recording.firstStream(.depth)
    var (faces, depths): ([Double], [Double]) = ([], [])
    let isSampled = frames.count > Self.frameLimit
    let start = frames.lowerBound - firstNumber
    // One query for all buckets where that is not too many rows: one for each of 300 takes 0.1 s.
    let all = isSampled ? [] : try recording.frameSets(start..<start + frames.count)
    for bucket in 0..<count {
      let (first, end) = (frames.count * bucket / count, frames.count * (bucket + 1) / count)
      let sampled = min(end, first + max(1, Self.frameLimit / count))
      let entries =
        isSampled
        ? try recording.frameSets(start + first..<start + sampled)[...] : all.dropFirst(first).prefix(end - first)
      let total = Double(max(1, entries.count))
      faces.append(Double(entries.count { !$0.faces.isEmpty }) / total)
      depths.append(Double(entries.count { entry in depth.map { entry.partner(stream: $0) != nil } ?? false }) / total)
    }
    return JSONObject(["buckets": count, "faces": faces, "depth": depths, "gaps": try gaps()])
  }

  /// Where frames are missing: before which frame set, the most that a stream lacks there, and whether that was wanted.
  /// Of more than can be shown, the longest.
  private func gaps() throws(RetakeError) -> [JSONObject] {
    var found: [Gap: (seconds: Double, frameCount: Int)] = [:]
    for event in try recording.largestGaps(limit: Self.gapLimit) where recording.streams.indices.contains(event.stream)
    {
      let frame = try recording.firstFrameSet(from: event.presentation) + firstNumber
      let gap = Gap(frame: frame, isWanted: event.reason == .notKept)
      let seconds = Double(event.count) / recording.streams[event.stream].rate.framesPerSecond
      let most = found[gap] ?? (0, 0)
      found[gap] = (max(most.seconds, seconds), max(most.frameCount, event.count))
    }
    return found.sorted { ($0.key.frame, $0.key.isWanted ? 1 : 0) < ($1.key.frame, $1.key.isWanted ? 1 : 0) }.map {
      JSONObject([
        "frame": $0.key.frame, "seconds": $0.value.seconds, "frames": $0.value.frameCount,
        "isWanted": $0.key.isWanted,
      ])
    }
  }

  private struct Gap: Hashable {
    var frame: Int
    var isWanted: Bool
  }

  /// Frames at which depth is delivered.
  func deliveries(_ span: ViewSpan, _ setting: ViewSetting) throws(RetakeError) -> JSONObject {
    guard span.frames.count <= Self.deliveryLimit else {
      throw RetakeError(
        .usage, "Deliveries are listed for at most \(Self.deliveryLimit) frames.", hint: "mark a shorter span")
    }
    let plan = ReplayPlan(setting.parameters, firstNumber: firstNumber)
    return JSONObject(["depthNew": try ReplayCursor.depthArrivals(recording, plan, in: span.frames)])
  }
}
