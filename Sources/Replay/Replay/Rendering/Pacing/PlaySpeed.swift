/// Playback speed: seconds of recording per second. 1 is real time.
package struct PlaySpeed: Hashable, Sendable, CustomStringConvertible {
  package let factor: Double

  package static let range = 0.1...10.0
  package static let realTime = PlaySpeed(unchecked: 1)
  /// Speeds selectable by key. The next one after the last is as fast as possible.
  private static let steps = [0.1, 0.25, 0.5, 1, 2, 4, 10]

  package init?(_ factor: Double) {
    guard Self.range.contains(factor) else { return nil }
    self.factor = factor
  }

  private init(unchecked factor: Double) { self.factor = factor }

  /// - Parameter speed: nil for as fast as possible, also returned after the last step.
  package static func faster(than speed: PlaySpeed?) -> PlaySpeed? {
    guard let speed else { return nil }
    return steps.first { $0 > speed.factor }.map { PlaySpeed(unchecked: $0) }
  }

  package static func slower(than speed: PlaySpeed?) -> PlaySpeed? {
    guard let speed else { return steps.last.map { PlaySpeed(unchecked: $0) } }
    return steps.last { $0 < speed.factor }.map { PlaySpeed(unchecked: $0) } ?? speed
  }

  package var description: String {
    let text = "\(factor)"
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + "×"
  }
}
