import Support

/// How much a search may play, counted in frames of settings: never in time, which is not the same
/// twice.
package enum SearchBudget: Hashable, Sendable, CustomStringConvertible {
  /// Of the settings of the grid over all frames, in thousandths of a per cent.
  case share(Int)
  /// Frames played, summed over settings.
  case frames(Int)

  package static let standard = SearchBudget.share(3000)
  package static let frameLimit = 1 << 46
  /// What a search needs at least, in settings over all frames.
  package static let leastSettings = 4
  /// What a share that nobody asked for is raised to.
  private static let usualSettings = 10

  /// - Throws: `.usage` for anything but "3%" or "20000".
  package init(_ text: String) throws(RetakeError) {
    let hint = "write a share of the grid as in 3%, or a number of frames as in 20000"
    if text.hasSuffix("%") {
      let number = String(text.dropLast()).trimmed
      guard number.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }), let share = Double(number),
        share <= 100, (share * 1000).rounded() >= 1
      else { throw RetakeError(.usage, "'\(text.shortened)' is not a share above 0 % and up to 100 %.", hint: hint) }
      self = .share(Int((share * 1000).rounded()))
      return
    }
    guard text.utf8.first != UInt8(ascii: "+"), let count = Int(text), (1...Self.frameLimit).contains(count) else {
      throw RetakeError(.usage, "'\(text.shortened)' is not a budget.", hint: hint)
    }
    self = .frames(count)
  }

  package var description: String {
    switch self {
    case .share(let share):
      share % 1000 == 0 ? "\(share / 1000)%" : "\(Double(share) / 1000)%"
    case .frames(let count): "\(count)"
    }
  }

  /// - Parameters:
  ///   - settingCount: of the grid.
  ///   - wholeCost: frames of one setting over all recordings.
  ///   - isGiven: false for the default, which is raised where the grid is small.
  /// - Throws: `.usage` for one that does not pay for a search.
  package func frames(settingCount: Int, wholeCost: Int, isGiven: Bool) throws(RetakeError) -> Int {
    let least = Self.leastSettings * wholeCost
    var frames: Int
    switch self {
    case .frames(let count): frames = count
    case .share(let share):
      // Both factors are bounded by what a sweep may have, but their product is not.
      let (grid, overflow) = settingCount.multipliedReportingOverflow(by: wholeCost)
      guard !overflow, grid <= Self.frameLimit else {
        throw RetakeError(
          .usage, "A share of \(settingCount) settings over \(wholeCost) frames is too much.",
          hint: "give a number of frames, as in --budget 20000")
      }
      frames = Int((Double(grid) * Double(share) / 100_000).rounded(.up))
      if !isGiven { frames = max(frames, Self.usualSettings * wholeCost) }
    }
    guard frames >= least else {
      throw RetakeError(
        .usage,
        "A budget of \(frames) frames is too small: one setting over everything takes \(wholeCost), and a search at least "
          + "\(least).",
        hint: "give --budget \(least) or more, or sweep without --search")
    }
    return frames
  }
}
