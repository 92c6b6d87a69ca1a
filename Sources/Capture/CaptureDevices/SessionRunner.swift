import FrameModel
import Support
import Synchronization

/// One run of a camera's driver, from the first buffer to the last.
protocol DeviceSession: AnyObject, Sendable {
  /// Starts the camera. Frames are delivered only from `run` on.
  func start() throws(RetakeError)
  /// Delivers frames until `isStopping` or the stream ends. Blocks.
  func run(delivering sink: any CaptureSink, isStopping: @escaping @Sendable () -> Bool)
  func close()
}

/// Runs a session once, on its own thread, and closes it however it ends.
final class SessionRunner: Sendable {
  private enum State {
    case open(any DeviceSession)
    case running(DeliveryThread)
    case closed
  }
  private let name: String
  private let state: Mutex<State>

  init(_ session: any DeviceSession, name: String) {
    self.name = name
    state = Mutex(.open(session))
  }

  /// - Parameter check: a further condition, evaluated only before the first start.
  func start(delivering sink: any CaptureSink, check: () throws(RetakeError) -> Void = {}) throws(RetakeError) {
    try state.withLock { state throws(RetakeError) in
      guard case .open(let session) = state else {
        throw RetakeError(.device, "\(name) was already started.", hint: "open the device again")
      }
      try check()
      try session.start()
      // The thread retains the session, not the device, so that releasing the device stops it.
      state = .running(
        try DeliveryThread { isStopping in
          session.run(delivering: sink, isStopping: isStopping)
          session.close()
        })
    }
  }

  func stop() {
    // Joined outside the lock, since the sink may call this method on the thread's last frame.
    let thread: DeliveryThread? = state.withLock { state in
      switch state {
      case .open(let session):
        session.close()
        state = .closed
        return nil
      case .running(let thread): return thread
      case .closed: return nil
      }
    }
    thread?.stop()
  }
}
