import FrameModel
import RecordingStore

/// Converts presentation times to the wall-clock times of other formats.
struct ExportClock {
  /// Whole seconds added to every time, so that none is before 1970. A source without a wall clock
  /// starts at 1970, and its first exposure is before that.
  let addedSeconds: Int
  private let wallClockNanoseconds: Int64

  init(_ recording: Recording, _ summary: RecordingSummary) {
    wallClockNanoseconds = recording.identity.wallClockNanoseconds
    let earliest = summary.streams.compactMap(\.firstPresentation).min() ?? PresentationTime(nanoseconds: 0)
    // 128 bits, so that values of a hostile index cannot overflow.
    let start = Int128(wallClockNanoseconds) + Int128(earliest.nanoseconds)
    addedSeconds = start < 0 ? Int((-start + 999_999_999) / 1_000_000_000) : 0
  }

  func nanoseconds(_ time: PresentationTime) -> Int64 {
    let sum = Int128(wallClockNanoseconds) + Int128(time.nanoseconds) + Int128(addedSeconds) * 1_000_000_000
    return Int64(clamping: max(0, sum))
  }

  /// Rounded to nearest.
  func microseconds(_ time: PresentationTime) -> Int64 {
    let (whole, rest) = nanoseconds(time).quotientAndRemainder(dividingBy: 1000)
    return whole + (rest >= 500 ? 1 : 0)
  }

  /// Seconds with six decimals.
  static func text(microseconds: Int64) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(seconds).\(String(rest + 1_000_000).dropFirst())"
  }
}
