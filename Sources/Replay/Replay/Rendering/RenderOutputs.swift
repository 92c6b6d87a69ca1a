import MattePipeline
import Support

/// The outputs of one run. They are independent: a failed one does not affect the others.
package final class RenderOutputs {
  /// Outputs that have not failed.
  private var open: [(name: String, sink: any RenderSink)]
  package private(set) var finished: [String] = []
  package private(set) var failure: RetakeError?

  package private(set) var withoutTapCount = 0
  private let tap: Tap?

  /// - Parameter tap: the tap that all outputs show; nil when they show several.
  package init(_ outputs: [(name: String, sink: any RenderSink)], tap: Tap? = nil) {
    open = outputs
    self.tap = tap
  }

  /// Whether every output has failed.
  package var isLost: Bool { open.isEmpty && failure != nil }

  /// Passes a picture to every working output. A failed output gets no more.
  /// - Throws: the first error at this picture, after all outputs have been called.
  package func take(_ output: PipelineOutput) throws(RetakeError) {
    if let tap, tap.isMissing(in: output) { withoutTapCount += 1 }
    try forEach { sink throws(RetakeError) in try sink.take(output) }
  }

  /// - Throws: the first error, after all outputs have been called.
  package func finish() throws(RetakeError) {
    defer {
      finished += open.map(\.name)
      open = []
    }
    try forEach { sink throws(RetakeError) in try sink.finish() }
  }

  /// Drops all outputs, which removes unfinished files.
  package func abandon() { open = [] }

  private func forEach(_ body: (any RenderSink) throws(RetakeError) -> Void) throws(RetakeError) {
    var first: RetakeError?
    var i = 0
    while i < open.count {
      do throws(RetakeError) {
        try body(open[i].sink)
        i += 1
      } catch {
        first = first ?? error
        open.remove(at: i)
      }
    }
    guard let first else { return }
    failure = failure ?? first
    throw first
  }
}
