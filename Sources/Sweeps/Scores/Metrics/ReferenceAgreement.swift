/// How well a setting's mattes agree with a reference's, frame by frame.
struct ReferenceAgreement {
  private var overlap = 0.0
  private var boundaryF = 0.0
  private var frameCount = 0

  mutating func add(_ matte: MatteFeatures, _ reference: ReferenceMatte) {
    overlap += RegionOverlap.intersectionOverUnion(matte, reference.features)
    boundaryF += BoundaryMatch(matte, reference.features).f
    frameCount += 1
  }

  /// Intersection over union, 0 to 1; nil without frames.
  var meanOverlap: Double? { frameCount == 0 ? nil : overlap / Double(frameCount) }
  /// F of the outlines, 0 to 1.
  var meanBoundaryF: Double? { frameCount == 0 ? nil : boundaryF / Double(frameCount) }
}
