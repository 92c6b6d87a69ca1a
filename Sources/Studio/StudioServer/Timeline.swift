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
  /// Of more than can be shown, the longest. Where streams begin again one frame set apart it is one gap, before the
  /// later set: the earlier one is not whole.
  private func gaps() throws(RetakeError) -> [JSONObject] {
    var found: [Gap] = []
    for event in try recording.largestGaps(limit: Self.gapLimit) where recording.streams.indices.contains(event.stream)
    {
      let frame = try recording.firstFrameSet(from: event.presentation) + firstNumber
      let seconds = Double(event.count) / recording.streams[event.stream].rate.framesPerSecond
      found.append(
        Gap(
          frame: frame, isWanted: event.reason == .notKept, seconds: seconds, frameCount: event.count,
          streams: [event.stream]))
    }
    found.sort { ($0.isWanted ? 1 : 0, $0.frame) < ($1.isWanted ? 1 : 0, $1.frame) }
    var joined: [Gap] = []
    for gap in found {
      if let last = joined.last, last.isOne(with: gap) {
        joined[joined.count - 1].join(gap)
      } else {
        joined.append(gap)
      }
    }
    return joined.sorted { ($0.frame, $0.isWanted ? 1 : 0) < ($1.frame, $1.isWanted ? 1 : 0) }.map {
      JSONObject(["frame": $0.frame, "seconds": $0.seconds, "frames": $0.frameCount, "isWanted": $0.isWanted])
    }
  }

  private struct Gap {
    var frame: Int
    var isWanted: Bool
    var seconds: Double
    var frameCount: Int
    var streams: Set<Int>

    /// - Parameter next: at the same frame set or a later one.
    func isOne(with next: Gap) -> Bool {
      isWanted == next.isWanted
        && (frame == next.frame || frame + 1 == next.frame && streams.isDisjoint(with: next.streams))
    }

    mutating func join(_ next: Gap) {
      frame = next.frame
      (seconds, frameCount) = (max(seconds, next.seconds), max(frameCount, next.frameCount))
      streams.formUnion(next.streams)
    }
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
