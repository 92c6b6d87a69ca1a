import Kernels

extension MatteScaling {
  /// `source` has no padding.
  func reference(_ source: [Int16]) -> [UInt8] {
    let (sourceWidth, width) = (horizontal.sourceLength, horizontal.targetLength)
    var along = [Int](repeating: 0, count: width * vertical.sourceLength)
    for i in along.indices {
      let row = i / width * sourceWidth
      along[i] =
        horizontal.taps(i % width).reduce(1 << 13) { $0 + Int(source[row + $1.position]) * Int($1.weight) } >> 14
    }
    return (0..<width * vertical.targetLength).map { i in
      let sum = vertical.taps(i / width).reduce(1 << 19) {
        $0 + along[$1.position * width + i % width] * Int($1.weight)
      }
      return UInt8(min(max(sum >> 20, 0), 255))
    }
  }
}
