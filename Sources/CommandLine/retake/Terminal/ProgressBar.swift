import FrameModel

/// A progress bar with rate and remaining time, shown only on a terminal.
final class ProgressBar {
  private let label: String
  private let unit: String
  private let isShown: Bool
  private let patienceNanoseconds: Int64
  private let start = MonotonicTime.now()
  private var lastDraw: Int64 = 0
  private static let width = 28
  private static let intervalNanoseconds: Int64 = 100_000_000

  /// - Parameter patienceSeconds: work that ends sooner shows no bar.
  init(_ label: String, unit: String = "frames", isQuiet: Bool, patienceSeconds: Int64 = 0) {
    self.label = label
    self.unit = unit
    patienceNanoseconds = patienceSeconds * 1_000_000_000
    isShown = Terminal.redraws && !isQuiet
  }

  func update(_ done: Int, of total: Int) {
    guard isShown else { return }
    let now = MonotonicTime.now().nanoseconds
    guard now - start.nanoseconds >= patienceNanoseconds else { return }
    guard done == total || now - lastDraw >= Self.intervalNanoseconds else { return }
    lastDraw = now
    let seconds = max(1e-9, Double(now - start.nanoseconds) / 1e9)
    let rate = Double(done) / seconds
    let filled = total == 0 ? Self.width : Self.width * done / total
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    let left = rate > 0 ? Double(total - done) / rate : 0
    Terminal.redraw(
      "\(label) \(bar) \(done)/\(total)  \(Format.seconds(left)) left  \(Format.decimals(rate, 0)) \(unit)/s")
  }

  func end() { if isShown { Terminal.endLine() } }
}
