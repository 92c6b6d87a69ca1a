/// The median of a rectangle of depth, by counting high bytes, then low bytes of the samples that
/// share the median's high byte.
package final class DepthMedian {
  private let bins = PixelPlane<UInt32>(width: 256, height: 1)

  package init() {}

  /// The lower median of the measured samples (0 = hole); nil if there are none. `columns` and
  /// `rows` must lie inside the plane.
  package func lower(of plane: PixelPlane<UInt16>, columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> UInt16? {
    let counts = bins.samples
    bins.fill(0)
    for y in rows {
      let row = plane.row(y)
      for x in columns { counts[Int(row[x] >> 8)] &+= row[x] == 0 ? 0 : 1 }
    }
    let total = (0..<256).reduce(0) { $0 + Int(counts[$1]) }
    guard total > 0 else { return nil }
    var rank = (total - 1) / 2
    let high = UInt16(bin(&rank))
    bins.fill(0)
    for y in rows {
      let row = plane.row(y)
      for x in columns where row[x] >> 8 == high && row[x] != 0 { counts[Int(row[x] & 255)] &+= 1 }
    }
    return high << 8 | UInt16(bin(&rank))
  }

  /// The bin with the sample of this rank, which becomes the rank within the bin.
  private func bin(_ rank: inout Int) -> Int {
    for bin in 0..<255 {
      let count = Int(bins.samples[bin])
      if rank < count { return bin }
      rank -= count
    }
    return 255
  }
}
