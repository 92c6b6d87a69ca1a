import Support

/// Compares digests, line by line, with a file of expected ones. Lines are matched by frame number,
/// and by pass if a part is played repeatedly. Neither side is held in memory.
package struct DigestComparison {
  package private(set) var firstDifference: DigestDifference?
  /// The first difference between frames that both sides have.
  package private(set) var firstFrameDifference: DigestDifference?
  package private(set) var firstFramePass = 0
  package private(set) var commonCount = 0
  package private(set) var differingCount = 0
  /// Differing common frames for each stage, in the order of `DigestStage`.
  package private(set) var stageCounts = DigestStage.allCases.map { _ in 0 }
  package private(set) var missing = FrameRuns()
  package private(set) var extra = FrameRuns()

  /// Whether frames arrive after the last expected one. Further ones add no information.
  package var hasSurplus: Bool { isStarted && pending == nil && extra.count > 0 }

  package var cutSentence: String? { expected.cutSentence }

  private let expected: DigestFileReader
  private var pending: (place: PlayPlace, line: DigestLine)?
  private var isStarted = false
  private var expectedPlaces: PlayPlaces
  private var places: PlayPlaces

  package init(_ expected: DigestFileReader) {
    self.expected = expected
    expectedPlaces = PlayPlaces(isReversed: expected.header.order.isReversed)
    places = expectedPlaces
  }

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

  /// Counts the remaining expected lines as missing.
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
