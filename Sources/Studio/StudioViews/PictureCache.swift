import Synchronization

/// Exact pictures that were shown lately, so that going back and looping compute nothing.
package final class PictureCache: Sendable {
  package struct Key: Hashable, Sendable {
    var setting: ViewSetting
    var span: ViewSpan
    var frame: Int
  }

  private struct State {
    var pictures: [Key: ViewPicture] = [:]
    /// The oldest first.
    var order: [Key] = []
    var byteCount = 0
  }

  private let byteLimit: Int
  private let state = Mutex(State())

  package init(byteLimit: Int = 192 << 20) { self.byteLimit = byteLimit }

  func picture(_ key: Key) -> ViewPicture? { state.withLock { $0.pictures[key] } }

  func add(_ picture: ViewPicture, _ key: Key) {
    state.withLock { state in
      guard state.pictures.updateValue(picture, forKey: key) == nil else { return }
      state.order.append(key)
      state.byteCount += picture.byteCount
      while state.byteCount > byteLimit, state.order.count > 1 {
        let oldest = state.order.removeFirst()
        state.byteCount -= state.pictures.removeValue(forKey: oldest)?.byteCount ?? 0
      }
    }
  }
}
