import Kernels

extension DepthFollowing {
  /// One pixel.
  package struct Reference {
    private let share: Int32
    private let delta: Int
    private let persistence: DepthPersistence
    private var mean = 0
    private var past: [Bool] = []

    package init(alpha: Double, deltaMillimeters: Int, persistence: DepthPersistence) {
      share = DepthShare.fixed(alpha)
      delta = deltaMillimeters
      self.persistence = persistence
    }

    package mutating func next(_ depth: UInt16) -> UInt16 {
      let now = Int(depth) << 8
      let rule = persistence.rule
      let isShown = depth != 0 || past.suffix(rule.window).count { $0 } >= rule.atLeast
      if depth != 0 {
        mean = mean != 0 && abs(now - mean) <= delta << 8 ? DepthShare.mix(mean, now, share: share) : now
      }
      past.append(depth != 0)
      return isShown ? DepthShare.millimeters(mean) : 0
    }
  }
}
