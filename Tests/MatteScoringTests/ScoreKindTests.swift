import MatteScoring
import Testing

@Suite("Kinds of scores")
struct ScoreKindTests {
  @Test("every kind is found by its name, and a word that is off gets the nearest")
  func names() throws {
    for kind in ScoreKind.allCases { #expect(try ScoreKind.named(kind.rawValue) == kind) }
    #expect { try ScoreKind.named("iuo") } throws: { "\($0)".contains("did you mean iou?") }
  }

  @Test("a row keeps what it is given, and nothing else")
  func rows() {
    var row = ScoreRow()
    row[.flicker] = 0.25
    for kind in ScoreKind.allCases { #expect(row[kind] == (kind == .flicker ? 0.25 : nil)) }
  }
}
