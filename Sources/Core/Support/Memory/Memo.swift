import Synchronization

/// Values computed once for each key, such as tables that many stages need. When the limit is reached, all are dropped
/// and computed again, so this affects only speed.
package final class Memo<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let limit: Int
  private let known = Mutex<[Key: Value]>([:])

  package init(limit: Int) { self.limit = limit }

  package func value<Failure>(_ key: Key, _ make: () throws(Failure) -> Value) throws(Failure) -> Value {
    if let value = known.withLock({ $0[key] }) { return value }
    let value = try make()
    known.withLock {
      if $0.count >= limit { $0 = [:] }
      $0[key] = value
    }
    return value
  }
}
