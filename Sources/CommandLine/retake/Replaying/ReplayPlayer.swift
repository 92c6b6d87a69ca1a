import FrameModel
import Replay
import Support

struct ReplayPlayer {
  struct Result {
    var rendered: RenderLoop.Result
    var lateness: ReplayPacer.Lateness
    /// Whether pictures were paced at any time.
    var wasTimed: Bool
    var seconds: Double
  }

  let session: ReplaySession
  let controls: PlayControls
  let hasKeys: Bool
  let isQuiet: Bool

  /// - Throws: the first error, after the terminal is restored.
  func play(_ outputs: RenderOutputs) throws(RetakeError) -> Result {
    let order = session.request.order
    let total = order.passCount.map { session.frameCount * $0 }
    let line = ReplayLine(controls, total: total, isQuiet: isQuiet)
    let bar = ProgressBar("replay", isQuiet: isQuiet)
    let pacer = ReplayPacer(
      controls, clock: HostPlayClock(),
      periodNanoseconds: ReplayPacer.periodNanoseconds(of: session.rate, every: order.every),
      isReversed: order.isReversed)
    if hasKeys && (controls.state.speed != nil || controls.state.isPaused || total == nil) {
      Terminal.say(ReplayKeys.help)
    }
    let keys = hasKeys ? ReplayKeys(controls) { line.redraw() } : nil
    defer {
      keys?.end()
      line.end()
    }
    let start = MonotonicTime.now()
    var shown: (number: Int, presentation: PresentationTime) = (0, PresentationTime(nanoseconds: 0))
    let rendered = try session.run(
      outputs,
      progress: { playedCount in
        line.update(shown.number, shown.presentation, playedCount: playedCount, bar: bar)
        return true
      },
      isDue: { frames in
        shown = (frames.index, frames.color.timestamps.presentation)
        return pacer.wait(for: shown.presentation)
      })
    let seconds = Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9
    return Result(
      rendered: rendered, lateness: pacer.lateness, wasTimed: controls.state.wasTimed, seconds: seconds)
  }
}
