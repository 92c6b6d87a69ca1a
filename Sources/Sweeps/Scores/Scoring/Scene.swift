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
  /// Block motion since the previous picture; also nil if no wanted score uses it.
  let motion: BlockMotion?
  /// Empty if no face was found, or if no wanted score uses faces.
  let faces: [FaceBox]
  let scratch: ScratchPool

  init(
    _ picture: ScenePicture, after pictureBefore: ScenePicture?, previousNumber: Int?, motion: BlockMotion?,
    faces: [FaceBox], scratch: ScratchPool
  ) {
    number = picture.number
    self.previousNumber = previousNumber
    (self.picture, self.pictureBefore, self.motion) = (picture, pictureBefore, motion)
    (self.faces, self.scratch) = (faces, scratch)
  }
}
