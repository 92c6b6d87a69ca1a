import Replay
import StudioViews
import Support

/// The planes that a page asks for, and in which form.
struct WantedPlanes: Sendable {
  private static let steps = 1...256

  let taps: [Tap]
  /// Digests of planes that the page has, by tap; their bytes are left out.
  private let have: [String: String]
  /// For a plane that is shown small while it plays: of how many pixels each way one is sent, by tap.
  private let steps: [String: Int]

  init(taps: [Tap], have: [String: String] = [:], steps: [String: Int] = [:]) {
    (self.taps, self.have, self.steps) = (taps, have, steps)
  }

  /// - Throws: `.usage` for a tap that does not exist.
  init(named names: [String], have: [String: String]?, steps: [String: Int]?) throws(RetakeError) {
    let taps = try names.map { name throws(RetakeError) in
      guard let tap = Tap(rawValue: name) else { throw Question.invalid("tap", name) }
      return tap
    }
    self.init(taps: taps, have: have ?? [:], steps: steps ?? [:])
  }

  func isKnown(_ plane: ViewPicture.Plane) -> Bool { have[plane.tap.rawValue] == plane.digest }

  /// In 1 to the plane's smaller side.
  func step(_ plane: ViewPicture.Plane) -> Int {
    let wanted = min(max(steps[plane.tap.rawValue] ?? 1, Self.steps.lowerBound), Self.steps.upperBound)
    return min(wanted, plane.size.width, plane.size.height)
  }
}
