import FrameModel
import Replay
import Synchronization

/// The status line of `replay` on a terminal: a bar at full speed, else the picture and the speed.
final class ReplayLine: Sendable {
  private struct Shown {
    var number = 0
    var seconds = 0.0
    var playedCount = 0
    var lastDraw: Int64 = 0
  }

  private let controls: PlayControls
  private let total: Int?
  private let start: PresentationTime
  private let isShown: Bool
  private let shown = Mutex(Shown())
  private static let intervalNanoseconds: Int64 = 100_000_000

  /// - Parameters:
  ///   - total: number of pictures; nil for an endless replay.
  ///   - start: the recording's first frame, from which times count.
  init(_ controls: PlayControls, total: Int?, start: PresentationTime, isQuiet: Bool) {
    self.start = start
    self.controls = controls
    self.total = total
    isShown = Terminal.redraws && !isQuiet
  }

  /// Whether the line shows the play state; otherwise it is a progress bar.
  private func isTimed(_ state: PlayControls.State) -> Bool {
    state.speed != nil || state.isPaused || total == nil
  }

  /// - Parameter playedCount: frame sets so far, including those that a fault left out.
  func update(_ number: Int, _ presentation: PresentationTime, playedCount: Int, bar: ProgressBar) {
    guard isShown else { return }
    let state = controls.state
    let isDue = shown.withLock { shown in
      shown.number = number
      shown.seconds = Double(presentation.nanoseconds - start.nanoseconds) / 1e9
      shown.playedCount = playedCount
      let now = MonotonicTime.now().nanoseconds
      // A pause always shows its picture's number.
      let isDue = state.isPaused || now - shown.lastDraw >= Self.intervalNanoseconds
      if isDue { shown.lastDraw = now }
      return isDue
    }
    if !isTimed(state) { bar.update(playedCount, of: total ?? 0) } else if isDue { draw() }
  }

  /// Call after a key.
  func redraw() { if isShown && isTimed(controls.state) { draw() } }

  private func draw() {
    let shown = shown.withLock { $0 }
    let state = controls.state
    let count = total.map { "\(shown.playedCount)/\($0)" } ?? "\(shown.playedCount)"
    let speed = state.speed?.description ?? "as fast as possible"
    Terminal.redraw(
      "replay \(state.isPaused ? "❚❚" : "▶ ") \(count)  frame \(shown.number)  "
        + "\(Format.decimals(shown.seconds, 3)) s  \(speed)\(state.isPaused ? "  paused" : "")")
  }

  func end() { if isShown { Terminal.endLine() } }
}
