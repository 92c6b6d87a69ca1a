import FrameModel

/// Gives the frames of a stream their places in a video of constant rate.
///
/// A frame follows the one before it as long as it comes within three quarters of a period of that place. So neither
/// jitter nor a phase of half a period makes pictures repeat or vanish; a frame that is missing, or a camera that is
/// slower or faster than its rate, makes a place wait or a frame give way.
struct VideoTimeline {
  private let rate: FrameRate
  private let start: PresentationTime
  private var first: PresentationTime?
  /// Places since the first frame, of the last one that was placed.
  private var last = 0

  /// - Parameter start: when the video begins.
  init(rate: FrameRate, start: PresentationTime) {
    self.rate = rate
    self.start = start
  }

  /// - Returns: how many pictures lie between the frame before and this one; before the first frame, between the start
  ///   and it. Nil for a frame that has no place of its own.
  mutating func place(_ time: PresentationTime) -> Int? {
    guard let first else {
      first = time
      return max(0, (thousandths(from: start, to: time) + 500) / 1000)
    }
    let position = thousandths(from: first, to: time)
    let lag = position - 1000 * (last + 1)
    guard lag > -750 else { return nil }
    let place = lag < 750 ? last + 1 : (position + 500) / 1000
    defer { last = place }
    return place - last - 1
  }

  /// Thousandths of a period, rounded down. At most some 10¹⁵, which leaves room to calculate.
  private func thousandths(from origin: PresentationTime, to time: PresentationTime) -> Int {
    let nanoseconds = Int128(time.nanoseconds) - Int128(origin.nanoseconds)
    let exact = nanoseconds * Int128(rate.numerator) * 1000 / (Int128(rate.denominator) * 1_000_000_000)
    return Int(max(-(1 << 50), min(1 << 50, exact)))
  }
}
