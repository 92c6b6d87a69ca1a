import Glibc
import Synchronization

/// Lets calls through until it is closed. After `close` returns, none is running or will start.
final class SinkGate: Sendable {
  private let insideCount = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)

  /// Calls `body` unless the gate is closed. Takes no lock, since every frame passes here.
  func pass(_ body: () -> Void) {
    // Either this thread sees the closed gate, or the closing thread sees this one inside.
    insideCount.add(1, ordering: .sequentiallyConsistent)
    if !isClosed.load(ordering: .sequentiallyConsistent) { body() }
    insideCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Waits for `pass`, so it must not be called within it.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    while insideCount.load(ordering: .sequentiallyConsistent) > 0 { usleep(100) }
  }
}
