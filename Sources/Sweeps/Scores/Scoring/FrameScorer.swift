/// Scores one matte of one frame. Values that several scores use are computed once.
struct FrameScorer {
  let scene: Scene
  /// All zero if there is no matte.
  let matte: MatteFeatures
  /// The matte for comparisons with the truth: without the pixels that the truth leaves out.
  let judged: MatteFeatures
  let hasMatte: Bool
  /// The previous frame's matte, all zero if it had none. Nil if no wanted score uses it, or if the
  /// scene's previous frame is not the one scored last.
  let before: PackedMatte?
  let hadMatte: Bool
  let memory: ScoreMemory

  var truth: TruthFeatures? { scene.picture.truth }
  lazy var alphaError = scene.picture.truth.map { AlphaError(judged, $0) }
  lazy var boundary = scene.picture.truth.map { BoundaryMatch(judged, $0) }
  lazy var shape = MaskShape(matte)
  /// Holes by the truth, if the frame has it.
  lazy var pieces = MaskPieces(matte, memory, truth: scene.picture.truth)

  init(
    _ scene: Scene, _ matte: MatteFeatures, judged: MatteFeatures, hasMatte: Bool, before: PackedMatte?,
    hadMatte: Bool, _ memory: ScoreMemory
  ) {
    (self.scene, self.matte, self.judged, self.hasMatte) = (scene, matte, judged, hasMatte)
    (self.before, self.hadMatte, self.memory) = (before, hadMatte, memory)
  }
}
