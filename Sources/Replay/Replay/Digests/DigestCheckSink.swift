import FrameModel
import MattePipeline
import Support

/// Compares what it gets with a file of digests as it comes. A difference is no error: it is remembered.
package final class DigestCheckSink: RenderSink {
  package private(set) var comparison: DigestComparison
  private var digests = FrameDigests()

  /// What came, or did not come, otherwise than was expected; nil where everything did as it should. Whole after `finish`.
  package var firstDifference: DigestDifference? { comparison.firstDifference }

  /// Whether what still comes says nothing new: see `DigestComparison.hasSurplus`.
  package var hasSurplus: Bool { comparison.hasSurplus }
  /// What there is to say of an expectation that was cut off: a difference is none then. Whole after `finish`.
  package var cutSentence: String? { comparison.cutSentence }

  package init(_ expected: DigestFileReader) { comparison = DigestComparison(expected) }

  /// - Throws: what reading the expected digests throws.
  package func take(_ output: PipelineOutput) throws(RetakeError) {
    try comparison.take(DigestLine(frame: output.index, digests: digests.of(output)))
  }

  package func finish() throws(RetakeError) { try comparison.finish() }
}
