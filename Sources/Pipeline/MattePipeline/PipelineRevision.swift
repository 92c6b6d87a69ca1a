/// Numbers what decides pixels, apart from the product's version: the same recording, parameters and pipeline revision give
/// the same digests.
package enum PipelineRevision {
  /// Raised by one in each commit that changes a golden digest. `Tests/RetakeTests/Project/pipeline-revisions.txt` records
  /// the goldens of each revision, and .github/CHANGELOG.md says what looks different.
  package static let current = 5

  /// For results of programs that had no revision yet.
  package static let unknownText = "unknown"
}
