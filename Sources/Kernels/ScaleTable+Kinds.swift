/// How a plane grows to another size. Raw values are those of the parameter.
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

  /// The two samples round a place (i + ½) / scale − ½ + offset, by their distance: pixel centres map to pixel centres. They
  /// are the middle two of the four taps.
  package init(
    bilinearFrom sourceLength: Int, to targetLength: Int, scaleNumerator: Int, scaleDenominator: Int,
    offset: Double = 0
  ) {
    self.init(sourceLength: sourceLength, targetLength: targetLength) { i in
      // Only IEEE's four operations and floor: the same bits everywhere.
      let place = (Double(i) + 0.5) * Double(scaleDenominator) / Double(scaleNumerator) - 0.5 + offset
      let floor = place.rounded(.down)
      let weight = Int16(((place - floor) * Double(Self.one)).rounded(.toNearestOrEven))
      return (Int(min(max(floor, -4), Double(sourceLength + 4))), [0, Self.one - weight, weight, 0])
    }
  }

  /// The sample that an output sample's centre falls into; one that falls between two takes the later. Middles coincide:
  /// floor((2 i + 1 − target) / 2 / scale + scene / 2), which for stretched lines is floor((i + ½) · source / target). In
  /// whole numbers.
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

  /// - Parameter taps: of an output sample, the place of the second of its four samples, and their weights.
  private init(sourceLength: Int, targetLength: Int, _ taps: (Int) -> (place: Int, weights: [Int16])) {
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
}
