import RecordingStore
import Replay
import Support

/// The frame sets of a recording that a bundle needs to replay its part as in the whole recording.
struct BundlePartOfRecording {
  /// Numbered as in the whole recording, from 0.
  let frameSets: Range<Int>
  /// Numbered as in the part, from 0.
  let order: PlayOrder
  /// Number of the part's first frame set in the whole recording.
  let firstNumber: Int
  /// Frame sets that one pass plays.
  let count: Int

  /// - Throws: `.unsupported` for a part without frames.
  init(_ recording: Recording, _ request: ReplayRequest) throws(RetakeError) {
    let needsDepth = request.changes.needsDepth(from: request.parameters)
    let plan = ReplayPlan(request.parameters, order: request.order, firstNumber: request.firstNumber)
    frameSets = try plan.usedFrameSets(of: recording, readsDepth: needsDepth)
    let wanted = request.order.within(try recording.frameSetCount()).frames
    firstNumber = request.firstNumber + frameSets.lowerBound
    var order = request.order
    order.frames = wanted.lowerBound - frameSets.lowerBound..<wanted.upperBound - frameSets.lowerBound
    self.order = order
    count = order.countOfOnePass
  }
}
