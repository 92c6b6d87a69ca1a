import FrameModel
import Parameters
import Support

/// What a matte is judged by. The papers are named beside each computation in `Metrics/`.
package enum ScoreKind: String, CaseIterable, Hashable, Sendable {
  // With the truth at hand.
  case iou
  case boundaryF = "boundary-f"
  case sad
  case mse
  case gradient
  case connectivity
  case dtssd
  // Without it.
  case flicker
  case edgeAlignment = "edge-alignment"
  case soft
  case holes
  case components
  case area
  case areaVariation = "area-variation"
  case dropOuts = "drop-outs"
  case faceCoverage = "face-coverage"
  case lag

  /// What is scored where nobody says what: all but what takes more time than the rest together and says little that they do
  /// not say.
  package static let standard = allCases.filter { ![.gradient, .connectivity].contains($0) }

  package enum Preference: Hashable, Sendable {
    case higher
    case lower
    /// Neither is better by itself.
    case none
  }

  /// What has to be at hand for it.
  package enum Need: Hashable, Sendable {
    case nothing
    case truth
    case faces
  }

  package var preference: Preference {
    switch self {
    case .iou, .boundaryF, .edgeAlignment, .faceCoverage: .higher
    case .soft, .area: .none
    case .sad, .mse, .gradient, .connectivity, .dtssd, .flicker, .holes, .components, .areaVariation, .dropOuts, .lag:
      .lower
    }
  }

  package var need: Need {
    switch self {
    case .iou, .boundaryF, .sad, .mse, .gradient, .connectivity, .dtssd: .truth
    case .faceCoverage: .faces
    case .flicker, .edgeAlignment, .soft, .holes, .components, .area, .areaVariation, .dropOuts, .lag: .nothing
    }
  }

  /// False where it says something of a whole recording only; a recording's score is the mean over its frames otherwise.
  package var isOfFrames: Bool {
    switch self {
    case .areaVariation, .dropOuts, .lag: false
    default: true
    }
  }

  /// Empty for what has none.
  package var unit: String {
    switch self {
    case .sad: "px"
    case .holes, .components: "count"
    case .dropOuts, .lag: "frames"
    default: ""
    }
  }

  /// One line.
  package var help: String {
    switch self {
    case .iou: "area that matte and truth share, of the area of either; 1 is best"
    case .boundaryF: "how well the outlines lie on one another, within 0.008 of the diagonal; 1 is best"
    case .sad: "sum of the differences of opacity from the truth, in whole pixels"
    case .mse: "mean squared difference of opacity from the truth"
    case .gradient: "how far the matte's slopes are from the truth's"
    case .connectivity: "what hangs together otherwise than in the truth"
    case .dtssd: "how far the change from frame to frame is from the truth's change"
    case .flicker: "change of opacity near the edge from frame to frame, movement taken out; an empty matte has none"
    case .edgeAlignment: "whether the matte's edge lies on the picture's; 1 is best"
    case .soft: "share of the picture that is neither person nor background"
    case .holes: "gaps that the person encloses"
    case .components: "separate pieces of the person"
    case .area: "share of the picture that is the person"
    case .areaVariation: "how much the area varies over the recording: its deviation over its mean"
    case .dropOuts: "frames where the person is all but gone"
    case .faceCoverage: "mean opacity inside of the faces' boxes; 1 is best"
    case .lag:
      "by how much the matte comes late, beside depth that comes at once with every frame and nothing smoothed over time"
    }
  }

  /// - Throws: `.usage` naming the nearest.
  package static func named(_ name: String) throws(RetakeError) -> ScoreKind {
    if let kind = ScoreKind(rawValue: name) { return kind }
    let nearest = Spelling.nearest(to: name, in: allCases.map(\.rawValue)) ?? ScoreKind.iou.rawValue
    throw RetakeError(
      .usage, "There is no score '\(name)'.",
      hint: "did you mean \(nearest)? There are: \(allCases.map(\.rawValue).joined(separator: ", "))")
  }
}
