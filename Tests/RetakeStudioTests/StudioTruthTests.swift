import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Truth painted on the page of `retake studio` in Chromium: see browse_truth.py.
@Suite(.long) struct StudioTruthTests {
  private struct Answers: Decodable {
    struct Pixel: Decodable {
      var matte: Int
      var ignored: Int
    }
    struct Sheet: Decodable, Equatable {
      var matte: String
      var ignored: String
      var count: Int
      var ignoredCount: Int
    }
    struct Paint: Decodable {
      var beginsFromMatte: Bool
      var person: Pixel
      var rightButton: Pixel
      var alt: Pixel
      var ignored: Pixel
      var undoneOnce: Bool
      var undoneTwice: Bool
      var redone: Bool
      var untouched: Bool
      /// Largest difference of a layer drawn by strokes from one drawn anew, of 255.
      var seams: Int
      var laneBefore: String
      var laneAfter: String
      var painted: Sheet
    }
    struct Leave: Decodable {
      var savedByLeaving: Bool
      var onlyPainted: [Int]
      var problem: String
      var savedLater: Bool
      var broughtBack: Bool
      var staysRemoved: [Int]
    }
    struct Unpainted: Decodable {
      var asks: String
      var stored: [Int]
    }
    struct Scores: Decodable {
      var before: Double
      var ofItsOwnMatte: Double
    }
    struct Keys: Decodable {
      var dab: Pixel
      var unnamed: [String]
      var wide: [String: Int]
      var faint: [String: [String]]
      var blank: [String: [String]]
    }
    struct Reload: Decodable {
      var frames: [Int]
      var sheet: Sheet
    }
    struct Tabs: Decodable {
      var refused: String
      var kept: Bool
      var loaded: Bool
      var undone: Bool
      var saved: Bool
      var replaced: Bool
    }
    var paint: Paint
    var leave: Leave
    var unpainted: Unpainted
    var scores: Scores
    var keys: Keys
    var reload: Reload
    var tabs: Tabs
    var console: [String]
    var end: Int
  }

  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=320x240")
  }

  @Test
  func `strokes are kept, undone, saved and scored by`() throws {
    try CommandLineTool.run([
      "replay", recording, "--tap", "matte", "--to", "0", "--output", "png:" + folder.path("behind"),
    ])
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_truth.py"
    let result = try ChildProcess.run(
      Checkout.python,
      [script, Checkout.chromium, Checkout.retake, recording, folder.path("behind/000000.png"), folder.path("")])
    try #require(result.status == 0, "\(result.errors.suffix(1500))")
    let answers = try JSONDecoder().decode(Answers.self, from: result.output)

    let paint = answers.paint
    #expect(paint.beginsFromMatte && paint.untouched)
    #expect(paint.person.matte == 255 && paint.alt.matte == 255 && paint.rightButton.matte == 0)
    #expect(paint.ignored.ignored == 255)
    #expect(paint.undoneOnce && paint.undoneTwice && paint.redone)
    #expect(paint.seams <= 8)
    #expect(paint.laneBefore != paint.laneAfter)
    #expect(paint.painted.ignoredCount > 0)

    #expect(answers.leave.savedByLeaving && answers.leave.savedLater && answers.leave.broughtBack)
    #expect(answers.leave.onlyPainted == [2, 4])
    #expect(answers.leave.problem.contains("was not saved"))
    #expect(answers.leave.staysRemoved == [2])
    #expect(answers.unpainted.asks.hasPrefix("Nothing is painted on frame 7"), "\(answers.unpainted.asks)")
    #expect(answers.unpainted.stored == [2])
    #expect(answers.scores.before < 0.99 && answers.scores.ofItsOwnMatte == 1)
    #expect(answers.keys.dab.matte == 255)
    #expect(answers.keys.unnamed == [])
    for (what, width) in answers.keys.wide { #expect(what.hasSuffix(" \(width)"), "\(what) is \(width) wide") }
    #expect(answers.keys.blank.count == 6)
    for (what, texts) in answers.keys.blank { #expect(texts == [], "\(what) has a line of hidden parts") }
    for (what, texts) in answers.keys.faint { #expect(texts == [], "\(what)") }
    #expect(answers.reload.frames == [2] && answers.reload.sheet == paint.painted)
    let tabs = answers.tabs
    #expect(tabs.refused.contains("Another page has changed it since this one read it."), "\(tabs.refused)")
    #expect(tabs.kept && tabs.loaded && tabs.undone && tabs.saved && tabs.replaced)
    #expect(answers.console == [])
    #expect(answers.end == 0)

    // What the page saved is what a sweep takes.
    let swept = try ChildProcess.run(
      Checkout.retake,
      [
        "sweep", recording, "--list", "mask.offset=0.2,0.35", "--truth", folder.path("a.truth"), "--best", "iou", "-o",
        folder.path("a.sqlite"),
      ])
    #expect(swept.status == 0, "\(swept.errors)")
  }
}
