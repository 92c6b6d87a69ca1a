import FrameModel
import Support
import Synchronization

/// A camera's driver from its first buffer to its last.
protocol DeviceSession: AnyObject, Sendable {
  /// Lets the camera send. Frames are delivered from `run` on.
  func start() throws(RetakeError)
  /// Delivers until `isStopping` or the end. Blocks.
  func run(delivering sink: any CaptureSink, isStopping: @escaping @Sendable () -> Bool)
  func close()
}

/// Lets a session run once, on a thread of its own, and closes it however it ends.
final class SessionRunner: Sendable {
  private enum State {
    case open(any DeviceSession)
    case running(DeliveryThread)
    case closed
  }
  private let name: String
  private let state: Mutex<State>

  /// - Parameter name: of the device, for people.
  init(_ session: any DeviceSession, name: String) {
    self.name = name
    state = Mutex(.open(session))
  }

  /// - Parameter check: what else may forbid a start; asked only before the first.
  func start(delivering sink: any CaptureSink, check: () throws(RetakeError) -> Void = {}) throws(RetakeError) {
    try state.withLock { state throws(RetakeError) in
      guard case .open(let session) = state else {
        throw RetakeError(.device, "\(name) was started before.", hint: "open it again")
      }
      try check()
      try session.start()
      // The thread holds the session, not the device: letting go of a device stops it.
      state = .running(
        try DeliveryThread { isStopping in
          session.run(delivering: sink, isStopping: isStopping)
          session.close()
        })
    }
  }

  func stop() {
    // The thread is waited for outside the lock: its last frame may make the sink call this too.
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
