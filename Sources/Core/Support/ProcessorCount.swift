import Foundation

/// The default number of threads.
package enum ProcessorCount {
  /// Thread counts that every command accepts.
  package static let range = 1...256
  package static var usable: Int { min(range.upperBound, ProcessInfo.processInfo.activeProcessorCount) }
}
