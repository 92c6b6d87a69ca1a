import CKernels

/// The truth of a frame and of the one before it.
package final class TruthChange: Sendable {
  let now: TruthFeatures
  let before: TruthFeatures
  /// The pixels that are judged in both; nil for all.
  let judged: ByteMask?
  let judgedCount: Int

  package init(_ now: TruthFeatures, after before: TruthFeatures) {
    precondition(now.matte.isSameSize(as: before.matte))
    (self.now, self.before) = (now, before)
    guard let own = now.leftOut, let other = before.leftOut else {
      let leftOut = now.leftOut ?? before.leftOut
      (judged, judgedCount) = (leftOut?.judged, leftOut?.judgedCount ?? now.plane.count)
      return
    }
    let (processor, count) = (now.matte.processor, now.plane.count)
    let both = ByteMask(count: count)
    rtk_keep_within(processor, own.judged.samples, other.judged.samples, count, both.samples)
    (judged, judgedCount) = (both, both.count(width: now.width, height: now.height, processor))
  }
}
