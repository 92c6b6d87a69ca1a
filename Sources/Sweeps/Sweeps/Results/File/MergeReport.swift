package struct MergeReport: Hashable, Sendable {
  package struct Input: Hashable, Sendable {
    package var path: String
    /// Finished runs in this file, and those that no earlier file had.
    package var runCount: Int
    package var newCount: Int
  }

  package var inputs: [Input]
  /// Distinct finished runs of all inputs.
  package var runCount: Int
  /// Runs that no input has, in order.
  package var missing: [RunKey]
}
