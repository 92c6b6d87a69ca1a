/// One matte of one frame, and what it is scored by.
struct FrameScorer {
  let wanted: WantedScores
  let scene: Scene
  /// All zero where there is none.
  let matte: MatteFeatures
  let hasMatte: Bool
  let memory: ScoreMemory

  /// What a frame is worth beside its truth; nothing where that is missing.
  func compareWithTruth(_ row: inout ScoreRow) {
    guard let truth = scene.picture.truth else { return }
    if wanted.iou { row[.iou] = RegionOverlap.intersectionOverUnion(matte, truth) }
    if wanted.sad || wanted.mse {
      let error = AlphaError(matte.plane, truth.plane)
      if wanted.sad { row[.sad] = error.sumOfAbsoluteDifferences }
      if wanted.mse { row[.mse] = error.meanSquaredError }
    }
    if wanted.boundaryF { row[.boundaryF] = BoundaryMatch(matte, truth).f }
    if wanted.gradient { row[.gradient] = GradientError.sum(matte, truth, memory) }
    if wanted.connectivity { row[.connectivity] = ConnectivityError.sum(matte, truth, memory) }
  }

  /// What a frame is worth beside its picture.
  func compareWithPicture(_ row: inout ScoreRow) {
    if wanted.edgeAlignment, hasMatte, let grey = scene.picture.grey {
      row[.edgeAlignment] = EdgeAlignment.ratio(matte, grey.plane)
    }
    if wanted.faceCoverage { row[.faceCoverage] = faceCoverage }
  }

  private var faceCoverage: Double? {
    var (sum, count) = (0.0, 0)
    for face in scene.faces {
      guard let share = FaceCoverage.share(matte.plane, columns: face.columns, rows: face.rows) else { continue }
      sum += share
      count += 1
    }
    return count == 0 ? nil : sum / Double(count)
  }

  /// What a matte looks like by itself.
  /// - Returns: its area, a share of the picture.
  func describe(_ row: inout ScoreRow) -> Double {
    let shape = MaskShape(matte)
    if wanted.soft { row[.soft] = shape.softShare }
    if wanted.area { row[.area] = shape.area }
    if wanted.holes || wanted.components {
      let pieces = MaskPieces(matte, memory)
      if wanted.holes { row[.holes] = Double(pieces.holeCount) }
      if wanted.components { row[.components] = Double(pieces.componentCount) }
    }
    return shape.area
  }

  /// What changed since the frame before.
  /// - Parameters:
  ///   - before: that frame's matte, all zero where there was none.
  ///   - isThere: whether there was one.
  func compare(with before: MatteFeatures, isThere: Bool, _ row: inout ScoreRow) {
    if wanted.dtssd, let truth = scene.picture.truth, let truthBefore = scene.pictureBefore?.truth {
      let error = TemporalError(
        matte.plane, after: before.plane, truth: truth.plane, after: truthBefore.plane)
      row[.dtssd] = error.rootMeanSquare
    }
    if wanted.flicker, hasMatte, isThere, let motion = scene.motion {
      row[.flicker] = Flicker(matte, after: before, motion).mean
    }
  }
}
