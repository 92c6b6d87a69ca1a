import CKernels

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
  package var isIdentity: Bool {
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

/// Interpolation for enlarging a plane. Raw values are those of the parameter.
package enum ScaleKind: String, CaseIterable, Sendable {
  case bicubic, bilinear, nearest
}

extension ScaleTable {
  package init(_ kind: ScaleKind, _ line: ScaleLine) {
    let (source, target) = (line.sourceLength, line.targetLength)
    let (numerator, denominator) = (line.scaleNumerator, line.scaleDenominator)
    switch kind {
    case .bicubic:
      self.init(
        bicubicFrom: source, to: target, scaleNumerator: numerator, scaleDenominator: denominator, offset: line.offset)
    case .bilinear:
      self.init(
        bilinearFrom: source, to: target, scaleNumerator: numerator, scaleDenominator: denominator, offset: line.offset)
    case .nearest:
      self.init(nearest: line)
    }
  }

  /// Linear interpolation between the two samples around (i + ½) / scale − ½ + offset: pixel
  /// centres map to pixel centres. They are the middle two of the four taps.
  package init(
    bilinearFrom sourceLength: Int, to targetLength: Int, scaleNumerator: Int, scaleDenominator: Int,
    offset: Double = 0
  ) {
    self.init(sourceLength: sourceLength, targetLength: targetLength) { i in
      // Only IEEE 754's four operations and floor: bit-identical on every machine.
      let place = (Double(i) + 0.5) * Double(scaleDenominator) / Double(scaleNumerator) - 0.5 + offset
      let floor = place.rounded(.down)
      let weight = Int16(((place - floor) * Double(Self.one)).rounded(.toNearestOrEven))
      return (Self.within(sourceLength, floor), [0, Self.one - weight, weight, 0])
    }
  }

  /// The source sample that contains the output sample's centre; on a boundary, the later one. Line
  /// centres coincide: floor((2 i + 1 − target) / 2 / scale + scene / 2), in integers. For
  /// stretched lines that is floor((i + ½) · source / target).
  private init(nearest line: ScaleLine) {
    self.init(sourceLength: line.sourceLength, targetLength: line.targetLength) { i in
      let place =
        (2 * i + 1 - line.targetLength) * line.scaleDenominator * line.sceneDenominator
        + line.sceneNumerator * line.scaleNumerator
      let (quotient, remainder) = place.quotientAndRemainder(
        dividingBy: 2 * line.scaleNumerator * line.sceneDenominator)
      return (remainder < 0 ? quotient - 1 : quotient, [0, Self.one, 0, 0])
    }
  }
}
