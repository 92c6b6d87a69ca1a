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
