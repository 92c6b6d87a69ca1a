import Synchronization

/// The product's version. What decides pixels has a number of its own: `PipelineRevision`.
package enum RetakeVersion {
  package static let current = "0.1.0"

  /// The commit of the build, as the program set it at its start; "unknown" in libraries and outside of a checkout.
  package static var commit: String {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
  private static let state = Mutex("unknown")
}
