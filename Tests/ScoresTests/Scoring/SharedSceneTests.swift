import Kernels
import Scores
import TestSupport
import Testing

/// What is shared between settings, and what is left out for some, changes no bit of what each is worth.
@Suite struct SharedSceneTests {
  private let all = Set(ScoreKind.allCases)
  private static let recording = MadeRecording(width: 83, height: 61, count: 20, seed: 7)
  private var recording: MadeRecording { Self.recording }

  /// Settings whose mattes differ: the same recording with the mattes of others in its place.
  private static let settings = (0..<5).map { setting in
    let other = MadeRecording(width: 83, height: 61, count: 20, seed: UInt64(20 + setting), lag: setting)
    var changed = recording
    for i in changed.frames.indices {
      (changed.frames[i].matte, changed.frames[i].reference) = (other.frames[i].matte, other.frames[i].reference)
    }
    return changed
  }

  @Test
  func `score each of them as it is scored alone`() {
    let settings = Self.settings
    let maker = recording.maker(all)
    let scorers = settings.map { _ in SettingScorer(scores: all, width: 83, height: 61) }
    for i in recording.frames.indices {
      let scene = recording.scene(maker, i)
      for (setting, scorer) in zip(settings, scorers) { setting.take(i, scene, scorer) }
    }
    let scored = scorers.map { $0.finish(reference: 0) }
    for (setting, scored) in zip(settings, scored) { #expect(areSame(scored, setting.scored(all))) }
    #expect(Set(scored).count == settings.count)
  }

  @Test
  func `serve many threads at once, and the scores are the same`() async {
    let settings = Self.settings
    let maker = recording.maker(all, keeping: 2)
    let scenes = recording.frames.indices.map { recording.scene(maker, $0) }
    let all = all
    let scored = await withTaskGroup(of: (Int, ScoredRecording).self) { group in
      for round in 0..<20 {
        group.addTask {
          let setting = settings[round % settings.count]
          let scorer = SettingScorer(scores: all, width: 83, height: 61)
          for (i, scene) in scenes.enumerated() { setting.take(i, scene, scorer) }
          return (round, scorer.finish(reference: 0))
        }
      }
      var scored: [Int: ScoredRecording] = [:]
      for await (round, recording) in group { scored[round] = recording }
      return scored
    }
    let alone = settings.map { $0.scored(all) }
    for round in 0..<20 {
      #expect(scored[round].map { areSame($0, alone[round % settings.count]) } == true, "\(round)")
    }
  }

  @Test(arguments: ScoreKind.allCases)
  func `give each kind of score alone the value that it has beside all others`(kind: ScoreKind) {
    let everything = recording.scored(all)
    let alone = recording.scored([kind])
    #expect(alone.frames.count == everything.frames.count)
    for (frame, among) in zip(alone.frames, everything.frames) {
      #expect((frame.number, frame.hasMatte) == (among.number, among.hasMatte))
      var wanted = ScoreRow()
      wanted[kind] = among.scores[kind]
      #expect(frame.scores == wanted, "frame \(frame.number)")
    }
    var wanted = ScoreRow()
    wanted[kind] = everything.summary[kind]
    #expect(alone.summary == wanted)
  }

  @Test
  func `are given back as they are while they are among the last`() {
    let maker = recording.maker(all, keeping: 3)
    let first = recording.scene(maker, 0)
    let second = recording.scene(maker, 1)
    #expect(recording.scene(maker, 0) === first && recording.scene(maker, 1) === second)
    let third = recording.scene(maker, 2)
    _ = recording.scene(maker, 3)
    #expect(recording.scene(maker, 0) !== first)
    #expect(recording.scene(maker, 2) === third)
  }

  @Test
  func `that come after another frame than before look back at that one`() {
    // One setting sees all frames, another every second one: the maker is asked in turn.
    var halved = recording
    halved.frames = recording.frames.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let maker = recording.maker(all)
    let scorer = SettingScorer(scores: all, width: 83, height: 61)
    let halvedScorer = SettingScorer(scores: all, width: 83, height: 61)
    for i in recording.frames.indices {
      recording.take(i, recording.scene(maker, i), scorer)
      if i % 2 == 0 { halved.take(i / 2, halved.scene(maker, i / 2), halvedScorer) }
    }
    #expect(areSame(scorer.finish(reference: 0), recording.scored(all)))
    #expect(areSame(halvedScorer.finish(reference: 0), halved.scored(all)))
    #expect(!areSame(halved.scored(all), recording.scored(all)))
  }

  @Test
  func `whose picture before is gone say nothing of what changed, and everything else`() throws {
    let maker = recording.maker(all, keeping: 2)
    let scorer = SettingScorer(scores: all, width: 83, height: 61)
    recording.take(0, recording.scene(maker, 0), scorer)
    for other in [10, 11, 12] { _ = recording.scene(maker, other) }
    recording.take(1, recording.scene(maker, 1), scorer)
    let scored = try #require(scorer.finish(reference: 0).frames.last?.scores)
    let wanted = recording.scored(all).frames[1].scores
    let lookingBack: [ScoreKind] = [.flicker, .dtssd]
    #expect(wanted[.flicker] != nil && wanted[.dtssd] != nil)
    for kind in ScoreKind.allCases {
      #expect(scored[kind] == (lookingBack.contains(kind) ? nil : wanted[kind]), "\(kind)")
    }
  }
}
