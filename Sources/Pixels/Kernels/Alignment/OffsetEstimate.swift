/// By how much depth has to move so that its edges lie on those of colour.
package struct OffsetEstimate: Hashable, Sendable {
  /// Depth pixels, to the right and downwards; multiples of 1/16.
  package var x: Double
  package var y: Double
  /// How far colour edges lie outside of depth edges once depth is moved; negative where depth is
  /// larger than what it shows. Estimated too, so that it does not distort the offset.
  package var growth: Double
  /// Of x and y, depth pixels: twice the standard error by the jackknife over groups of edges, and at
  /// least a half, since edges that all groups share may mislead all of them.
  package var uncertainty: Double
  package var edgeCount: Int

  package enum Obstacle: Error, Hashable, Sendable {
    case fewEdges(Int)
    /// Colour changes hardly more at one offset than at others.
    case noMatch
    case outOfRange
    /// Groups of edges disagree by this many pixels.
    case disagreement(Double)
  }

  /// Offsets up to this many depth pixels are found.
  package static let range = 8
  private static let leastEdgeCount = 1000
  private static let leastGroupCount = 6
  private static let leastUncertainty = 0.5
  private static let largestUncertainty = 1.0
  /// The best offset must be this much better than any more than 3 pixels away, percent.
  private static let leastLead = 115

  package static func find(in profiles: EdgeProfiles) -> Result<OffsetEstimate, Obstacle> {
    let groups = profiles.edgeCounts.indices.filter { profiles.edgeCounts[$0] > 0 }
    guard profiles.edgeCount >= leastEdgeCount, groups.count >= leastGroupCount else {
      return .failure(.fewEdges(profiles.edgeCount))
    }
    let all = OffsetSearch(profiles, groups: groups)
    let best = all.best()
    guard all.score(best) * 100 >= all.bestAway(from: best) * leastLead, all.score(best) > 0 else {
      return .failure(.noMatch)
    }
    let limit = range * OffsetSearch.unit
    guard abs(best.x) < limit, abs(best.y) < limit else { return .failure(.outOfRange) }
    let others = groups.map { left in OffsetSearch(profiles, groups: groups.filter { $0 != left }).best() }
    let error = max(standardError(others.map(\.x)), standardError(others.map(\.y))) / Double(OffsetSearch.unit)
    let uncertainty = max(2 * error, leastUncertainty)
    guard uncertainty <= largestUncertainty else { return .failure(.disagreement(uncertainty)) }
    func pixels(_ value: Int) -> Double { Double(value) / Double(OffsetSearch.unit) }
    return .success(
      OffsetEstimate(
        x: pixels(best.x), y: pixels(best.y), growth: pixels(best.growth), uncertainty: uncertainty,
        edgeCount: profiles.edgeCount))
  }

  /// Of estimates that each leave out one group.
  private static func standardError(_ values: [Int]) -> Double {
    let count = Double(values.count)
    let mean = Double(values.reduce(0, +)) / count
    let squares = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return ((count - 1) / count * squares).squareRoot()
  }
}
