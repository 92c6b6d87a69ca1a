import Scores

/// How scores respond to a degradation. Tuning.md has the same table.
struct ScoreClaims {
  /// Scores that get worse with each level, from the true matte on. The reference of the agreements is the truth.
  private(set) var seen: [ScoreKind]
  /// Scores that stay within this distance of the true matte's.
  private(set) var unmoved: [(kind: ScoreKind, within: Double)]

  private static let errors: [ScoreKind] = [.sad, .mse, .gradient]

  init(_ degradation: Degradation) {
    switch degradation {
    case .shifted:
      seen = Self.errors + [.iou, .boundaryF, .boundaryPrecision, .boundaryRecall, .connectivity, .haze]
      unmoved = [(.components, 0), (.dropOuts, 0), (.area, 0.01), (.soft, 0.002), (.lag, 0)]
    case .eroded:
      seen = Self.errors + [.iou, .connectivity]
      unmoved = [(.haze, 0), (.dropOuts, 0)]
    case .dilated:
      seen = Self.errors + [.iou, .connectivity, .haze, .edgeSpill, .edgeContrast]
      unmoved = [(.dropOuts, 0)]
    case .blurred:
      seen = Self.errors + [.iou, .boundaryF, .boundaryRecall, .connectivity, .dtssd, .haze, .edgeAlignment]
      unmoved = [(.area, 0.002), (.dropOuts, 0), (.lag, 0)]
    case .haloed:
      seen = Self.errors + [.dtssd, .haze, .edgeSpill, .flicker, .edgeAlignment]
      unmoved = [
        (.edgeContrast, 0), (.iou, 0), (.boundaryF, 0), (.boundaryPrecision, 0), (.boundaryRecall, 0), (.holes, 0),
        (.components, 0), (.dropOuts, 0),
      ]
    case .flickeringEdges:
      seen = Self.errors + [.iou, .boundaryF, .connectivity, .dtssd, .haze, .flicker, .edgeAlignment]
      unmoved = [(.area, 0.002), (.areaVariation, 0.002), (.dropOuts, 0), (.lag, 0)]
    case .lagging:
      seen = Self.errors + [.iou, .boundaryF, .connectivity, .haze, .lag]
      unmoved = [(.components, 0), (.soft, 0.001), (.area, 0.005), (.dropOuts, 0)]
    case .holes:
      seen = Self.errors + [.iou, .boundaryF, .boundaryPrecision, .connectivity, .holes, .edgeAlignment]
      unmoved = [
        (.boundaryRecall, 0), (.haze, 0), (.edgeSpill, 0), (.components, 0), (.soft, 0.001), (.dropOuts, 0), (.lag, 0),
      ]
    case .specks:
      seen = Self.errors + [.iou, .boundaryF, .boundaryPrecision, .connectivity, .haze, .components, .edgeAlignment]
      unmoved = [
        (.boundaryRecall, 0), (.edgeSpill, 0), (.holes, 0), (.flicker, 0.01), (.faceCoverage, 0), (.soft, 0.001),
        (.dropOuts, 0),
        (.lag, 0),
      ]
    case .lostFrames:
      seen = Self.errors + [.iou, .boundaryF, .boundaryRecall, .connectivity, .dropOuts, .faceCoverage]
      unmoved = [
        (.boundaryPrecision, 0), (.haze, 0), (.holes, 0), (.flicker, 0.05), (.edgeAlignment, 0.005), (.lag, 0),
      ]
    }
    for (kind, same) in [(ScoreKind.iou, ScoreKind.agreement), (.boundaryF, .outlineAgreement)] {
      if seen.contains(kind) { seen.append(same) }
      unmoved += unmoved.filter { $0.kind == kind }.map { (same, $0.within) }
    }
  }
}
