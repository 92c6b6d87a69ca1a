import FrameModel
import Support

extension ReplaySession {
  package struct Played {
    package var rendered: RenderLoop.Result
    package var lateness: ReplayPacer.Lateness
    /// Whether playback was paced at any time, rather than as fast as possible.
    package var wasTimed: Bool
    package var seconds: Double
  }

  /// Plays the recording at the speed of the controls; call once.
  /// - Parameter progress: called after each frame with number and time of the last one read, and
  ///   the number of frame sets so far, including those that a fault left out.
  /// - Throws: the first error.
  package func play(
    _ outputs: RenderOutputs, _ controls: PlayControls,
    progress: (_ number: Int, _ presentation: PresentationTime, _ playedCount: Int) -> Void
  ) throws(RetakeError) -> Played {
    let order = request.order
    let pacer = ReplayPacer(
      controls, clock: HostPlayClock(), periodNanoseconds: ReplayPacer.periodNanoseconds(of: rate, every: order.every),
      isReversed: order.isReversed)
    let start = MonotonicTime.now()
    var shown: (number: Int, presentation: PresentationTime) = (0, PresentationTime(nanoseconds: 0))
    let rendered = try run(
      outputs,
      progress: { playedCount in
        progress(shown.number, shown.presentation, playedCount)
        return true
      },
      isDue: { frames in
        shown = (frames.index, frames.color.timestamps.presentation)
        return pacer.wait(for: shown.presentation)
      })
    return Played(
      rendered: rendered, lateness: pacer.lateness, wasTimed: controls.state.wasTimed,
      seconds: Double(MonotonicTime.now().nanoseconds - start.nanoseconds) / 1e9)
  }
}
