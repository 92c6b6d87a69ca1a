import FrameModel
import RecordingStore
import Replay
import Support

/// Which frame sets of a recording a bundle has to hold, so that a replay of them gives what a replay of the whole gives there.
struct BundlePartOfRecording {
  /// In the whole recording.
  let frameSets: Range<Int>
  /// In the part, whose first frame set is 0.
  let order: PlayOrder
  /// What the part's first frame set is called.
  let firstNumber: Int
  /// Frame sets of one pass.
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
