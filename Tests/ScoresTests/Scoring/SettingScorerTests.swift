import Kernels
import Scores
import TestSupport
import Testing

/// What a setting is worth where something is missing.
@Suite struct SettingScorerTests {
  private let all = Set(ScoreKind.allCases)
  private let truthScores = ScoreKind.allCases.filter { $0.need == .truth }
  private static let made = MadeRecording(width: 83, height: 61, count: 18, seed: 5)
  private var recording: MadeRecording { Self.made }

  @Test
  func `a frame without a matte is worth what an empty one is, but for flicker and the edge`() {
    var empty = recording
    let missing = recording.frames.indices.filter { recording.frames[$0].matte == nil }
    #expect(missing == [3, 4, 9, 14, 15])
    for i in missing { empty.frames[i].matte = [UInt8](repeating: 0, count: 83 * 61) }
    let (without, with) = (recording.scored(all), empty.scored(all))
    for i in recording.frames.indices {
      let (frame, other) = (without.frames[i], with.frames[i])
      #expect(frame.hasMatte == !missing.contains(i) && other.hasMatte)
      let isBeside = missing.contains(i) || missing.contains(i - 1)
      for kind in ScoreKind.allCases where kind != .flicker && kind != .edgeAlignment {
        #expect(frame.scores[kind] == other.scores[kind], "frame \(i), \(kind)")
      }
      #expect(frame.scores[.flicker] == (isBeside ? nil : other.scores[.flicker]), "frame \(i)")
      #expect(frame.scores[.edgeAlignment] == other.scores[.edgeAlignment], "frame \(i)")
    }
    for i in missing {
      let scores = without.frames[i].scores
      #expect((scores[.area], scores[.components], scores[.edgeAlignment]) == (0, 0, nil), "frame \(i)")
      if recording.frames[i].truth != nil { #expect(scores[.iou] == 0) }
    }
    // The frames without a matte, and those two where the setting lost the person.
    #expect(without.summary[.dropOuts] == 7)
  }

  @Test
  func `without a truth there is nothing that needs one, and what does not use it is the same`() {
    var blind = recording
    for i in blind.frames.indices { blind.frames[i].truth = nil }
    let (without, with) = (blind.scored(all), recording.scored(all))
    for kind in truthScores {
      #expect(without.summary[kind] == nil && without.frames.allSatisfy { $0.scores[kind] == nil }, "\(kind)")
    }
    for kind in ScoreKind.allCases where !kind.usesTruth {
      #expect(without.summary[kind] == with.summary[kind], "\(kind)")
      #expect(without.frames.map { $0.scores[kind] } == with.frames.map { $0.scores[kind] }, "\(kind)")
    }
  }

  @Test
  func `a frame whose truth is missing, and the change since it, are not compared`() {
    let scored = recording.scored(all)
    for (i, frame) in recording.frames.enumerated() {
      let scores = scored.frames[i].scores
      for kind in truthScores where kind != .dtssd {
        #expect((scores[kind] == nil) == (frame.truth == nil), "\(i), \(kind)")
      }
      #expect((scores[.holes] == nil) == (frame.truth == nil), "frame \(i)")
      let isTold = i > 0 && frame.truth != nil && recording.frames[i - 1].truth != nil
      #expect((scores[.dtssd] != nil) == isTold, "frame \(i)")
    }
    #expect(recording.frames.contains { $0.truth == nil })
  }

  @Test
  func `the first frame has not changed, and a picture without faces covers none`() {
    let scored = recording.scored(all)
    #expect(scored.frames[0].scores[.flicker] == nil && scored.frames[0].scores[.dtssd] == nil)
    #expect(scored.frames[1].scores[.flicker] != nil && scored.frames[1].scores[.dtssd] != nil)
    // No faces, one outside of the picture, one in it, three.
    #expect(scored.frames.prefix(4).map { $0.scores[.faceCoverage] != nil } == [false, false, true, true])
  }

  @Test
  func `a setting that is its own reference does not lag; one that follows late does, if there is time to tell`() {
    #expect(recording.scored(all, lag: false).summary[.lag] == 0)
    #expect(recording.scored(all).summary[.lag] == 2)
    #expect(MadeRecording(width: 83, height: 61, count: 12, seed: 5).scored(all).summary[.lag] == nil)
    #expect(recording.scored([.iou]).summary[.lag] == nil)
  }

  @Test
  func `of no frame nothing can be told`() {
    let scored = SettingScorer(scores: all.subtracting([.lag]), width: 8, height: 8).finish()
    #expect(scored.frames.isEmpty && scored.summary == ScoreRow())
  }

  @Test
  func `a setting where no frame has a matte is scored all the same`() {
    var never = recording
    for i in never.frames.indices { never.frames[i].matte = nil }
    let summary = never.scored(all).summary
    #expect((summary[.iou], summary[.area], summary[.components], summary[.faceCoverage]) == (0, 0, 0, 0))
    #expect((summary[.flicker], summary[.edgeAlignment], summary[.areaVariation]) == (nil, nil, nil))
    #expect(summary[.dropOuts] == nil, "where nobody ever was, nobody can vanish")
  }

  @Test
  func `a change is told only from the frame that was taken last`() {
    let maker = recording.maker(all)
    let scorer = SettingScorer(scores: all, width: 83, height: 61)
    for i in 0..<3 {
      let scene = recording.scene(maker, i)
      if i != 1 { recording.take(i, scene, scorer) }
    }
    let scores = scorer.finish().frames.map(\.scores)
    #expect(scores.count == 2 && scores[1][.flicker] == nil && scores[1][.dtssd] == nil && scores[1][.iou] != nil)
  }

  @Test(arguments: [(1, 1), (3, 2), (1, 9), (17, 1)])
  func `a picture of a few pixels is scored too`(width: Int, height: Int) throws {
    let maker = SceneMaker(scores: all, width: width, height: height)
    let scorer = SettingScorer(scores: all, width: width, height: height)
    let picture = PixelPlane<UInt8>(width: width, height: height, channels: 3)
    for number in 0..<17 {
      let matte = [UInt8](repeating: number % 2 == 0 ? 255 : 40, count: width * height)
      withBytes(matte) { matte in
        let scene = maker.scene(
          number: number, previousNumber: number == 0 ? nil : number - 1, picture: picture, truth: matte, faces: [])
        scorer.take(scene, matte: matte)
        scorer.takeForLag(matte: matte, reference: matte)
      }
    }
    let summary = scorer.finish().summary
    let perfect: [ScoreKind: Double] = [
      .iou: 1, .boundaryF: 1, .boundaryPrecision: 1, .boundaryRecall: 1,
      .sad: 0, .connectivity: 0, .gradient: 0, .dtssd: 0, .components: 9.0 / 17,
      .soft: 8.0 / 17, .holes: 0,
    ]
    #expect(summary[.haze] == nil)
    for (kind, score) in perfect { #expect(summary[kind] == score, "\(kind)") }
    // All moves, no edge, no face; and no lag in what is narrower than four pixels.
    for kind in [ScoreKind.flicker, .edgeAlignment, .faceCoverage, .lag] { #expect(summary[kind] == nil, "\(kind)") }
  }

  @Test
  func `what a scorer keeps follows from what is wanted`() {
    func byteCount(_ scores: Set<ScoreKind>, frames: Int = 0) -> Int {
      SettingScorer.byteCount(width: 640, height: 480, scores: scores, frameCount: frames)
    }
    #expect(byteCount([.iou, .components, .gradient]) < 10_000)
    // A packed matte of which nothing is flat, and where it is.
    #expect(Double(byteCount([.flicker])) / (640 * 480) > 1.25)
    #expect(Double(byteCount([.flicker])) / (640 * 480) < 1.75)
    // Seventeen at a sixteenth of the size.
    #expect(Double(byteCount([.lag])) / (640 * 480) > 1)
    #expect(Double(byteCount([.lag])) / (640 * 480) < 1.25)
    #expect(byteCount(all, frames: 1000) - byteCount(all) >= 1000 * MemoryLayout<ScoredFrame>.stride)
  }
}
