import Scores
import Testing

/// Kinds of scores.
@Suite struct ScoreKindTests {
  @Test
  func `every kind is found by its name, and a word that is off gets the nearest`() throws {
    for kind in ScoreKind.allCases { #expect(try ScoreKind.named(kind.name) == kind) }
    #expect { try ScoreKind.named("iuo") } throws: { "\($0)".contains("did you mean iou?") }
  }

  @Test
  func `a row keeps what it is given, and nothing else`() {
    var row = ScoreRow()
    row[.flicker] = 0.25
    for kind in ScoreKind.allCases { #expect(row[kind] == (kind == .flicker ? 0.25 : nil)) }
  }

  @Test
  func `a row has a place for each kind, which gives up what it is told to`() {
    var row = ScoreRow()
    for (i, kind) in ScoreKind.allCases.enumerated() { row[kind] = Double(i) - 3 }
    #expect(ScoreKind.allCases.map { row[$0] } == ScoreKind.allCases.indices.map { Double($0) - 3 })
    for kind in ScoreKind.allCases { row[kind] = nil }
    #expect(row == ScoreRow() && Set([row, ScoreRow()]).count == 1)
    row[.lag] = 0
    #expect(row != ScoreRow() && row[.lag] == 0)
  }
}
