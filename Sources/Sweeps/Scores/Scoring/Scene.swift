/// What all settings share of a frame: everything that depends on the picture, the truth and the faces alone, made once by a
/// `SceneMaker`. Nothing in it changes, so any number of threads may score with it at once.
package final class Scene: Sendable {
  /// The frame set's.
  package let number: Int
  /// Of the frame that came before it in its play order; nil for the first.
  package let previousNumber: Int?
  let picture: ScenePicture
  /// Of the frame before; nil for the first, or where that picture was no longer at hand.
  let pictureBefore: ScenePicture?
  /// How blocks moved since then; nil too where no wanted score asks.
  let motion: BlockMotion?
  /// Nil where none is seen, or none is asked for.
  let faces: [FaceBox]
  /// What scorers work with and need not keep.
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
