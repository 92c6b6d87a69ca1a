import FrameModel
import RecordingStore
import Support

extension ReplayPlan {
  /// Which frame sets of a recording a replay depends on: those that it plays, and those before and after them whose depth or
  /// faces hold in them, come late, stand in for another, or decide that one does. A copy of these, played by the same plan, gives
  /// the same frame sets.
  ///
  /// No frame is read.
  /// - Parameter readsDepth: as for `ReplayCursor`.
  /// - Returns: as the recording counts, from 0.
  /// - Throws: what `ReplayCursor` throws for a plan that plays nothing.
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
