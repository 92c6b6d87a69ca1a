/// What came together from several results files.
package struct MergeReport: Hashable, Sendable {
  package struct Input: Hashable, Sendable {
    package var path: String
    /// Finished runs in it, and those of them that no file before it had.
    package var runCount: Int
    package var newCount: Int
  }

  package var inputs: [Input]
  /// Of all inputs together, each once.
  package var runCount: Int
  /// Those that no input has, in order: the sweep goes on with them.
  package var missing: [RunKey]
}
