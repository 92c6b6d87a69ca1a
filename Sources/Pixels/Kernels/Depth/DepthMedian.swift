/// The median of a rectangle of depth, without sorting: by the high bytes, then by the low bytes of those that share the
/// median's. Its memory is allocated once.
package final class DepthMedian {
  private let counts: UnsafeMutablePointer<UInt32>

  package init() { counts = .allocate(capacity: 256) }

  deinit { counts.deallocate() }

  /// - Parameters:
  ///   - plane: millimetres, 0 = hole.
  ///   - columns, rows: inside the plane.
  /// - Returns: the median of what is measured, the lower one of an even number; nil where nothing is.
  package func lower(of plane: PixelPlane<UInt16>, columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> UInt16? {
    counts.update(repeating: 0, count: 256)
    for y in rows {
      let row = plane.row(y)
      for x in columns { counts[Int(row[x] >> 8)] &+= row[x] == 0 ? 0 : 1 }
    }
    let total = (0..<256).reduce(0) { $0 + Int(counts[$1]) }
    guard total > 0 else { return nil }
    var rank = (total - 1) / 2
    let high = UInt16(bin(&rank))
    counts.update(repeating: 0, count: 256)
    for y in rows {
      let row = plane.row(y)
      for x in columns where row[x] >> 8 == high && row[x] != 0 { counts[Int(row[x] & 255)] &+= 1 }
    }
    return high << 8 | UInt16(bin(&rank))
  }

  /// The bin that holds the sample of a rank, which becomes its rank in the bin.
  private func bin(_ rank: inout Int) -> Int {
    for bin in 0..<255 {
      if rank < Int(counts[bin]) { return bin }
      rank -= Int(counts[bin])
    }
    return 255
  }
}
