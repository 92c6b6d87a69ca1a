import FrameModel
import Replay
import Support

/// Plays a replay with its status line and keys.
struct ReplayPlayer {
  let session: ReplaySession
  /// Of the recording, from which times count.
  let start: PresentationTime
  let controls: PlayControls
  let hasKeys: Bool
  let isQuiet: Bool

  /// - Throws: the first error, after the terminal is restored.
  func play(_ outputs: RenderOutputs) throws(RetakeError) -> ReplaySession.Played {
    let total = session.request.order.passCount.map { session.frameCount * $0 }
    let line = ReplayLine(controls, total: total, start: start, isQuiet: isQuiet)
    if hasKeys && (controls.state.speed != nil || controls.state.isPaused || total == nil) {
      Terminal.say(ReplayKeys.help)
    }
    let keys = hasKeys ? ReplayKeys(controls) { line.redraw() } : nil
    defer {
      keys?.end()
      line.end()
    }
    let bar = ProgressBar("replay", isQuiet: isQuiet)
    return try session.play(outputs, controls) { number, presentation, playedCount in
      line.update(number, presentation, playedCount: playedCount, bar: bar)
    }
  }
}
