/// The definition of one score. The formulas, and the papers they are from, are in `Metrics/`.
struct ScoreDefinition: Sendable {
  /// Data that must be prepared for a frame before the score is computed.
  struct Inputs: OptionSet, Sendable {
    let rawValue: UInt16
    static let truth = Inputs(rawValue: 1)
    static let faces = Inputs(rawValue: 2)
    static let grey = Inputs(rawValue: 4)
    static let before = Inputs(rawValue: 8)
    /// Where nothing moved since the previous frame.
    static let still: Inputs = [Inputs(rawValue: 16), .before, .colors, .truthIfAny]
    static let area = Inputs(rawValue: 32)
    static let lag = Inputs(rawValue: 64)
    /// The truth where there is one; the score has another definition without.
    static let truthIfAny = Inputs(rawValue: 128)
    /// The picture in colour.
    static let colors = Inputs(rawValue: 256)
    /// Reference mattes, made of colour and depth.
    static let references: Inputs = [Inputs(rawValue: 512), .colors]
    /// Colours of person and background at the truth's outline.
    static let spill: Inputs = [Inputs(rawValue: 4096), .truth, .colors]

    static let slopes: Inputs = [Inputs(rawValue: 1024), .truth]
    /// Where the truth has no person.
    static let outside: Inputs = [Inputs(rawValue: 2048), .truth]

    var usesTruth: Bool { contains(.truth) || contains(.truthIfAny) }
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
    if inputs.contains(.references) { return .depth }
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
        frame in frame.truth.map { RegionOverlap.intersectionOverUnion(frame.judged, $0) }
      }
    case .boundaryF:
      self.init(
        kind, "boundary-f", .higher, .truth,
        "agreement of the outlines of matte and truth, within --boundary-tolerance pixels; 1 is best"
      ) { frame in frame.boundary?.f }
    case .boundaryPrecision:
      self.init(
        kind, "boundary-precision", .higher, .truth, "share of the matte's outline that is near the truth's; 1 is best"
      ) { frame in frame.boundary?.precision }
    case .boundaryRecall:
      self.init(
        kind, "boundary-recall", .higher, .truth, "share of the truth's outline that is near the matte's; 1 is best"
      ) { frame in frame.boundary?.recall }
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
      self.init(kind, "gradient", .lower, .slopes, "difference of the matte's gradients from the truth's") { frame in
        frame.truth.map { GradientError.sum(frame.judged, $0, frame.memory) }
      }
    case .connectivity:
      self.init(kind, "connectivity", .lower, .truth, "difference of connected areas from the truth") { frame in
        frame.truth.map { ConnectivityError.sum(frame.judged, $0, frame.memory) }
      }
    case .dtssd:
      self.init(
        kind, "dtssd", .lower, [.truth, .before],
        "error of the change from frame to frame, compared with the truth"
      ) { frame in
        guard let before = frame.before, let truth = frame.scene.truthChange else { return nil }
        return TemporalError(frame.matte, after: before, truth).rootMeanSquare
      }
    case .haze:
      self.init(
        kind, "haze", .lower, .outside, unit: "‰",
        "mean opacity where the truth has none, outside of the tolerance of its outline, in thousandths"
      ) { frame in frame.truth.flatMap { Haze(frame.judged, $0).thousandths } }
    case .edgeSpill:
      self.init(
        kind, "edge-spill", .lower, .spill, unit: "of 255",
        "how far the old background's colours show in the composite's outline, with the video's colours, in steps of 255"
      ) { frame in frame.scene.picture.spill?.steps(of: frame.judged.plane) }
    case .flicker:
      self.init(
        kind, "flicker", .lower, .still, unit: "‰",
        "mean change of opacity from frame to frame where nothing moves, in thousandths; an empty matte has none"
      ) { frame in
        guard let before = frame.before, frame.hadMatte, frame.hasMatte, let still = frame.scene.still else {
          return nil
        }
        return Flicker(frame.matte, after: before, still).thousandths
      }
    case .holes:
      self.init(
        kind, "holes", .lower, .truthIfAny, unit: "‰",
        "area of the holes that the person encloses, in thousandths of the truth's person, or without truth of its own"
      ) { frame in frame.scene.hasTruth && frame.truth == nil ? nil : frame.pieces.holeThousandths }
    case .agreement:
      self.init(
        whole: "agreement", .higher, .references,
        "overlap with a matte that Retake makes of the recording: intersection over union; 1 is best"
      ) { $0.agreement?.meanOverlap }
    case .outlineAgreement:
      self.init(
        whole: "outline-agreement", .higher, .references,
        "agreement of the outlines of the matte and of one that Retake makes, within --boundary-tolerance; 1 is best"
      ) { $0.agreement?.meanBoundaryF }
    case .edgeContrast:
      self.init(
        kind, "edge-contrast", .higher, .colors, unit: "of 255",
        "mean difference of colour across the matte's outline, in steps of 255"
      ) { frame in frame.scene.picture.colors.flatMap { EdgeContrast(frame.matte, $0.samples).mean } }
    case .edgeAlignment:
      self.init(
        kind, "edge-alignment", .higher, .grey, "how closely the matte's edge follows the picture's edges; 1 is best"
      ) { frame in
        guard frame.hasMatte, let grey = frame.scene.picture.grey else { return nil }
        return EdgeAlignment.ratio(
          frame.matte, BytePlane(grey.samples, width: frame.matte.width, height: frame.matte.height))
      }
    case .soft:
      self.init(kind, "soft", .none, [], "share of the picture that is neither person nor background") { frame in
        frame.shape.softShare
      }
    case .components:
      self.init(kind, "components", .lower, [], unit: "count", "number of separate pieces of the person") { frame in
        Double(frame.pieces.componentCount)
      }
    case .area:
      self.init(kind, "area", .none, [], "share of the picture that is the person") { frame in frame.shape.area }
    case .areaVariation:
      self.init(
        whole: "area-variation", .none, .area,
        "variation of the area over the recording: standard deviation divided by mean"
      ) { $0.areas.coefficientOfVariation }
    case .dropOuts:
      self.init(
        whole: "drop-outs", .lower, .area, unit: "frames", "number of frames where the person has almost vanished"
      ) {
        scorer in
        // Where nothing was ever found, there is nothing to vanish.
        scorer.areas.areas.contains { $0 > 0 } ? Double(scorer.areas.dropOuts.count) : nil
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
