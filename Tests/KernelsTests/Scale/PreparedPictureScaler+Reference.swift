import Kernels

extension ResamplingTable {
  func taps(_ i: Int) -> [(source: Int, weight: Int)] {
    (0..<Int(counts.elements[i])).map { k in
      (Int(first.elements[i]) + k, Int(weights.elements[Int(offsets.elements[i]) + k]))
    }
  }
}

extension PreparedPictureScaler {
  func reference(_ source: [UInt8], onto target: [UInt8]) -> [UInt8] {
    var along = [Int](repeating: 0, count: columns.count * sourceHeight * 3)
    for i in along.indices {
      let (x, y) = (i / 3 % columns.count, i / 3 / columns.count)
      let sum = columns.taps(x).reduce(128) { $0 + $1.weight * Int(source[3 * (y * sourceWidth + $1.source) + i % 3]) }
      along[i] = sum >> 8
    }
    var result = target
    for y in 0..<rows.count {
      for x in 0..<3 * columns.count {
        let sum = rows.taps(y).reduce(1 << 23) { $0 + $1.weight * along[$1.source * columns.count * 3 + x] }
        result[3 * ((y + covered.rows.lowerBound) * width + covered.columns.lowerBound) + x] = UInt8(sum >> 24)
      }
    }
    return result
  }
}
