import MatteMetrics

/// One matte of one frame, and what it is scored by.
struct FrameScorer {
  let wanted: WantedScores
  let scene: Scene
  /// All zero where there is none.
  let matte: BytePlane
  let hasMatte: Bool
  let components: Components

  /// What a frame is worth beside its truth; nothing where that is missing.
  func compareWithTruth(_ row: inout ScoreRow) {
    guard let truth = scene.picture.truth?.view else { return }
    if wanted.iou { row[.iou] = RegionOverlap.intersectionOverUnion(matte, truth) }
    if wanted.sad || wanted.mse {
      let error = AlphaError(matte, truth)
      if wanted.sad { row[.sad] = error.sumOfAbsoluteDifferences }
      if wanted.mse { row[.mse] = error.meanSquaredError }
    }
    if wanted.boundaryF, let edge = scene.picture.truthEdge {
      row[.boundaryF] = BoundaryMatch(.init(matte), edge).f
    }
    if wanted.gradient, let slopes = scene.picture.truthSlopes {
      row[.gradient] = GradientMap(matte).error(slopes)
    }
    if wanted.connectivity { row[.connectivity] = ConnectivityError.sum(matte, truth, components) }
  }

  /// What a frame is worth beside its picture.
  func look(_ row: inout ScoreRow) {
    if wanted.edgeAlignment, hasMatte, let grey = scene.picture.grey {
      row[.edgeAlignment] = EdgeAlignment.ratio(matte, grey.view)
    }
    if wanted.faceCoverage { row[.faceCoverage] = faceCoverage }
  }

  private var faceCoverage: Double? {
    var (sum, count) = (0.0, 0)
    for face in scene.faces {
      guard let share = FaceCoverage.share(matte, columns: face.columns, rows: face.rows) else { continue }
      sum += share
      count += 1
    }
    return count == 0 ? nil : sum / Double(count)
  }

  /// What a matte looks like by itself.
  /// - Returns: its area, which a recording's scores need too; nil where none wants it.
  func describe(_ row: inout ScoreRow) -> Double? {
    guard wanted.soft || wanted.holes || wanted.components || wanted.area || wanted.areaSeries else { return nil }
    let shape = MaskShape(matte, components)
    if wanted.soft { row[.soft] = shape.softShare }
    if wanted.holes { row[.holes] = Double(shape.holeCount) }
    if wanted.components { row[.components] = Double(shape.componentCount) }
    if wanted.area { row[.area] = shape.area }
    return shape.area
  }

  /// What changed since the frame before.
  /// - Parameters:
  ///   - before: that frame's matte, all zero where there was none.
  ///   - isThere: whether there was one.
  func compare(with before: BytePlane, isThere: Bool, _ row: inout ScoreRow) {
    if wanted.dtssd, let truth = scene.picture.truth?.view,
      let truthBefore = scene.pictureBefore?.truth?.view
    {
      row[.dtssd] = TemporalError(matte, after: before, truth: truth, after: truthBefore).rootMeanSquare
    }
    if wanted.flicker, hasMatte, isThere, let motion = scene.motion {
      row[.flicker] = Flicker(matte, after: before, motion).mean
    }
  }
}
