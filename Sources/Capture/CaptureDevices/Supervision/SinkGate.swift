import Glibc
import Synchronization

/// Lets calls through until it is closed. Once `close` has returned none is inside, and none will be.
final class SinkGate: Sendable {
  private let insideCount = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)

  /// Calls `body` unless the gate is closed. Takes no lock: this is on every frame's way.
  func pass(_ body: () -> Void) {
    // Either this thread sees that the gate is closed, or the one that closes it sees this thread inside.
    insideCount.add(1, ordering: .sequentiallyConsistent)
    if !isClosed.load(ordering: .sequentiallyConsistent) { body() }
    insideCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Not to be called from within `pass`, which it waits for.
  func close() {
    isClosed.store(true, ordering: .sequentiallyConsistent)
    while insideCount.load(ordering: .sequentiallyConsistent) > 0 { usleep(100) }
  }
}
