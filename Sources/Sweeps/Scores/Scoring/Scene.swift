/// The data of a frame that all settings share: everything that depends on the picture, the truth
/// and the faces alone. Made by `SceneMaker`; immutable, so several threads may score with it at
/// once.
package final class Scene: Sendable {
  package let number: Int
  /// In play order; nil for the first.
  package let previousNumber: Int?
  let picture: ScenePicture
  /// Nil for the first frame, if the previous one's truth was no longer cached, or if no wanted score compares with it.
  let truthChange: TruthChange?
  /// Pixels where nothing moved since the previous picture; also nil if no wanted score uses them.
  let still: StillPixels?
  /// Whether the recording has truth, though perhaps not for this frame.
  let hasTruth: Bool
  /// Empty if no face was found, or if no wanted score uses faces.
  let faces: [FaceBox]
  let scratch: ScratchPool

  init(
    _ picture: ScenePicture, previousNumber: Int?, truthChange: TruthChange?, still: StillPixels?,
    hasTruth: Bool, faces: [FaceBox], scratch: ScratchPool
  ) {
    number = picture.number
    self.previousNumber = previousNumber
    (self.picture, self.truthChange, self.still) = (picture, truthChange, still)
    (self.hasTruth, self.faces, self.scratch) = (hasTruth, faces, scratch)
  }
}
