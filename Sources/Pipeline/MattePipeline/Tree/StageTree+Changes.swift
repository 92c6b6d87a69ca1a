import Parameters
import Support

/// Parameters that change while frames run, in a tree of one setting.
extension StageTree {
  func change(to new: ParameterSet, at index: Int) throws(RetakeError) {
    let maskNode = composites[0].mask
    try new.checkChange(from: parameters)
    let plan = try maker.plan(new)
    let isMaskTheSame =
      maskNode.stage != nil && plan.makesDepth == (maskNode.depth.stage != nil)
      && !new.groupsThatDiffer(from: parameters).contains("mask")
    // Only a stage knows whether its masks can be made, and how large they are.
    if plan.makesMask, !isMaskTheSame { try checkSize(of: try maker.maskStage(new, plan)) }
    changes.add(new, at: index)
  }

  /// A caller that uses masks has allocated memory for the first size.
  private func checkSize(of mask: MaskStage) throws(RetakeError) {
    let new = mask.output.geometry.size
    let old = maskSize ?? new
    maskSize = old
    guard maker.wanted.contains(.mask), old != new else { return }
    throw RetakeError(
      .usage,
      "mask.kind cannot be changed while frames are processed: the mask's size would change to "
        + "\(new) from \(old).",
      hint: "set it for the whole run, or do not request masks")
  }

  /// Applies the changes that are due. Stages with unchanged parameters continue; others hand over
  /// their state.
  func applyChanges(upTo index: Int) throws(RetakeError) {
    guard let new = changes.due(at: index) else { return }
    let (plan, composite) = (try maker.plan(new), composites[0])
    // The mask comes first, since only it can fail.
    try composite.mask.update(new, plan, maker)
    composite.depth.update(new, plan, maker)
    composite.matte.update(new, plan, maker)
    composite.update(new, plan, maker)
    parameters = new
    changes.remove(upTo: index)
  }
}
