import CKernels
import Support

/// Interpolation for enlarging a plane. Raw values are those of the parameter.
package enum ScaleKind: String, CaseIterable, Sendable {
  case bicubic, bilinear, nearest
}

/// The four source samples of each output sample of a line, and their weights.
package struct ScaleTable: Sendable {
  /// With 14 fractional bits; a sample's four weights add up to exactly one.
  package static let one = Int16(RTKWeightOne)

  package let sourceLength: Int
  package let targetLength: Int
  /// For each output sample the first of four consecutive source positions, -4 ... `sourceLength`.
  /// Positions outside the source repeat its edge. Padded to whole blocks with the last one.
  package let starts: KernelTable<Int32>
  package let weights: KernelTable<Int16>

  private struct Key: Hashable {
    let kind: ScaleKind
    let line: ScaleLine
  }
  private static let known = Memo<Key, ScaleTable>(limit: 32)

  /// Computed once: the settings of a sweep scale alike.
  package static func shared(_ kind: ScaleKind, _ line: ScaleLine) -> ScaleTable {
    known.value(Key(kind: kind, line: line)) { ScaleTable(kind, line) }
  }

  package init(_ kind: ScaleKind, _ line: ScaleLine) {
    let blockWidth = MatteSamples.blockWidth
    sourceLength = line.sourceLength
    targetLength = line.targetLength
    var starts: [Int32] = []
    var weights: [Int16] = []
    for i in 0..<(targetLength + blockWidth - 1) / blockWidth * blockWidth {
      let taps = Self.taps(kind, line, min(i, targetLength - 1))
      starts.append(Int32(min(max(taps.place - 1, -4), sourceLength)))
      weights += taps.weights
    }
    self.starts = KernelTable(starts)
    self.weights = KernelTable(weights)
  }

  /// An output sample's second of four source positions, and the four weights.
  ///
  /// Output sample i lies at (i + ½) / scale − ½ + offset of the source: pixel centres map to pixel
  /// centres. The scale is in output samples per source sample, the offset in source samples.
  private static func taps(_ kind: ScaleKind, _ line: ScaleLine, _ i: Int) -> (place: Int, weights: [Int16]) {
    if kind == .nearest { return (nearest(line, i), [0, one, 0, 0]) }
    // Only IEEE 754's four operations and floor: bit-identical on every machine.
    let place = (Double(i) + 0.5) * Double(line.scaleDenominator) / Double(line.scaleNumerator) - 0.5 + line.offset
    let floor = place.rounded(.down)
    let t = place - floor
    // Clamped: beyond both edges all positions are equivalent.
    return (
      Int(min(max(floor, -4), Double(line.sourceLength + 4))), kind == .bicubic ? cubicWeights(t) : linearWeights(t)
    )
  }

  /// - Parameter t: from the second tap to the output sample, below 1.
  private static func cubicWeights(_ t: Double) -> [Int16] {
    var weights = [1 + t, t, 1 - t, 2 - t].map { Int16((cubic($0) * Double(one)).rounded(.toNearestOrEven)) }
    let nearest = t < 0.5 ? 1 : 2
    weights[nearest] += one - weights.reduce(0, +)
    return weights
  }

  /// Mitchell and Netravali 1988, equation 8, for 0 ≤ x ≤ 2, with B = 0 and C = 0.75, as Core
  /// Image's bicubic scale transform has.
  private static func cubic(_ x: Double) -> Double {
    let x2 = x * x
    let x3 = x2 * x
    if x < 1 { return (7.5 * x3 - 13.5 * x2 + 6) / 6 }
    return x < 2 ? (-4.5 * x3 + 22.5 * x2 - 36 * x + 18) / 6 : 0
  }

  private static func linearWeights(_ t: Double) -> [Int16] {
    let weight = Int16((t * Double(one)).rounded(.toNearestOrEven))
    return [0, one - weight, weight, 0]
  }

  /// The source sample that contains the output sample's centre; on a boundary, the later one. Line
  /// centres coincide: floor((2 i + 1 − target) / 2 / scale + scene / 2), in integers. For
  /// stretched lines that is floor((i + ½) · source / target).
  private static func nearest(_ line: ScaleLine, _ i: Int) -> Int {
    let place =
      (2 * i + 1 - line.targetLength) * line.scaleDenominator * line.sceneDenominator
      + line.sceneNumerator * line.scaleNumerator
    let (quotient, remainder) = place.quotientAndRemainder(
      dividingBy: 2 * line.scaleNumerator * line.sceneDenominator)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Whether each output sample is the input at the same position.
  package var isIdentity: Bool {
    sourceLength == targetLength
      && (0..<targetLength).allSatisfy { starts.elements[$0] == $0 - 1 && weights.elements[4 * $0 + 1] == Self.one }
  }
}
