import MattePipeline
import Support

/// Compares a replay with a file of digests as frames arrive. Differences are kept, not thrown.
package final class DigestCheckSink: RenderSink {
  package private(set) var comparison: DigestComparison
  private var digests = FrameDigests()

  /// The first difference, including missing and extra frames. Complete after `finish`.
  package var firstDifference: DigestDifference? { comparison.firstDifference }

  package var hasSurplus: Bool { comparison.hasSurplus }
  /// Error message if the expected digests are truncated. A difference is then meaningless.
  package var cutSentence: String? { comparison.cutSentence }

  package init(_ expected: DigestFileReader) { comparison = DigestComparison(expected) }

  package func take(_ output: PipelineOutput) throws(RetakeError) {
    try comparison.take(DigestLine(frame: output.index, digests: digests.of(output)))
  }

  package func finish() throws(RetakeError) { try comparison.finish() }
}
