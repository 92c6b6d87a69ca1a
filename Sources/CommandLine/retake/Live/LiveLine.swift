import FrameModel
import RecordingStore

/// The status line of a recorder: missing devices, time, frames, drops, rate, queue, free space.
final class LiveLine {
  private let streams: [StreamDescription]
  private let isShown: Bool
  private let waitsForMarks: Bool
  private let leavesRow: Bool
  private var lastDraw: Int64 = 0
  private var lastBytes = 0
  private var isWriting = false
  private var rate = 0.0
  private static let intervalNanoseconds: Int64 = 200_000_000

  /// - Parameter leavesRow: whether the row below is kept free for typing labels of marks.
  init(_ streams: [StreamDescription], isShown: Bool, waitsForMarks: Bool, leavesRow: Bool) {
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
    draw(status, away.map { "\($0.name) away for \(Self.span(now - $0.since.nanoseconds))  " }.joined())
  }

  func end(_ status: RecorderStatus) {
    guard isShown else { return }
    draw(status)
    Terminal.endLine()
  }

  /// "7 s", "12 min".
  private static func span(_ nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    return seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
  }

  private func draw(_ status: RecorderStatus, _ away: String = "") {
    let frames = Format.counts(streams, status.frameCounts, separator: " ")
    let faces = status.faceDetector == nil ? "" : "  faces \(status.faces.faceFrameCount)"
    let free = status.freeByteCount.map { "  free \(Format.bytes($0))" } ?? ""
    let state = waitsForMarks && !isWriting ? "○ waiting for a mark " : "●"
    Terminal.redraw(
      "\(state) \(away)\(Format.seconds(status.presentation.seconds))  \(frames)\(faces)  drops \(status.droppedCount)  "
        + "\(Format.bytes(Int(max(0, rate))))/s  queue \(status.queueDepth)\(free)", leavesRow: leavesRow)
  }
}
