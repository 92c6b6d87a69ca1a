import FrameModel

/// Maps a device's clock to the host's.
///
/// A frame arrives some time after its tick: the bus and the scheduler add delay and never remove it. So the smallest
/// difference between arrival and tick seen lately is the best estimate of the offset between the clocks. The window
/// follows drift: at 100 ppm and ten seconds the estimate is 1 ms behind at most.
///
/// A device clock that is set back makes all differences larger at once, and the window would hold on to the old ones. So
/// where a tick lies far before one that was seen already, the mapping begins anew. One that is set forward makes them
/// smaller, which the window takes up by itself.
package struct ClockMapper: Sendable {
  package static let windowNanoseconds: Int64 = 10_000_000_000
  /// Streams that share a clock are never so far out of order.
  package static let setBackNanoseconds: Int64 = 1_000_000_000

  private let clock: TickClock
  /// Offsets with their arrival, smallest first and each newer than the one before: the front is the minimum of the
  /// window, and what can never become it is not kept.
  private var candidates: [(arrival: Int64, offset: Int64)] = []

  /// The latest device time since the mapping began.
  private var latest = Int64.min

  package init(clock: TickClock) { self.clock = clock }

  /// The device's time in nanoseconds, exact to rounding down.
  package static func nanoseconds(ticks: Int64, clock: TickClock) -> Int64 {
    let (whole, rest) = ticks.quotientAndRemainder(dividingBy: clock.hertz)
    // rest < 10¹² and the factor 10⁹: the product may need more than 64 bits.
    let product = rest.magnitude.multipliedFullWidth(by: 1_000_000_000)
    let fraction = Int64(UInt64(clock.hertz).dividingFullWidth(product).quotient)
    return whole &* 1_000_000_000 &+ (rest < 0 ? -fraction : fraction)
  }

  /// - Returns: when the frame was taken, on the host's clock; never later than it arrived.
  package mutating func hostTime(ofTick tick: Int64, arrival: MonotonicTime) -> MonotonicTime {
    let device = Self.nanoseconds(ticks: tick, clock: clock)
    let offset = arrival.nanoseconds &- device
    if latest != .min, latest &- device > Self.setBackNanoseconds {
      candidates.removeAll()
      latest = .min
    }
    latest = max(latest, device)
    while let last = candidates.last, last.offset >= offset { candidates.removeLast() }
    candidates.append((arrival.nanoseconds, offset))
    while let first = candidates.first, first.arrival < arrival.nanoseconds - Self.windowNanoseconds {
      candidates.removeFirst()
    }
    return MonotonicTime(nanoseconds: device &+ candidates[0].offset)
  }

  /// The offset now in use: host minus device, nanoseconds. Nil before the first frame.
  package var offsetNanoseconds: Int64? { candidates.first?.offset }
}
