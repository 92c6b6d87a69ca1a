/// The definition of one score. The formulas, and the papers they are from, are in `Metrics/`.
struct ScoreDefinition: Sendable {
  /// Data that must be prepared for a frame before the score is computed.
  struct Inputs: OptionSet, Sendable {
    let rawValue: UInt8
    static let truth = Inputs(rawValue: 1)
    static let faces = Inputs(rawValue: 2)
    static let grey = Inputs(rawValue: 4)
    static let before = Inputs(rawValue: 8)
    static let motion: Inputs = [Inputs(rawValue: 16), .grey, .before]
    static let area = Inputs(rawValue: 32)
    static let lag = Inputs(rawValue: 64)
  }

  let name: String
  let preference: ScoreKind.Preference
  let inputs: Inputs
  let unit: String
  let help: String
  /// Computes a frame's score, nil if the frame has none. The closure is nil for a score of whole
  /// recordings.
  let ofFrame: (@Sendable (inout FrameScorer) -> Double?)?
  let ofRecording: @Sendable (SettingScorer) -> Double?

  var need: ScoreKind.Need {
    if inputs.contains(.truth) { return .truth }
    return inputs.contains(.faces) ? .faces : .nothing
  }

  /// Defines a score of frames. A recording's score is the mean over the frames that have one,
  /// summed in frame order.
  private init(
    _ kind: ScoreKind, _ name: String, _ preference: ScoreKind.Preference, _ inputs: Inputs, unit: String = "",
    _ help: String, ofFrame: @escaping @Sendable (inout FrameScorer) -> Double?
  ) {
    (self.name, self.preference, self.inputs, self.unit, self.help) = (name, preference, inputs, unit, help)
    (self.ofFrame, ofRecording) = (ofFrame, { $0.mean(kind) })
  }

  private init(
    whole name: String, _ preference: ScoreKind.Preference, _ inputs: Inputs, unit: String = "", _ help: String,
    ofRecording: @escaping @Sendable (SettingScorer) -> Double?
  ) {
    (self.name, self.preference, self.inputs, self.unit, self.help) = (name, preference, inputs, unit, help)
    (ofFrame, self.ofRecording) = (nil, ofRecording)
  }

  fileprivate static let all = ScoreKind.allCases.map(ScoreDefinition.init)

  private init(_ kind: ScoreKind) {
    switch kind {
    case .iou:
      self.init(kind, "iou", .higher, .truth, "overlap of matte and truth: intersection over union; 1 is best") {
        frame in frame.truth.map { RegionOverlap.intersectionOverUnion(frame.matte, $0) }
      }
    case .boundaryF:
      self.init(
        kind, "boundary-f", .higher, .truth,
        "agreement of the outlines of matte and truth, within 0.008 of the diagonal; 1 is best"
      ) { frame in frame.truth.map { BoundaryMatch(frame.matte, $0).f } }
    case .sad:
      self.init(
        kind, "sad", .lower, .truth, unit: "px",
        "sum of absolute differences of opacity from the truth, in whole pixels"
      ) { frame in frame.alphaError?.sumOfAbsoluteDifferences }
    case .mse:
      self.init(kind, "mse", .lower, .truth, "mean squared difference of opacity from the truth") { frame in
        frame.alphaError?.meanSquaredError
      }
    case .gradient:
      self.init(kind, "gradient", .lower, .truth, "difference of the matte's gradients from the truth's") { frame in
        frame.truth.map { GradientError.sum(frame.matte, $0, frame.memory) }
      }
    case .connectivity:
      self.init(kind, "connectivity", .lower, .truth, "difference of connected areas from the truth") { frame in
        frame.truth.map { ConnectivityError.sum(frame.matte, $0, frame.memory) }
      }
    case .dtssd:
      self.init(
        kind, "dtssd", .lower, [.truth, .before],
        "error of the change from frame to frame, compared with the truth"
      ) { frame in
        guard let before = frame.before, let truth = frame.truth, let truthBefore = frame.scene.pictureBefore?.truth
        else { return nil }
        return TemporalError(frame.matte.plane, after: before.plane, truth: truth.plane, after: truthBefore.plane)
          .rootMeanSquare
      }
    case .flicker:
      self.init(
        kind, "flicker", .lower, .motion,
        "change of opacity near the edge from frame to frame, motion-compensated; an empty matte has none"
      ) { frame in
        guard let before = frame.before, frame.hadMatte, frame.hasMatte, let motion = frame.scene.motion else {
          return nil
        }
        return Flicker(frame.matte, after: before, motion).mean
      }
    case .edgeAlignment:
      self.init(
        kind, "edge-alignment", .higher, .grey, "how closely the matte's edge follows the picture's edges; 1 is best"
      ) { frame in
        guard frame.hasMatte, let grey = frame.scene.picture.grey else { return nil }
        return EdgeAlignment.ratio(frame.matte, grey.plane)
      }
    case .soft:
      self.init(kind, "soft", .none, [], "share of the picture that is neither person nor background") { frame in
        frame.shape.softShare
      }
    case .holes:
      self.init(kind, "holes", .lower, [], unit: "count", "number of holes in the person") { frame in
        Double(frame.pieces.holeCount)
      }
    case .components:
      self.init(kind, "components", .lower, [], unit: "count", "number of separate pieces of the person") { frame in
        Double(frame.pieces.componentCount)
      }
    case .area:
      self.init(kind, "area", .none, [], "share of the picture that is the person") { frame in frame.shape.area }
    case .areaVariation:
      self.init(
        whole: "area-variation", .lower, .area,
        "variation of the area over the recording: standard deviation divided by mean"
      ) { $0.areas.coefficientOfVariation }
    case .dropOuts:
      self.init(
        whole: "drop-outs", .lower, .area, unit: "frames", "number of frames where the person has almost vanished"
      ) {
        scorer in
        scorer.frames.isEmpty ? nil : Double(scorer.areas.dropOuts.count)
      }
    case .faceCoverage:
      self.init(
        kind, "face-coverage", .higher, .faces, "mean opacity inside the faces' boxes; 1 is best"
      ) { frame in
        let shares = frame.scene.faces.compactMap {
          FaceCoverage.share(frame.matte.plane, columns: $0.columns, rows: $0.rows)
        }
        return shares.isEmpty ? nil : shares.reduce(0, +) / Double(shares.count)
      }
    case .lag:
      self.init(
        whole: "lag", .lower, .lag, unit: "frames",
        "delay of the matte, relative to depth without latency on every frame and without temporal smoothing"
      ) { scorer in scorer.lag.map { $0.frames.map(Double.init) } ?? 0 }
    }
  }
}

extension ScoreKind {
  var definition: ScoreDefinition { ScoreDefinition.all[rawValue] }
}

extension Set<ScoreKind> {
  var inputs: ScoreDefinition.Inputs { reduce(into: []) { $0.formUnion($1.definition.inputs) } }
}
