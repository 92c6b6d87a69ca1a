/// `DistinctValues` for 32-bit samples, ordered by their bits as unsigned numbers. Disparity
/// cameras compute in fixed point or 16-bit floats, so they emit few distinct floats too.
final class DistinctWords {
  /// A quarter of the hash table's slots, which keeps probing short.
  static let limit = 16_384
  private static let slotCount = 65_536

  private let keys = ScratchMemory()
  private let ranks = ScratchMemory()
  private let list = ScratchMemory()
  private(set) var count = 0

  /// `count` values in rising order.
  var values: UnsafeMutablePointer<UInt32> { list.samples(of: UInt32.self, Self.limit) }

  /// - Returns: false if there are more than `limit` distinct values.
  func collect(_ samples: UnsafeRawPointer, count sampleCount: Int) -> Bool {
    let values = values
    let key = keys.samples(of: UInt32.self, Self.slotCount)
    let rank = ranks.samples(of: UInt16.self, Self.slotCount)
    // A slot holds 0 if free, otherwise a rank plus 1.
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

  /// Writes the ranks of the samples that `collect` saw.
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

  /// The slot of the value, or the free slot to insert it in.
  @inline(__always)
  private static func slot(
    of value: UInt32, _ key: UnsafePointer<UInt32>, _ rank: UnsafePointer<UInt16>
  ) -> Int {
    var slot = Int((value &* 0x9E37_79B1) >> 16)
    while rank[slot] != 0 && key[slot] != value { slot = (slot &+ 1) & (slotCount - 1) }
    return slot
  }
}
