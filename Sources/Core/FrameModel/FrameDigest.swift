import Support

/// XXH3-128, seed 0, of a frame's bytes in use.
package struct FrameDigest: Hashable, Sendable {
  package var high: UInt64
  package var low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// 32 lower-case hexadecimal digits in the canonical (big-endian) order.
  package var hex: String { high.zeroPadded(16, radix: 16) + low.zeroPadded(16, radix: 16) }
}
