import Dispatch
import RecordingTestSupport
import Scores
import StudioViews
import Support
import Testing

/// Two pages that ask for different things at the same time.
@Suite struct TurnTests {
  /// Takes longer than the wait for an answer, so that work which is begun again and again never ends.
  private static let frames = 0..<90
  private let made: SimulatedRecording

  init() throws { made = try SimulatedRecording("size=640x480&frames=\(Self.frames.count)") }

  private func setting(_ page: String) throws -> ViewSetting {
    try ViewSetting(preset: page == "one" ? "desk" : "handheld")
  }

  @Test func `each gets its exact picture while the other asks too`() throws {
    let view = StudioView(made.recording, firstNumber: 0, cache: PictureCache())
    final class Answers: @unchecked Sendable {
      var found: [String: ViewPicture] = [:]
      let lock = DispatchQueue(label: "answers")
    }
    let answers = Answers()
    let pages = ["one", "two"]
    // Each asks again as soon as the other one has asked, and not only when it was answered.
    var rounds = 0
    while answers.lock.sync(execute: { answers.found.count < pages.count }), rounds < 400 {
      rounds += 1
      let group = DispatchGroup()
      for page in pages where answers.lock.sync(execute: { answers.found[page] == nil }) {
        let request = ViewRequest(
          frame: Self.frames.upperBound - 1, span: ViewSpan(frames: Self.frames), setting: try setting(page), page: page
        )
        group.enter()
        view.showExact(request) { result in
          if let picture = (try? result.get())?.picture { answers.lock.sync { answers.found[page] = picture } }
          group.leave()
        }
      }
      group.wait()
    }
    #expect(answers.found.values.allSatisfy { $0.exact == .all && $0.frame == Self.frames.upperBound - 1 })
    #expect(answers.found.count == pages.count, "\(rounds)")
    let digests = answers.found.mapValues { $0.planes.first { $0.tap == .matte }?.digest }
    #expect(digests["one"] != digests["two"])
  }

  @Test func `the work of a page's older question ends at once`() throws {
    let view = StudioView(made.recording, firstNumber: 0, cache: PictureCache())
    func ask(_ gamma: String) throws -> ViewAnswer {
      let setting = try ViewSetting(preset: "desk", values: ["matte.gamma": gamma])
      let request = ViewRequest(
        frame: Self.frames.upperBound - 1, span: ViewSpan(frames: Self.frames), setting: setting, page: "one")
      return try view.answer(request, isExact: true)
    }
    for gamma in ["0.8", "0.9", "1.1", "1.2"] where try ask(gamma).picture == nil {
      // Asked again until it is there. It does not wait for the work before it.
      var picture = try ask(gamma).picture
      for _ in 0..<100 where picture == nil { picture = try ask(gamma).picture }
      #expect(picture?.exact == .all)
    }
  }

  @Test func `each gets its scores while the other asks too`() throws {
    let watch = ScoreWatch(made.recording, firstNumber: 0, truth: try PaintedTruth(made.recording))
    var done: [String: ScoreWatch.Progress] = [:]
    let start = DispatchTime.now()
    while done.count < 2, DispatchTime.now() < start + .seconds(100) {
      for page in ["one", "two"] where done[page] == nil {
        let question = ScoreWatch.Question(
          setting: try setting(page), span: ViewSpan(frames: Self.frames), scores: [.flicker, .iou])
        let progress = watch.progress(question, page: page)
        if progress.summary != nil || progress.failure != nil { done[page] = progress }
      }
    }
    #expect(done.count == 2)
    #expect(done.values.allSatisfy { $0.failure == nil && $0.doneCount == Self.frames.count })
    #expect(done["one"]?.summary?[.flicker] != done["two"]?.summary?[.flicker])
  }
}
