/// Which scores are wanted, in the form in which every frame asks: without looking anything up.
struct WantedScores: Sendable {
  let kinds: Set<ScoreKind>
  let iou: Bool
  let boundaryF: Bool
  let sad: Bool
  let mse: Bool
  let gradient: Bool
  let connectivity: Bool
  let dtssd: Bool
  let flicker: Bool
  let edgeAlignment: Bool
  let soft: Bool
  let holes: Bool
  let components: Bool
  let area: Bool
  let faceCoverage: Bool
  let lag: Bool
  /// Whether a recording's score is made of the area of its frames.
  let areaSeries: Bool
  /// Whether any compares with the truth.
  let truth: Bool
  /// Whether any looks at the video.
  let grey: Bool
  /// Whether any compares a matte with the one before.
  let change: Bool

  init(_ kinds: Set<ScoreKind>) {
    self.kinds = kinds
    iou = kinds.contains(.iou)
    boundaryF = kinds.contains(.boundaryF)
    sad = kinds.contains(.sad)
    mse = kinds.contains(.mse)
    gradient = kinds.contains(.gradient)
    connectivity = kinds.contains(.connectivity)
    dtssd = kinds.contains(.dtssd)
    flicker = kinds.contains(.flicker)
    edgeAlignment = kinds.contains(.edgeAlignment)
    soft = kinds.contains(.soft)
    holes = kinds.contains(.holes)
    components = kinds.contains(.components)
    area = kinds.contains(.area)
    faceCoverage = kinds.contains(.faceCoverage)
    lag = kinds.contains(.lag)
    areaSeries = kinds.contains(.areaVariation) || kinds.contains(.dropOuts)
    truth = kinds.contains { $0.need == .truth }
    grey = flicker || edgeAlignment
    change = flicker || dtssd
  }
}
