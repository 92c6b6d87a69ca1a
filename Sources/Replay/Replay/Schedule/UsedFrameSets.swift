import FrameModel
import RecordingStore
import Support

extension ReplayPlan {
  /// Frame sets that a replay depends on, counted from 0. They are those that it plays, and those
  /// around them whose depth or faces are in effect there, arrive late, or affect duplicates and
  /// swaps. A copy of them, played with the same plan, gives the same frame sets. No frame is read.
  /// - Throws: errors of `ReplayCursor` for a plan that plays nothing.
  package func usedFrameSets(of recording: Recording, readsDepth: Bool = true) throws(RetakeError) -> Range<Int> {
    let cursor = try ReplayCursor(recording, self, readsDepth: readsDepth)
    let count = try recording.frameSetCount()
    let order = order.within(count)
    let streams = FrameSetPlanner.Streams(depth: readsDepth ? recording.firstStream(.depth) : nil, alpha: nil)
    var planner = FrameSetPlanner(recording, self, order, count: count, streams: streams)
    for position in 0..<cursor.frameCount {
      let number = order.number(at: position) + firstNumber
      if case .comes = delivery.colorFate(number) { _ = try planner.plan(number) }
    }
    let used = planner.usedFrameSets ?? order.frames.lowerBound...order.frames.lowerBound
    return min(used.lowerBound, order.frames.lowerBound)..<max(used.upperBound + 1, order.frames.upperBound)
  }
}
