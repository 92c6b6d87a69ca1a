/// How a line of samples lies along a line of another length, as rows and columns of a mask do along the video's.
package struct ScaleLine: Hashable, Sendable {
  package let sourceLength: Int
  package let targetLength: Int
  /// Target samples for each source sample, as a fraction.
  package let scaleNumerator: Int
  package let scaleDenominator: Int

  package init(from sourceLength: Int, to targetLength: Int, scaleNumerator: Int, scaleDenominator: Int) {
    precondition(sourceLength > 0 && targetLength > 0 && scaleNumerator > 0 && scaleDenominator > 0)
    self.sourceLength = sourceLength
    self.targetLength = targetLength
    self.scaleNumerator = scaleNumerator
    self.scaleDenominator = scaleDenominator
  }

  /// Source samples by which the lines begin apart, since their middles coincide.
  package var offset: Double {
    (Double(sourceLength) - Double(targetLength) * Double(scaleDenominator) / Double(scaleNumerator)) / 2
  }
}
