import FrameModel
import MattePipeline
import Support

/// The outputs of one run. What becomes of one of them is nothing to the others: each gets every picture and is ended.
package final class RenderOutputs {
  /// Those that work.
  private var open: [(name: String, sink: any RenderSink)]
  /// Names of those that are whole.
  package private(set) var finished: [String] = []
  /// What the first one that failed said.
  package private(set) var failure: RetakeError?

  /// Frames that lacked the tap.
  package private(set) var withoutTapCount = 0
  private let tap: Tap?

  /// - Parameters:
  ///   - outputs: with what a person calls them.
  ///   - tap: what they show; nil where they show no single one.
  package init(_ outputs: [(name: String, sink: any RenderSink)], tap: Tap? = nil) {
    open = outputs
    self.tap = tap
  }

  /// There were outputs, and every one has failed.
  package var isLost: Bool { open.isEmpty && failure != nil }

  /// Gives a picture to every output that works; one that fails gets no more.
  /// - Throws: the error of the first that failed at this picture, after the others had it.
  package func take(_ output: PipelineOutput) throws(RetakeError) {
    if let tap, tap.isMissing(in: output) { withoutTapCount += 1 }
    try forEach { sink throws(RetakeError) in try sink.take(output) }
  }

  /// Ends all of them.
  /// - Throws: the first error.
  package func finish() throws(RetakeError) {
    defer {
      finished += open.map(\.name)
      open = []
    }
    try forEach { sink throws(RetakeError) in try sink.finish() }
  }

  /// Drops all of them: files that are not whole are removed.
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
