/// Scores one setting's mattes over one recording, frame by frame. Used by one thread at a time.
///
/// A missing matte counts as an empty one, so that omitting mattes gains nothing. Flicker and edge
/// alignment have no value without a matte, since an empty matte would be perfect in both.
package final class SettingScorer {
  private let kinds: [ScoreKind]
  private let inputs: ScoreDefinition.Inputs
  private let width: Int
  private let height: Int
  private let tolerance: Int
  package private(set) var frames: [ScoredFrame] = []
  private(set) var areas = AreaSeries()
  /// By reference; empty if there are none, or if no wanted score uses them.
  private var agreements: [ReferenceAgreement] = []
  /// With the reference given to `finish`.
  private(set) var agreement: ReferenceAgreement?
  /// Nil if the setting is its own reference.
  private(set) var lag: LagEstimate?
  private lazy var nothing: ReducedPlane = {
    let empty = MatteFeatures(width: width, height: height, tolerance: tolerance)
    // `plane` points into `empty`.
    return withExtendedLifetime(empty) { ReducedPlane(empty.plane) }
  }()
  /// All zero if the previous frame had no matte; nil if no wanted score compares with it.
  private let matteBefore: PackedMatte?

  /// - Parameters:
  ///   - scores: the scores to compute.
  ///   - width, height: of every matte, pixels.
  ///   - tolerance: of boundaries, pixels, as the scenes have it; nil for the default.
  package init(scores: Set<ScoreKind>, width: Int, height: Int, tolerance: Int? = nil) {
    kinds = ScoreKind.allCases.filter(scores.contains)
    (inputs, self.width, self.height) = (scores.inputs, width, height)
    self.tolerance = tolerance ?? BoundaryMatch.tolerance(width: width)
    matteBefore = inputs.contains(.before) ? PackedMatte(width: width, height: height) : nil
  }

  /// Scores the next frame in play order.
  ///
  /// Scores that compare with the previous frame have no value if the scene's previous frame is not
  /// the one scored last.
  /// - Parameters:
  ///   - matte: `width` · `height` bytes, 255 for the person; nil for a missing matte.
  ///   - references: mattes of the same frame; as many in every call.
  package func take(
    _ scene: Scene, matte samples: UnsafePointer<UInt8>?, references: [ReferenceMatte] = []
  ) {
    precondition(scene.scratch.width == width && scene.scratch.height == height)
    precondition(scene.scratch.tolerance == tolerance)
    let piece = scene.scratch.take()
    defer { scene.scratch.giveBack(piece) }
    let matte = piece.matte
    if let samples { matte.look(at: BytePlane(samples, width: width, height: height)) } else { matte.takeNothing() }
    var judged = matte
    if inputs.contains(.truth), let truth = scene.picture.truth, truth.leftOut != nil {
      judged = piece.judged
      judged.take(matte.plane, judgedBy: truth)
    }
    let last = frames.last.flatMap { $0.number == scene.previousNumber ? $0 : nil }
    var frame = FrameScorer(
      scene, matte, judged: judged, hasMatte: samples != nil, before: last == nil ? nil : matteBefore,
      hadMatte: last?.hasMatte ?? false, piece.memory)
    var row = ScoreRow()
    for kind in kinds { row[kind] = kind.definition.ofFrame?(&frame) }
    if inputs.contains(.references) {
      if agreements.isEmpty { agreements = references.map { _ in ReferenceAgreement() } }
      precondition(agreements.count == references.count)
      for (place, reference) in references.enumerated() { agreements[place].add(matte, reference) }
    }
    if inputs.contains(.area) { areas.append(frame.shape.area) }
    matteBefore?.take(matte)
    frames.append(ScoredFrame(number: scene.number, hasMatte: samples != nil, scores: row))
  }

  /// Adds the next frame's matte and that of the lag reference. Call once per frame, in order. If
  /// never called, the setting is its own reference and its lag is 0.
  /// - Parameters: `width` · `height` bytes each; nil counts as an empty matte.
  package func takeForLag(matte: UnsafePointer<UInt8>?, reference: UnsafePointer<UInt8>?) {
    guard inputs.contains(.lag) else { return }
    if lag == nil { lag = LagEstimate() }
    lag?.add(reduced(matte), reference: reduced(reference))
  }

  private func reduced(_ matte: UnsafePointer<UInt8>?) -> ReducedPlane {
    matte.map { ReducedPlane(BytePlane($0, width: width, height: height)) } ?? nothing
  }

  /// - Parameter reference: index of the reference to compare with; nil if there is none.
  package func finish(reference: Int? = nil) -> ScoredRecording {
    agreement = reference.flatMap { agreements.indices.contains($0) ? agreements[$0] : nil }
    var summary = ScoreRow()
    for kind in kinds { summary[kind] = kind.definition.ofRecording(self) }
    return ScoredRecording(frames: frames, summary: summary)
  }

  /// Returns the mean over the frames that have a value, summed in order.
  func mean(_ kind: ScoreKind) -> Double? {
    var (sum, count) = (0.0, 0)
    for frame in frames {
      guard let score = frame.scores[kind] else { continue }
      sum += score
      count += 1
    }
    return count == 0 ? nil : sum / Double(count)
  }
}
