import Synchronization

/// What somebody who watches a replay does to it.
package enum PlayCommand: Hashable, Sendable {
  case pauseOrResume
  /// One picture, and then a pause.
  case step
  case faster, slower
  case end
}

/// How a replay is to be shown from now on. Keys change it on one thread while pictures are shown on another.
///
/// It says when pictures are shown and how many, never what is in them.
package final class PlayControls: Sendable {
  package struct State: Hashable, Sendable {
    /// Nil: as fast as possible.
    package var speed: PlaySpeed?
    package var isPaused: Bool
    /// There was a speed at some time, whether there is one now or not.
    package var wasTimed: Bool
    /// Pictures to be shown in spite of the pause.
    package var stepCount = 0
    package var isEnded = false
  }

  private let current: Mutex<State>
  private let isWished: @Sendable () -> Bool

  /// - Parameter isWished: whether somebody wishes the end by other means, such as a signal.
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
        // Held down, the key does not lag behind its pictures.
        state.stepCount = state.isPaused ? min(state.stepCount + 1, 2) : 0
        state.isPaused = true
      case .faster: state.speed = PlaySpeed.faster(than: state.speed)
      case .slower: state.speed = PlaySpeed.slower(than: state.speed)
      case .end: state.isEnded = true
      }
      state.wasTimed = state.wasTimed || state.speed != nil
    }
  }

  /// - Returns: whether a picture may be shown in spite of the pause; it then counts as shown.
  package func takeStep() -> Bool {
    current.withLock { state in
      guard state.stepCount > 0 else { return false }
      state.stepCount -= 1
      return true
    }
  }
}
