import FrameModel
import LiveSessions
import RecordingStore
import Support

struct LiveReport {
  let streams: [StreamDescription]
  let counts: LiveFrameSets.Counts
  let statistics: LiveStatistics

  private var lost: Int { counts.lost.reduce(0, +) }
  private var leftOut: Int { counts.droppedSets + statistics.leftOut }

  /// "lost 0  left out 3  29.9 fps  latency 12 ms, 99 %: 31 ms  shown 300": narrow terminals cut the end off.
  var line: String {
    let latency = statistics.recentLatency.map {
      "  latency \(Self.milliseconds($0.medianNanoseconds)), 99 %: \(Self.milliseconds($0.ninetyNinthNanoseconds))"
    }
    let thinned = counts.thinnedSets > 0 ? "  thinned \(counts.thinnedSets)" : ""
    let skipped = statistics.skipped > 0 ? "  without mask \(statistics.skipped)" : ""
    return "lost \(lost)  left out \(leftOut)  \(Format.decimals(statistics.framesPerSecond, 1)) fps\(latency ?? "")"
      + "  shown \(statistics.shown)\(thinned)\(skipped)"
  }

  func sentence(seconds: Double) -> String {
    let rate = Format.decimals(Double(statistics.shown) / max(seconds, 1e-9), 1)
    var text = "\(Format.counted(statistics.shown, "frame")) shown in \(Format.seconds(seconds)), \(rate) a second"
    if let latency = statistics.latency {
      text += "; from camera to output \(Self.milliseconds(latency.medianNanoseconds)), "
      text += "99 % within \(Self.milliseconds(latency.ninetyNinthNanoseconds))"
    }
    text += "; \(leftOut) left out, \(lost) lost by the camera"
    if counts.thinnedSets > 0 { text += ", \(counts.thinnedSets) beyond --max-fps" }
    if statistics.skipped > 0 { text += ", \(statistics.skipped) without a mask" }
    if statistics.failed > 0 { text += ", \(statistics.failed) not whole" }
    return text + "."
  }

  func json(seconds: Double, withoutTapCount: Int, recordings: [String]) -> JSONObject {
    JSONObject([
      "seconds": seconds,
      "frame_sets": counts.sets,
      "shown": statistics.shown,
      "frames_per_second": Double(statistics.shown) / max(seconds, 1e-9),
      "latency_median_ms": statistics.latency.map { Double($0.medianNanoseconds) / 1e6 },
      "latency_99_ms": statistics.latency.map { Double($0.ninetyNinthNanoseconds) / 1e6 },
      "left_out": leftOut,
      "thinned": counts.thinnedSets,
      "skipped": statistics.skipped,
      "without_tap": withoutTapCount,
      "failed": statistics.failed,
      "depth_delivered": statistics.depthDelivered,
      "depth_missing": counts.depthMissing,
      "streams": streams.indices.map { stream in
        JSONObject([
          "name": streams[stream].name,
          "frames": counts.frames[stream],
          "lost": counts.lost[stream],
        ])
      },
      "recordings": recordings,
    ])
  }

  private static func milliseconds(_ nanoseconds: Int64) -> String {
    let value = Double(nanoseconds) / 1e6
    return "\(Format.decimals(value, value < 10 ? 1 : 0)) ms"
  }
}

/// The status line of `live`: drawn once a second, and at once when a camera goes or returns.
final class LiveRateLine {
  private let isShown: Bool
  private var lastDraw: Int64 = 0
  private var lastAway: [String] = []
  private static let intervalNanoseconds: Int64 = 1_000_000_000

  init(isShown: Bool) { self.isShown = isShown }

  func update(_ report: @autoclosure () -> LiveReport, away: [String], recorder: RecorderStatus?) {
    guard isShown else { return }
    let now = MonotonicTime.now().nanoseconds
    guard now - lastDraw >= Self.intervalNanoseconds || away != lastAway else { return }
    (lastDraw, lastAway) = (now, away)
    let gone = away.map { "\($0) away  " }.joined()
    let recording = recorder.map { "  ● \(Format.bytes($0.storedByteCount)), drops \($0.droppedCount)" } ?? ""
    Terminal.redraw("\(gone)\(report().line)\(recording)")
  }

  func end() { if isShown && lastDraw > 0 { Terminal.endLine() } }
}
