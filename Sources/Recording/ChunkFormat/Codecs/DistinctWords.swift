/// `DistinctValues` for samples of 32 bits, in the order of their bits as unsigned numbers.
///
/// Disparity cameras compute in fixed point or 16-bit floats, so their 32-bit floats hold few values too.
final class DistinctWords {
  /// A quarter of the hash table, so that it stays quick.
  static let limit = 16_384
  private static let slotCount = 65_536

  private let keys = ScratchMemory()
  private let ranks = ScratchMemory()
  private let list = ScratchMemory()
  private(set) var count = 0

  /// `count` values in rising order.
  var values: UnsafeMutablePointer<UInt32> { list.samples(of: UInt32.self, Self.limit) }

  /// - Returns: false where there are more than `limit`.
  func collect(_ samples: UnsafeRawPointer, count sampleCount: Int) -> Bool {
    let values = values
    let key = keys.samples(of: UInt32.self, Self.slotCount)
    let rank = ranks.samples(of: UInt16.self, Self.slotCount)
    // In a slot, 0 is free and anything else a rank plus 1.
    rank.update(repeating: 0, count: Self.slotCount)
    count = 0
    for i in 0..<sampleCount {
      let value = UInt32(littleEndian: (samples + 4 * i).loadUnaligned(as: UInt32.self))
      let slot = Self.slot(of: value, key, rank)
      guard rank[slot] == 0 else { continue }
      guard count < Self.limit else { return false }
      key[slot] = value
      rank[slot] = 1
      values[count] = value
      count += 1
    }
    var rising = UnsafeMutableBufferPointer(start: values, count: count)
    rising.sort()
    for i in 0..<count { rank[Self.slot(of: values[i], key, rank)] = UInt16(truncatingIfNeeded: i + 1) }
    return true
  }

  /// Replaces the samples that were collected by their ranks.
  func rank(_ samples: UnsafeRawPointer, into plane: SamplePlane<Int16>) {
    let key = keys.samples(of: UInt32.self, Self.slotCount)
    let rank = ranks.samples(of: UInt16.self, Self.slotCount)
    for y in 0..<plane.height {
      let source = samples + 4 * plane.width * y
      let target = plane.row(y)
      for x in 0..<plane.width {
        let value = UInt32(littleEndian: (source + 4 * x).loadUnaligned(as: UInt32.self))
        target[x] = Int16(truncatingIfNeeded: rank[Self.slot(of: value, key, rank)]) &- 1
      }
    }
  }

  /// The value's slot, or the free one where it belongs.
  @inline(__always)
  private static func slot(
    of value: UInt32, _ key: UnsafePointer<UInt32>, _ rank: UnsafePointer<UInt16>
  ) -> Int {
    var slot = Int((value &* 0x9E37_79B1) >> 16)
    while rank[slot] != 0 && key[slot] != value { slot = (slot &+ 1) & (slotCount - 1) }
    return slot
  }
}
