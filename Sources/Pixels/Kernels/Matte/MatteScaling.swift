import CKernels

/// The four source samples of each output sample of a line, and their weights.
package struct ScaleTable: Sendable {
  /// With 14 fractional bits; a sample's four weights add up to exactly one.
  package static let one = Int16(RTKWeightOne)

  package let sourceLength: Int
  package let targetLength: Int
  /// For each output sample the first of four consecutive source positions, -4 ... `sourceLength`.
  /// Positions outside the source repeat its edge. Padded to whole blocks with the last one.
  let starts: KernelTable<Int32>
  let weights: KernelTable<Int16>

  /// Bicubic, of the Mitchell–Netravali family. Output sample i lies at
  /// (i + ½) / scale − ½ + offset of the source: pixel centres map to pixel centres.
  /// The scale is in output samples per source sample, the offset in source samples. Core Image's
  /// bicubic scale transform has B = 0, C = 0.75.
  package init(
    bicubicFrom sourceLength: Int, to targetLength: Int, scaleNumerator: Int, scaleDenominator: Int,
    offset: Double = 0, b: Double = 0, c: Double = 0.75
  ) {
    self.init(sourceLength: sourceLength, targetLength: targetLength) { i in
      // Only IEEE 754's four operations and floor: bit-identical on every machine.
      let place = (Double(i) + 0.5) * Double(scaleDenominator) / Double(scaleNumerator) - 0.5 + offset
      let floor = place.rounded(.down)
      let t = place - floor
      let exact = [1 + t, t, 1 - t, 2 - t].map { Self.cubic($0, b: b, c: c) }
      var rounded = exact.map { Int16(($0 * Double(Self.one)).rounded(.toNearestOrEven)) }
      let nearest = t < 0.5 ? 1 : 2
      rounded[nearest] += Self.one - rounded.reduce(0, +)
      return (Self.within(sourceLength, floor), rounded)
    }
  }

  /// - Parameter taps: an output sample's second of four source positions, and the four weights.
  init(sourceLength: Int, targetLength: Int, _ taps: (Int) -> (place: Int, weights: [Int16])) {
    let blockWidth = MatteSamples.blockWidth
    var starts: [Int32] = []
    var weights: [Int16] = []
    for i in 0..<(targetLength + blockWidth - 1) / blockWidth * blockWidth {
      let tap = taps(min(i, targetLength - 1))
      starts.append(Int32(min(max(tap.place - 1, -4), sourceLength)))
      weights += tap.weights
    }
    self.sourceLength = sourceLength
    self.targetLength = targetLength
    self.starts = KernelTable(starts)
    self.weights = KernelTable(weights)
  }

  /// Converts a position to Int, clamped: beyond both edges all positions are equivalent.
  static func within(_ sourceLength: Int, _ place: Double) -> Int { Int(min(max(place, -4), Double(sourceLength + 4))) }

  /// Whether each output sample is the input at the same position.
  var isIdentity: Bool {
    sourceLength == targetLength
      && (0..<targetLength).allSatisfy { starts.elements[$0] == $0 - 1 && weights.elements[4 * $0 + 1] == Self.one }
  }

  /// Mitchell and Netravali 1988, equation 8, for 0 ≤ x ≤ 2.
  static func cubic(_ x: Double, b: Double, c: Double) -> Double {
    let x2 = x * x
    let x3 = x2 * x
    if x < 1 { return ((12 - 9 * b - 6 * c) * x3 + (12 * b + 6 * c - 18) * x2 + (6 - 2 * b)) / 6 }
    if x < 2 {
      return ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6
    }
    return 0
  }
}

/// Scales matte samples to a finished 8-bit matte. Along x: (Σ weight · sample + 2¹³) >> 14, with
/// overshoot. Along y: (Σ weight · that + 2¹⁹) >> 20, clamped to 0 ... 255.
package struct MatteScaling: Sendable {
  package let horizontal: ScaleTable
  package let vertical: ScaleTable
  private let isIdentity: Bool
  private let processor: Processor
  private let scratch: KernelScratch

  package init(horizontal: ScaleTable, vertical: ScaleTable, threadCount: Int, processor: Processor = .best) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.processor = processor
    isIdentity = horizontal.isIdentity && vertical.isIdentity
    var scale = Self.scale(horizontal, vertical)
    scratch = KernelScratch(byteCount: rtk_scale_scratch(&scale), threadCount: threadCount)
  }

  static func scale(_ horizontal: ScaleTable, _ vertical: ScaleTable) -> RTKScale {
    RTKScale(
      sourceWidth: Int32(horizontal.sourceLength), sourceHeight: Int32(vertical.sourceLength),
      targetWidth: Int32(horizontal.targetLength), targetHeight: Int32(vertical.targetLength),
      columns: horizontal.starts.address, rows: vertical.starts.address, columnWeights: horizontal.weights.address,
      rowWeights: vertical.weights.address)
  }

  package func apply(_ source: MatteSamples, to target: UnsafeMutablePointer<UInt8>, rows: Range<Int>, thread: Int) {
    let (first, count) = (Int32(rows.lowerBound), Int32(rows.count))
    if isIdentity {
      return rtk_finish_matte(
        processor.choice, source.samples, source.blocks, target, Int32(source.width), first, count)
    }
    var scale = Self.scale(horizontal, vertical)
    withExtendedLifetime(self) {
      rtk_scale_matte(
        processor.choice, &scale, source.samples, source.blocks, target, first, count, scratch.piece(thread))
    }
  }
}
