import Synchronization

/// Bounds the connections of a server.
final class ConnectionCount: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// - Returns: false if there are too many. `close` must follow only if true.
  func open() -> Bool {
    count.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
  }

  func close() { count.withLock { $0 -= 1 } }
}
