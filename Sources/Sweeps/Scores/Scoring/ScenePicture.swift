/// Data of one frame that does not depend on the previous frame.
final class ScenePicture: Sendable {
  let number: Int
  /// Nil if no wanted score uses the video.
  let grey: PictureFeatures?
  /// Nil without truth, or if no wanted score uses it.
  let truth: TruthFeatures?

  init(number: Int, grey: PictureFeatures?, truth: TruthFeatures?) {
    (self.number, self.grey, self.truth) = (number, grey, truth)
  }
}
