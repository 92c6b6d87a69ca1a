/// Formats a measured value with its goal and whether it was reached.
enum Goal {
  static func atMost(_ goal: Double, _ value: Double) -> String { text(value, "≤", goal, value <= goal) }

  static func atLeast(_ goal: Double, _ value: Double) -> String { text(value, "≥", goal, value >= goal) }

  private static func text(_ value: Double, _ sign: String, _ goal: Double, _ isReached: Bool) -> String {
    "\(Stopwatch.text(value)) (goal \(sign) \(Stopwatch.text(goal)): \(isReached ? "reached" : "MISSED"))"
  }
}
