import FrameModel

/// A progress bar with rate and remaining time, shown only on a terminal.
final class ProgressBar {
  private let label: String
  private let unit: String
  private let isShown: Bool
  private let patienceNanoseconds: Int64
  private let start = MonotonicTime.now()
  private var lastDraw: Int64 = 0
  private var wasFull = false
  private static let width = 28
  private static let intervalNanoseconds: Int64 = 100_000_000

  /// - Parameter patienceSeconds: work that ends sooner shows no bar.
  init(_ label: String, unit: String = "frames", isQuiet: Bool, patienceSeconds: Int64 = 0) {
    self.label = label
    self.unit = unit
    patienceNanoseconds = patienceSeconds * 1_000_000_000
    isShown = Terminal.redraws && !isQuiet
  }

  /// - Parameter total: 0 or less shows nothing.
  func update(_ done: Int, of total: Int) {
    guard isShown, total > 0 else { return }
    let now = MonotonicTime.now().nanoseconds
    guard now - start.nanoseconds >= patienceNanoseconds else { return }
    // What grows while it is read has more than it said.
    let done = min(done, total)
    let isFull = done == total
    guard (isFull && !wasFull) || now - lastDraw >= Self.intervalNanoseconds else { return }
    (lastDraw, wasFull) = (now, isFull)
    let filled = Self.width * done / total
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    Terminal.redraw("\(label) \(bar) \(done)/\(total)\(pace(done, total, now))")
  }

  /// Time left and rate; empty before there is a rate to tell them by.
  private func pace(_ done: Int, _ total: Int, _ now: Int64) -> String {
    guard done > 0, now > start.nanoseconds else { return "" }
    let rate = Double(done) * 1e9 / Double(now - start.nanoseconds)
    let left = Double(total - done) / rate
    return "  \(Format.seconds(left)) left  \(Format.decimals(rate, 0)) \(unit)/s"
  }

  func end() { if isShown { Terminal.endLine() } }
}
