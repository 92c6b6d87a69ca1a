/// Data of one frame that does not depend on the previous frame.
final class ScenePicture: Sendable {
  let number: Int
  /// Nil if no wanted score uses the video in grey.
  let grey: PlaneCopy<UInt8>?
  /// Packed RGB; nil if no wanted score uses colours.
  let colors: PlaneCopy<UInt8>?
  /// Millimetres; nil without depth, or if no wanted score looks for movement.
  let depth: PlaneCopy<UInt16>?
  /// Nil without truth, or if no wanted score uses it.
  let truth: TruthFeatures?
  /// Nil without truth, or if no wanted score uses it.
  let spill: EdgeSpill?

  init(
    number: Int, grey: PlaneCopy<UInt8>?, colors: PlaneCopy<UInt8>?, depth: PlaneCopy<UInt16>?,
    truth: TruthFeatures?, spill: EdgeSpill? = nil
  ) {
    (self.number, self.grey, self.colors, self.depth) = (number, grey, colors, depth)
    (self.truth, self.spill) = (truth, spill)
  }
}
