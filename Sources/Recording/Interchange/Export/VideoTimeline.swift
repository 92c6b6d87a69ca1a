import FrameModel

/// Assigns the frames of a stream to pictures of a video with constant frame rate.
///
/// A frame takes the next place if it is within three quarters of a period of it. So neither jitter
/// nor a phase of half a period repeats or drops pictures. A missing frame, or a camera with
/// another rate, leaves a place empty or drops a frame.
package struct VideoTimeline {
  private let rate: FrameRate
  private let start: PresentationTime
  private var first: PresentationTime?
  /// Place of the last frame, counted from the first one.
  private var last = 0

  /// - Parameter start: presentation time at which the video begins.
  package init(rate: FrameRate, start: PresentationTime) {
    self.rate = rate
    self.start = start
  }

  /// - Returns: the number of pictures between the previous frame (or the start) and this one; nil
  ///   for a frame that is dropped.
  package mutating func place(_ time: PresentationTime) -> Int? {
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

  /// In thousandths of a period, limited to ±2⁵⁰ so that later arithmetic cannot overflow.
  private func thousandths(from origin: PresentationTime, to time: PresentationTime) -> Int {
    let nanoseconds = Int128(time.nanoseconds) - Int128(origin.nanoseconds)
    let exact = nanoseconds * Int128(rate.numerator) * 1000 / (Int128(rate.denominator) * 1_000_000_000)
    return Int(max(-(1 << 50), min(1 << 50, exact)))
  }
}
