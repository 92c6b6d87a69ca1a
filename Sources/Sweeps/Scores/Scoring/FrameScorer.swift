/// One matte of one frame, and what scores are computed from. What several scores use is computed once.
struct FrameScorer {
  let scene: Scene
  /// All zero where there is none.
  let matte: MatteFeatures
  let hasMatte: Bool
  /// The matte of the frame before, all zero where that frame had none; nil where no wanted score looks back, or where the
  /// scene's frame before is not the one that was scored last.
  let before: MatteFeatures?
  let hadMatte: Bool
  let memory: ScoreMemory

  var truth: TruthFeatures? { scene.picture.truth }
  lazy var alphaError = scene.picture.truth.map { AlphaError(matte.plane, $0.plane) }
  lazy var shape = MaskShape(matte)
  lazy var pieces = MaskPieces(matte, memory)

  init(
    _ scene: Scene, _ matte: MatteFeatures, hasMatte: Bool, before: MatteFeatures?, hadMatte: Bool,
    _ memory: ScoreMemory
  ) {
    (self.scene, self.matte, self.hasMatte) = (scene, matte, hasMatte)
    (self.before, self.hadMatte, self.memory) = (before, hadMatte, memory)
  }
}
