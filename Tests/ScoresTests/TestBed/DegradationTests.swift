import Scores
import TestSupport
import Testing

/// Scores of mattes with known faults. A score that claims to detect a fault gets worse at each level;
/// a score that should ignore it stays the same.
@Suite("Scores of known degradations")
struct DegradationTests {
  private static let portraits = ["015cd10e", "514ca06a", "bd6af989"]

  @Test func `follow them on a made-up scene`() {
    expectClaims(.made())
  }

  @Test(
    .enabled(if: Checkout.hasFixture("exact-alpha"), "needs ../shared/fixtures, which a clone lacks"),
    arguments: portraits)
  func `follow them on portraits with exact alpha`(id: String) throws {
    expectClaims(try .portrait(id))
  }

  private func expectClaims(_ scene: BedScene) {
    let best = [true: scene.scored(scene.truths), false: scene.scored(scene.truths, hasTruth: false)]
    for degradation in Degradation.allCases {
      let claims = ScoreClaims(degradation)
      let mattes = degradation.levels.map { degradation.applied(to: scene.truths, level: $0) }
      for hasTruth in [true, false] {
        let scores = claims.seen.filter { hasTruth || $0.need != .truth }
        guard let start = best[hasTruth], hasTruth || !scores.isEmpty else { continue }
        let rows = mattes.map { scene.scored($0, hasTruth: hasTruth) }
        let name = "\(degradation.rawValue), \(scene.name)\(hasTruth ? "" : ", without truth")"
        for kind in scores {
          let values = ([start] + rows).map { $0[kind] }
          let isWorse = zip(values, values.dropFirst()).allSatisfy { Self.isWorse($1, than: $0, kind) }
          #expect(isWorse, "\(kind.name) of \(name): \(values)")
        }
        guard hasTruth else { continue }
        for (kind, limit) in claims.unmoved {
          let values = ([start] + rows).map { $0[kind] ?? .nan }
          let isSame = values.allSatisfy { abs($0 - values[0]) <= limit }
          #expect(isSame, "\(kind.name) of \(name): \(values)")
        }
      }
    }
  }

  private static func isWorse(_ value: Double?, than before: Double?, _ kind: ScoreKind) -> Bool {
    guard let value, let before else { return false }
    switch kind.preference {
    case .higher: return value < before
    case .lower: return value > before
    case .none: return false
    }
  }

  @Test func `leave no score without a degradation that it sees, but for those without a better direction`() {
    let seen = Set(Degradation.allCases.flatMap { ScoreClaims($0).seen })
    #expect(seen == Set(ScoreKind.allCases.filter { $0.preference != .none }))
  }

  @Test func `boundary-f forgives an outline that is off by its tolerance, and no more`() {
    let scene = BedScene.made()
    func f(_ tolerance: Int) -> Double? {
      let eroded = Degradation.eroded.applied(to: Array(scene.truths.prefix(1)), level: 3)
      return scene.scored(eroded, tolerance: tolerance)[.boundaryF]
    }
    #expect(f(1).map { $0 < 0.05 } == true)
    #expect(f(5).map { $0 > 0.99 } == true)
  }
}
