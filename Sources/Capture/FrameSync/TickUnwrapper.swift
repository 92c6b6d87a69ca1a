import FrameModel

package struct TickUnwrapper: Sendable {
  private let clock: TickClock
  private var last: (tick: Int64, arrival: Int64)?

  package init(clock: TickClock) { self.clock = clock }

  /// Of all counts that the tick can mean, the one nearest to the time elapsed on the host. So a
  /// Kinect's counter, which wraps every 71.6 s, survives gaps of any length, and a slightly older
  /// tick stays older.
  package mutating func unwrap(_ tick: UInt64, arrival: MonotonicTime) -> Int64 {
    let bits = clock.bits
    guard let last else {
      let first = Int64(bitPattern: bits == 64 ? tick : tick & (1 << UInt64(bits) - 1))
      self.last = (first, arrival.nanoseconds)
      return first
    }
    let expected = last.tick &+ (bits == 64 ? 0 : elapsedTicks(arrival.nanoseconds &- last.arrival))
    let shift = UInt64(64 - bits)
    // The difference, sign-extended from `bits` to 64.
    let difference = Int64(bitPattern: (tick &- UInt64(bitPattern: expected)) << shift) >> Int64(shift)
    let unwrapped = expected &+ difference
    self.last = (unwrapped, arrival.nanoseconds)
    return unwrapped
  }

  private func elapsedTicks(_ nanoseconds: Int64) -> Int64 {
    let product = nanoseconds.magnitude.multipliedFullWidth(by: UInt64(clock.hertz))
    // Above 2⁶⁴ · 10⁹ the quotient overflows; no gap is that long.
    guard product.high < 1_000_000_000 else { return 0 }
    let quotient = Int64(truncatingIfNeeded: UInt64(1_000_000_000).dividingFullWidth(product).quotient)
    return nanoseconds < 0 ? 0 &- quotient : quotient
  }
}
