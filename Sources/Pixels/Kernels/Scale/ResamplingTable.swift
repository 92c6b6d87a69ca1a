import CKernels

/// The source samples of each sample of a scaled line, and their weights.
package struct ResamplingTable: Sendable {
  package let count: Int
  /// The largest number of source samples for one output sample.
  let mostTaps: Int
  /// Whether the line is an unscaled copy of consecutive source samples.
  let isCopy: Bool
  package let first: KernelTable<Int32>
  package let counts: KernelTable<Int32>
  package let offsets: KernelTable<Int32>
  package let weights: KernelTable<UInt32>

  init(_ span: PreparedPictureScaler.Span, sourceLength: Int) {
    let step = span.length / Double(span.target.count)
    let reach = max(1, step)
    var first: [Int32] = []
    var counts: [Int32] = []
    var offsets: [Int32] = []
    var weights: [UInt32] = []
    for i in 0..<span.target.count {
      let center = span.start + (Double(i) + 0.5) * step
      let from = max(0, Int((center - reach).rounded(.down)))
      let to = min(sourceLength - 1, Int((center + reach).rounded(.down)))
      let exact = (from...to).map { max(0, 1 - abs(Double($0) + 0.5 - center) / reach) }
      let sum = exact.reduce(0, +)
      var rounded = exact.map { UInt32(($0 / sum * 65_536).rounded(.toNearestOrEven)) }
      let heaviest = rounded.indices.max { rounded[$0] < rounded[$1] }!
      rounded[heaviest] = 65_536 - (rounded.reduce(0, +) - rounded[heaviest])
      // Zero weights at the ends would cost as much as others.
      let used = (rounded.firstIndex { $0 > 0 } ?? 0)...(rounded.lastIndex { $0 > 0 } ?? 0)
      first.append(Int32(from + used.lowerBound))
      counts.append(Int32(used.count))
      offsets.append(Int32(weights.count))
      weights += rounded[used]
    }
    count = span.target.count
    mostTaps = Int(counts.max() ?? 1)
    isCopy = mostTaps == 1 && first.indices.allSatisfy { first[$0] == first[0] + Int32($0) }
    self.first = KernelTable(first)
    self.counts = KernelTable(counts)
    self.offsets = KernelTable(offsets)
    self.weights = KernelTable(weights)
  }

  var kernelTable: RTKResampling {
    RTKResampling(
      first: first.address, counts: counts.address, offsets: offsets.address, weights: weights.address)
  }

  var firstSource: Int { Int(first.elements[0]) }
}
