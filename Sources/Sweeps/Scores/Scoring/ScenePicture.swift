/// The data that scores need of one frame's picture and truth, independent of the previous frame.
final class ScenePicture: Sendable {
  let number: Int
  /// The grey picture; nil if no wanted score uses the video.
  let grey: PictureFeatures?
  /// Nil without truth, or if no wanted score uses it.
  let truth: TruthFeatures?

  init(number: Int, grey: PictureFeatures?, truth: TruthFeatures?) {
    (self.number, self.grey, self.truth) = (number, grey, truth)
  }
}
