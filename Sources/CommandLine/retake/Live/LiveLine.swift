import FrameModel
import RecordingStore

/// The status line of a recorder: missing devices, losses, rate, queue, time left on the disk, time, frames.
final class LiveLine {
  private let streams: [StreamDescription]
  private let isShown: Bool
  private let waitsForMarks: Bool
  private let leavesRow: Bool
  private let isBounded: Bool
  private var lastDraw: Int64 = 0
  private var lastBytes = 0
  private var isWriting = false
  private var rate = 0.0
  private static let intervalNanoseconds: Int64 = 200_000_000

  /// - Parameters:
  ///   - leavesRow: whether the row below is kept free for typing labels of marks.
  ///   - isBounded: whether the recording's size is, so that it cannot fill the disk.
  init(_ streams: [StreamDescription], isShown: Bool, waitsForMarks: Bool, leavesRow: Bool, isBounded: Bool = false) {
    self.isBounded = isBounded
    self.streams = streams
    self.isShown = isShown
    self.waitsForMarks = waitsForMarks
    self.leavesRow = leavesRow
  }

  /// - Parameter away: devices that deliver nothing at the moment, and since when.
  func update(_ status: RecorderStatus, away: [(name: String, since: MonotonicTime)]) {
    guard isShown else { return }
    let now = MonotonicTime.now().nanoseconds
    guard now - lastDraw >= Self.intervalNanoseconds else { return }
    if lastDraw > 0 {
      rate = Double(status.storedByteCount - lastBytes) / (Double(now - lastDraw) / 1e9)
    }
    isWriting = status.storedByteCount > lastBytes
    (lastDraw, lastBytes) = (now, status.storedByteCount)
    draw(status, Self.text(away, now))
  }

  func end(_ status: RecorderStatus) {
    guard isShown else { return }
    draw(status)
    Terminal.endLine()
  }

  /// "kinect:0 away for 7 s", or of several cameras their number and the longest time.
  private static func text(_ away: [(name: String, since: MonotonicTime)], _ now: Int64) -> String {
    guard let first = away.map(\.since.nanoseconds).min() else { return "" }
    let who = away.count == 1 ? away[0].name : "\(away.count) cameras"
    return "\(who) away for \(span(now - first))  "
  }

  /// "7 s", "12 min".
  private static func span(_ nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
  }

  /// Narrow terminals cut the end off, so what matters most comes first: 60 columns show losses, rate, queue and disk. An
  /// empty queue makes room for the time.
  private func draw(_ status: RecorderStatus, _ away: String = "") {
    let state = waitsForMarks && !isWriting ? "○ waiting for a mark " : "●"
    let speed = Int(max(0, rate))
    var parts = ["\(state) \(away)\(Self.losses(status))", "\(Format.bytes(speed))/s", "queue \(status.queueDepth)"]
    if let free = status.freeByteCount, !isBounded {
      parts.append(
        speed > 0 ? "disk \(SizeForecast.duration(Double(free) / Double(speed)))" : "free \(Format.bytes(free))")
    }
    parts.append(Format.seconds(status.presentation.seconds))
    if status.queueDepth == 0, parts.joined(separator: "  ").count >= Terminal.errorColumns { parts.remove(at: 2) }
    parts.append(Self.counts(streams, status.frameCounts))
    if status.faceDetector != nil { parts.append("faces \(status.faces.faceFrameCount)") }
    Terminal.redraw(parts.joined(separator: "  "), leavesRow: leavesRow)
  }

  /// "0 lost", or "12 sets lost (encoder)" with the stage that lost most.
  private static func losses(_ status: RecorderStatus) -> String {
    let sets = status.lostSets
    guard let worst = sets.first else { return "0 lost" }
    return "\(Format.counted(sets.reduce(0) { $0 + $1.count }, "set")) lost (\(worst.stage.rawValue))"
  }

  /// Each stream's frames; of many streams only the fewest and the most.
  private static func counts(_ streams: [StreamDescription], _ counts: [Int]) -> String {
    guard streams.count > 3, let least = counts.min(), let most = counts.max() else {
      return Format.counts(streams, counts, separator: " ")
    }
    return "\(streams.count) streams, \(least == most ? "" : "\(least) to ")\(most) frames each"
  }
}
