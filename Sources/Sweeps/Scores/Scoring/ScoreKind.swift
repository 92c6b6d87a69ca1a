import Support

/// The scores that a matte can get, in the order of tables. A score is defined by its entry in
/// `definition`: see `ScoreDefinition`.
package enum ScoreKind: Int, CaseIterable, Hashable, Sendable {
  // Compared with the truth.
  case iou, boundaryF, boundaryPrecision, boundaryRecall, sad, mse, gradient, connectivity, dtssd, haze, edgeSpill
  // Compared with the truth where a recording has it, otherwise without.
  case flicker, holes
  // Without it.
  case agreement, outlineAgreement, edgeContrast, edgeAlignment, soft, components, area, areaVariation, dropOuts,
    faceCoverage, lag

  package enum Preference: Hashable, Sendable {
    case higher
    case lower
    case none
  }

  /// What a recording must have for the score.
  package enum Need: Hashable, Sendable {
    case nothing
    case truth
    case faces
    case depth
  }

  /// Scores that judge a matte on their own, the most reliable first.
  package static let qualities: [ScoreKind] = [
    .iou, .boundaryF, .mse, .sad, .gradient, .connectivity, .dtssd, .haze, .edgeSpill, .agreement, .outlineAgreement,
    .edgeContrast, .edgeAlignment, .components, .faceCoverage, .holes, .flicker,
  ]

  /// The default: all but those that take more time than the others together and add little, and those that
  /// need reference mattes.
  package static let standard = allCases.filter {
    ![.gradient, .connectivity, .agreement, .outlineAgreement].contains($0)
  }

  package var name: String { definition.name }
  package var preference: Preference { definition.preference }
  package var need: Need { definition.need }
  /// False for a score of a whole recording; otherwise a recording's score is the mean over its
  /// frames.
  package var isOfFrames: Bool { definition.ofFrame != nil }
  package var unit: String { definition.unit }
  package var help: String { definition.help }

  /// Whether the score uses the truth of a frame that has it.
  package var usesTruth: Bool { definition.inputs.usesTruth }

  package var usesBoundaryTolerance: Bool {
    [.boundaryF, .boundaryPrecision, .boundaryRecall, .haze, .outlineAgreement].contains(self)
  }

  /// Whether a frame's score compares it with the frame before.
  package var comparesFrames: Bool { definition.inputs.contains(.before) }

  /// Whether the score compares with reference mattes, which `SettingScorer.take` then needs.
  package var usesReferences: Bool { definition.inputs.contains(.references) }

  package init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  package static func named(_ name: String) throws(RetakeError) -> ScoreKind {
    if let kind = ScoreKind(name: name) { return kind }
    let names = allCases.map(\.name)
    throw RetakeError(
      .usage, "There is no score '\(name.shortened)'.",
      hint: "\(Spelling.guess(name, in: names))There are: "
        + names.joined(separator: ", "))
  }
}
