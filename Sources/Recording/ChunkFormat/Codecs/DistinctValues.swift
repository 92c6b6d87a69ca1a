/// The distinct values of a frame's 16-bit samples, and each sample's rank among them. A depth
/// camera emits few of the values that its samples could hold: a structured-light camera some
/// hundred, with gaps that grow with distance. Neighbouring surfaces have neighbouring ranks.
final class DistinctValues {
  /// Ranks and their differences must fit in signed 16-bit integers.
  static let limit = 32_767

  private let flags = ScratchMemory()
  private let ranks = ScratchMemory()
  private let list = ScratchMemory()
  private(set) var count = 0

  /// `count` values in rising order.
  var values: UnsafeMutablePointer<UInt16> { list.samples(of: UInt16.self, 65_536) }

  /// - Returns: false if there are more than `limit` distinct values.
  func collect(_ samples: UnsafeRawPointer, count sampleCount: Int) -> Bool {
    let present = flags.samples(of: UInt8.self, 65_536)
    let rank = ranks.samples(of: UInt16.self, 65_536)
    let values = values
    present.update(repeating: 0, count: 65_536)
    for i in 0..<sampleCount {
      let value = UInt16(littleEndian: (samples + 2 * i).loadUnaligned(as: UInt16.self))
      present[Int(value)] = 1
    }
    count = 0
    let words = UnsafeRawPointer(present)
    for block in 0..<8192 where (words + 8 * block).loadUnaligned(as: UInt64.self) != 0 {
      for value in (8 * block)..<(8 * block + 8) where present[value] != 0 {
        values[count] = UInt16(value)
        rank[value] = UInt16(truncatingIfNeeded: count)
        count += 1
      }
    }
    return count <= Self.limit
  }

  /// Writes the ranks of the samples that `collect` saw.
  func rank(_ samples: UnsafeRawPointer, into plane: SamplePlane<Int16>) {
    let rank = ranks.samples(of: UInt16.self, 65_536)
    for y in 0..<plane.height {
      let source = samples + 2 * plane.width * y
      let target = plane.row(y)
      for x in 0..<plane.width {
        let value = UInt16(littleEndian: (source + 2 * x).loadUnaligned(as: UInt16.self))
        target[x] = Int16(bitPattern: rank[Int(value)])
      }
    }
  }
}
