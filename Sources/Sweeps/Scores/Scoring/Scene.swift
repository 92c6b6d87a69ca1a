/// The data of a frame that all settings share: everything that depends on the picture, the truth
/// and the faces alone. Made by `SceneMaker`; immutable, so several threads may score with it at
/// once.
package final class Scene: Sendable {
  package let number: Int
  /// In play order; nil for the first.
  package let previousNumber: Int?
  let picture: ScenePicture
  /// The previous frame's picture; nil for the first frame, or if that picture was no longer
  /// cached.
  let pictureBefore: ScenePicture?
  /// Pixels where nothing moved since the previous picture; also nil if no wanted score uses them.
  let still: StillPixels?
  /// Whether the recording has truth, though perhaps not for this frame.
  let hasTruth: Bool
  /// Empty if no face was found, or if no wanted score uses faces.
  let faces: [FaceBox]
  let scratch: ScratchPool

  init(
    _ picture: ScenePicture, after pictureBefore: ScenePicture?, previousNumber: Int?, still: StillPixels?,
    hasTruth: Bool, faces: [FaceBox], scratch: ScratchPool
  ) {
    number = picture.number
    self.previousNumber = previousNumber
    (self.picture, self.pictureBefore, self.still) = (picture, pictureBefore, still)
    (self.hasTruth, self.faces, self.scratch) = (hasTruth, faces, scratch)
  }
}
