import FrameModel
import Support

/// Compares digests that come, a line at a time, with a file of those that were expected. Lines meet by the number of their
/// frame, and by the pass where a part is played more than once; neither side is held in memory.
package struct DigestComparison {
  /// Of all kinds, in the order of play.
  package private(set) var firstDifference: DigestDifference?
  /// Of frames that both sides have.
  package private(set) var firstFrameDifference: DigestDifference?
  /// In which pass that was, from 0.
  package private(set) var firstFramePass = 0
  /// Frames that both sides have.
  package private(set) var commonCount = 0
  /// Those of them that differ somewhere.
  package private(set) var differingCount = 0
  /// Those of them that differ in each stage, in `DigestStage`'s order.
  package private(set) var stageCounts = DigestStage.allCases.map { _ in 0 }
  package private(set) var missing = FrameRuns()
  package private(set) var extra = FrameRuns()

  /// Whether nothing more is expected and more came all the same: whatever else comes says nothing new.
  package var hasSurplus: Bool { isStarted && pending == nil && extra.count > 0 }

  /// What there is to say of an expectation that was cut off, after its last line; nil of a whole one.
  package var cutSentence: String? { expected.cutSentence }

  private let expected: DigestFileReader
  /// The expected line that has not met its like yet.
  private var pending: (place: PlayPlace, line: DigestLine)?
  private var isStarted = false
  private var expectedPlaces: PlayPlaces
  private var places: PlayPlaces

  package init(_ expected: DigestFileReader) {
    self.expected = expected
    expectedPlaces = PlayPlaces(isReversed: expected.header.order.isReversed)
    places = expectedPlaces
  }

  /// - Throws: what reading the expected file throws.
  package mutating func take(_ line: DigestLine) throws(RetakeError) {
    if !isStarted { try advance() }
    let place = places.place(of: line.frame)
    while let other = pending, other.place < place {
      miss(other.line.frame)
      try advance()
    }
    guard let other = pending, other.place == place else {
      extra.add(line.frame)
      firstDifference = firstDifference ?? .extraFrame(line.frame)
      return
    }
    compare(other.line, line, pass: place.pass)
    try advance()
  }

  /// After the last line: what was expected and did not come is missing.
  package mutating func finish() throws(RetakeError) {
    if !isStarted { try advance() }
    while let other = pending {
      miss(other.line.frame)
      try advance()
    }
  }

  private mutating func advance() throws(RetakeError) {
    isStarted = true
    pending = try expected.next().map { (expectedPlaces.place(of: $0.frame), $0) }
  }

  private mutating func miss(_ frame: Int) {
    missing.add(frame)
    firstDifference = firstDifference ?? .missingFrame(frame)
  }

  private mutating func compare(_ a: DigestLine, _ b: DigestLine, pass: Int) {
    commonCount += 1
    guard let difference = DigestDifference(a, b) else { return }
    differingCount += 1
    for stage in DigestStage.allCases where a[stage] != b[stage] { stageCounts[stage.position] += 1 }
    if firstFrameDifference == nil { (firstFrameDifference, firstFramePass) = (difference, pass) }
    firstDifference = firstDifference ?? difference
  }
}
