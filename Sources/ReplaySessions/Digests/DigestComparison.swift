import FrameModel
import Rendering

/// Compares digests that come, a line at a time, with a file of those that were expected. Lines meet by the number of their
/// frame, and by the pass where a part is played more than once; neither side is held in memory.
package struct DigestComparison {
  /// Of all kinds, in the order of play.
  package private(set) var firstDifference: DigestDifference?
  /// Of frames that both sides have.
  package private(set) var firstFrameDifference: DigestDifference?
  /// Frames that both sides have.
  package private(set) var commonCount = 0
  /// Those of them that differ somewhere.
  package private(set) var differingCount = 0
  /// Those of them that differ in each stage, in `DigestStage`'s order.
  package private(set) var stageCounts = DigestStage.allCases.map { _ in 0 }
  package private(set) var missing = FrameRuns()
  package private(set) var extra = FrameRuns()

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
    compare(other.line, line)
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

  private mutating func compare(_ a: DigestLine, _ b: DigestLine) {
    commonCount += 1
    guard let difference = DigestDifference(a, b) else { return }
    differingCount += 1
    for stage in DigestStage.allCases where a[stage] != b[stage] { stageCounts[stage.position] += 1 }
    firstFrameDifference = firstFrameDifference ?? difference
    firstDifference = firstDifference ?? difference
  }
}

/// When a frame is played: in which pass, and how far into it.
private struct PlayPlace: Comparable {
  var pass: Int
  var step: Int

  static func < (a: PlayPlace, b: PlayPlace) -> Bool { (a.pass, a.step) < (b.pass, b.step) }
}

/// Counts passes: one ends where numbers do not go on.
private struct PlayPlaces {
  let isReversed: Bool
  private var last: PlayPlace?

  init(isReversed: Bool) { self.isReversed = isReversed }

  mutating func place(of frame: Int) -> PlayPlace {
    let step = isReversed ? -frame : frame
    var place = PlayPlace(pass: last?.pass ?? 0, step: step)
    if let last, step <= last.step { place.pass += 1 }
    last = place
    return place
  }
}
