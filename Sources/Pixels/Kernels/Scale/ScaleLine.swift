/// How a line of samples, such as a mask's row, is aligned with a line of another length.
package struct ScaleLine: Hashable, Sendable {
  package let sourceLength: Int
  package let targetLength: Int
  /// Target samples per source sample, as a fraction.
  package let scaleNumerator: Int
  package let scaleDenominator: Int

  /// The source line's length without the part of its last sample that reaches beyond what was
  /// measured, as a fraction of samples. Decimation causes such samples.
  package let sceneNumerator: Int
  package let sceneDenominator: Int

  /// - Parameter sceneNumerator: nil if all source samples are whole.
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

  /// Source samples between the starts of the two lines, whose centres coincide.
  package var offset: Double {
    let scene = Double(sceneNumerator) / Double(sceneDenominator)
    return (scene - Double(targetLength) * Double(scaleDenominator) / Double(scaleNumerator)) / 2
  }
}
