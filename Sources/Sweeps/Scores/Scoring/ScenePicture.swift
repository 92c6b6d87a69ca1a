/// What scores need of one frame's picture and truth, whichever frame came before it.
final class ScenePicture: Sendable {
  let number: Int
  /// In grey; nil where no wanted score looks at the video.
  let grey: PictureFeatures?
  /// Nil where there is no truth, or no wanted score compares with it.
  let truth: TruthFeatures?

  init(number: Int, grey: PictureFeatures?, truth: TruthFeatures?) {
    (self.number, self.grey, self.truth) = (number, grey, truth)
  }
}
