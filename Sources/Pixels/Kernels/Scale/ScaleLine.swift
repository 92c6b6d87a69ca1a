/// How a line of samples lies along a line of another length, as rows and columns of a mask do along the video's.
package struct ScaleLine: Hashable, Sendable {
  package let sourceLength: Int
  package let targetLength: Int
  /// Target samples for each source sample, as a fraction.
  package let scaleNumerator: Int
  package let scaleDenominator: Int

  /// How long the line of samples would be if its last sample were as wide as what it covers, as a fraction: a decimated
  /// line's last sample may reach beyond the end of what was measured.
  package let sceneNumerator: Int
  package let sceneDenominator: Int

  /// - Parameter sceneNumerator: nil for a line of whole samples.
  package init(
    from sourceLength: Int, to targetLength: Int, scaleNumerator: Int, scaleDenominator: Int,
    sceneNumerator: Int? = nil, sceneDenominator: Int = 1
  ) {
    precondition(sourceLength > 0 && targetLength > 0 && scaleNumerator > 0 && scaleDenominator > 0)
    self.sourceLength = sourceLength
    self.targetLength = targetLength
    self.scaleNumerator = scaleNumerator
    self.scaleDenominator = scaleDenominator
    self.sceneNumerator = sceneNumerator ?? sourceLength
    self.sceneDenominator = sceneDenominator
  }

  /// Source samples by which the lines begin apart, since their middles coincide.
  package var offset: Double {
    let scene = Double(sceneNumerator) / Double(sceneDenominator)
    return (scene - Double(targetLength) * Double(scaleDenominator) / Double(scaleNumerator)) / 2
  }
}
