import CKernels

/// Reduces the video's grey to a mask's size. Each sample is the video's mean under a box as wide
/// as a mask pixel or a video pixel, whichever is wider. The video's edges are repeated.
///
/// Grey is exactly 38 R + 75 G + 15 B, 0 ... 32640. Along y it is reduced to
/// (Σ weight · grey + 2¹³) >> 14, then likewise along x, with weights of 14 bits.
package struct GreyReduction: Sendable {
  package let horizontal: ScaleLine
  package let vertical: ScaleLine
  package let columns: Taps
  package let rows: Taps
  private let reduction: RTKReduction
  private let processor: Processor
  private let scratch: KernelScratch

  /// For each target sample, its first source sample and its weights.
  package struct Taps: Sendable {
    package let count: Int
    package let starts: KernelTable<Int32>
    package let weights: KernelTable<Int16>

    /// - Parameters:
    ///   - line: from the mask to the video, the reverse of the reduction.
    ///   - multiple: the tap count is rounded up to a multiple of it.
    ///   - padding: the last sample is repeated to a multiple of it.
    init(_ line: ScaleLine, multiple: Int, padding: Int) {
      let length = line.targetLength
      let step = Double(line.scaleNumerator) / Double(line.scaleDenominator)
      let half = max(step, 1) / 2
      var taps: [(start: Int, weights: [Int16])] = []
      for i in 0..<line.sourceLength {
        // Only IEEE 754's four operations and floor: bit-identical on every machine.
        let center = (Double(i) + 0.5 - line.offset) * step
        // Clamped to one sample beyond the edges, where everything equals the edge.
        let low = min(max(center - half, -1), Double(length))
        let high = min(max(center + half, 0), Double(length) + 1)
        let (first, last) = (Int(low.rounded(.down)), Int(high.rounded(.up)) - 1)
        let start = min(max(first, 0), length - 1)
        var exact = [Double](repeating: 0, count: min(max(last, 0), length - 1) - start + 1)
        for j in first...max(first, last) {
          exact[min(max(j, 0), length - 1) - start] += max(0, min(high, Double(j) + 1) - max(low, Double(j)))
        }
        let sum = exact.reduce(0, +)
        if sum <= 0 { exact[0] = 1 }
        var weights = exact.map {
          Int16(($0 / (sum > 0 ? sum : 1) * Double(RTKWeightOne)).rounded(.toNearestOrEven))
        }
        let heaviest = weights.indices.max { weights[$0] < weights[$1] }!
        weights[heaviest] += Int16(RTKWeightOne) - weights.reduce(0, +)
        while weights.count > 1, weights.last == 0 { weights.removeLast() }
        taps.append((start, weights))
      }
      let longest = taps.map(\.weights.count).max()!
      let count = (longest + multiple - 1) / multiple * multiple
      // There is no row after the last one, which even a weight of zero would read.
      self.count = multiple == 1 ? min(count, length) : count
      var (starts, weights): ([Int32], [Int16]) = ([], [])
      for i in 0..<(taps.count + padding - 1) / padding * padding {
        let tap = taps[min(i, taps.count - 1)]
        let start = multiple == 1 ? min(tap.start, length - self.count) : tap.start
        starts.append(Int32(start))
        let before = [Int16](repeating: 0, count: tap.start - start)
        weights += before + tap.weights
        weights += [Int16](repeating: 0, count: self.count - before.count - tap.weights.count)
      }
      self.starts = KernelTable(starts)
      self.weights = KernelTable(weights)
    }
  }

  /// `horizontal` and `vertical` lead from the mask to the video.
  package init(horizontal: ScaleLine, vertical: ScaleLine, threadCount: Int, processor: Processor = .best) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.processor = processor
    columns = Taps(horizontal, multiple: 4, padding: MatteSamples.blockWidth)
    rows = Taps(vertical, multiple: 1, padding: 1)
    var reduction = RTKReduction(horizontal, vertical, columns, rows)
    self.reduction = reduction
    scratch = KernelScratch(byteCount: rtk_reduce_scratch(&reduction), threadCount: threadCount)
  }

  /// Converts `count` pixels of packed RGB to grey.
  package static func grey(
    _ rgb: UnsafePointer<UInt8>, to grey: UnsafeMutablePointer<Int16>, count: Int, processor: Processor = .best
  ) {
    rtk_grey(processor.choice, rgb, grey, count)
  }

  /// Reduces the video's grey to rows of whole blocks of `MatteSamples.blockWidth`.
  package func apply(
    _ grey: UnsafePointer<Int16>, to result: UnsafeMutablePointer<Int16>, rows: Range<Int>, thread: Int
  ) {
    var reduction = reduction
    withExtendedLifetime(self) {
      rtk_reduce_grey(
        processor.choice, &reduction, grey, result, Int32(rows.lowerBound), Int32(rows.count), scratch.piece(thread))
    }
  }
}

extension RTKReduction {
  /// From the video to the mask, the reverse of the lines. Valid as long as the taps live.
  init(_ horizontal: ScaleLine, _ vertical: ScaleLine, _ columns: GreyReduction.Taps, _ rows: GreyReduction.Taps) {
    self.init(
      sourceWidth: Int32(horizontal.targetLength), sourceHeight: Int32(vertical.targetLength),
      targetWidth: Int32(horizontal.sourceLength), targetHeight: Int32(vertical.sourceLength),
      columnTaps: Int32(columns.count), rowTaps: Int32(rows.count), columns: columns.starts.address,
      rows: rows.starts.address, columnWeights: columns.weights.address, rowWeights: rows.weights.address)
  }
}
