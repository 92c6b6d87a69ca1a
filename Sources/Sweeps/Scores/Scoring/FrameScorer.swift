/// Scores one matte of one frame. Values that several scores use are computed once.
struct FrameScorer {
  let scene: Scene
  /// All zero if there is no matte.
  let matte: MatteFeatures
  let hasMatte: Bool
  /// The previous frame's matte, all zero if it had none. Nil if no wanted score uses it, or if the
  /// scene's previous frame is not the one scored last.
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
