import FrameModel

/// Undoes the wraps of a device's counter.
package struct TickUnwrapper: Sendable {
  private let bits: Int
  private var last: Int64?

  package init(bits: Int) { self.bits = bits }

  /// The count since the counter was 0, over any number of wraps. Two ticks in a row may differ by up to half the
  /// counter's range, in either direction: what is a little older than the last tick stays older.
  package mutating func unwrap(_ tick: UInt64) -> Int64 {
    guard let last else {
      let first = Int64(bitPattern: bits == 64 ? tick : tick & (1 << UInt64(bits) - 1))
      self.last = first
      return first
    }
    let shift = UInt64(64 - bits)
    // The difference, sign-extended from `bits` to 64.
    let difference = Int64(bitPattern: (tick &- UInt64(bitPattern: last)) << shift) >> Int64(shift)
    let unwrapped = last &+ difference
    self.last = unwrapped
    return unwrapped
  }
}
