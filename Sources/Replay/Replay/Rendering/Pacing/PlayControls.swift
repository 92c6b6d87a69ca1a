import Synchronization

package enum PlayCommand: Hashable, Sendable {
  case pauseOrResume
  /// Shows one picture, then pauses.
  case step
  case faster, slower
  case end
}

/// Speed and state of a running replay. Keys change it on one thread while another shows pictures.
/// It affects when and how many pictures are shown, never their content.
package final class PlayControls: Sendable {
  package struct State: Hashable, Sendable {
    /// Nil for as fast as possible.
    package var speed: PlaySpeed?
    package var isPaused: Bool
    /// Whether the replay has been paced at any time.
    package var wasTimed: Bool
    /// Pictures to show despite the pause.
    package var stepCount = 0
    package var isEnded = false
  }

  private let current: Mutex<State>
  private let isWished: @Sendable () -> Bool

  /// - Parameter isWished: whether another source, such as a signal, asks for the end.
  package init(
    speed: PlaySpeed? = nil, isPaused: Bool = false, endsWhen isWished: @escaping @Sendable () -> Bool = { false }
  ) {
    current = Mutex(State(speed: speed, isPaused: isPaused, wasTimed: speed != nil))
    self.isWished = isWished
  }

  package var state: State {
    var state = current.withLock { $0 }
    state.isEnded = state.isEnded || isWished()
    return state
  }

  package func take(_ command: PlayCommand) {
    current.withLock { state in
      switch command {
      case .pauseOrResume:
        state.isPaused.toggle()
        state.stepCount = 0
      case .step:
        // At most 2, so that pictures stop soon after a held key is released.
        state.stepCount = state.isPaused ? min(state.stepCount + 1, 2) : 0
        state.isPaused = true
      case .faster: state.speed = PlaySpeed.faster(than: state.speed)
      case .slower: state.speed = PlaySpeed.slower(than: state.speed)
      case .end: state.isEnded = true
      }
      state.wasTimed = state.wasTimed || state.speed != nil
    }
  }

  /// - Returns: whether to show a picture despite the pause. It then counts as shown.
  package func takeStep() -> Bool {
    current.withLock { state in
      guard state.stepCount > 0 else { return false }
      state.stepCount -= 1
      return true
    }
  }
}
