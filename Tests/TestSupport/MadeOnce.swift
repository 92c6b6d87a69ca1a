import Synchronization

/// Values that tests share. Makes each once, also if several tests ask for it at the same time.
package final class MadeOnce<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private final class Slot: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let slots = Mutex<[Key: Slot]>([:])
  private let make: @Sendable (Key) throws -> Value

  package init(_ make: @escaping @Sendable (Key) throws -> Value) { self.make = make }

  package func callAsFunction(_ key: Key) throws -> Value {
    let slot = slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = Slot()
      slots[key] = slot
      return slot
    }
    return try slot.value.withLock { value in
      if let value { return value }
      let made = try make(key)
      value = made
      return made
    }
  }
}
