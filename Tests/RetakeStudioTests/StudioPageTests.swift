import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The page of 'retake studio' in Chromium, with mouse and keys.
@Suite(.long) struct StudioPageTests {
  private struct Setting: Decodable, Equatable {
    var preset: String
    var values: [String: String]
  }

  private struct Picture: Decodable {
    var frame: Int
    /// By tap: as the program named them, and of the pixels that the page painted.
    var digests: [String: String]
    var painted: [String: String]
    var isSound: [Bool]
  }

  private struct Change: Decodable {
    var dragged: String
    var picture: Picture
    var undone: String?
    var redone: String
    var byKey: String
    var problem: String
    var kept: String
    /// After Escape: the problem, and the field's text.
    var escaped: [String]
    var reset: String?
    /// After letters in its field: the frame, and the field's number.
    var frame: [Int]
    /// Values after each of two device profiles; the names of the second's own; and of those after all were reset.
    var profiles: [[String: String]]
    var alone: [String]
    var bare: [String]
  }

  /// What the page asked for after each step, such as "11 ahead", and its picture.
  private struct Step: Decodable {
    var first: [String]
    var firstPicture: Picture
    var second: [String]
    var secondPicture: Picture
    var back: [String]
    var backPicture: Picture
    /// Frames that were fetched ahead after a change.
    var changed: Int
    /// Whether it plays and whether it loops, after each press.
    var space: [[Bool]]
  }

  private struct Cut: Decodable {
    var moved: Double
    var expected: Double
    var byKey: Double
  }

  private struct Comparison: Decodable {
    /// How far a canvas pixel on either side is from A's and B's picture.
    struct Distances: Decodable {
      var left: Int
      var right: Int
      var leftOfB: Int
      var rightOfA: Int
    }
    struct Difference: Decodable {
      var largest: Int
      var share: Double
    }
    var wipe: Double
    var far: Distances
    var difference: Difference
    var same: Int
    /// What the tile of a mask says that A has and B needs not: as a difference, and as B alone.
    var missing: [String]
    /// Heads of the table of scores with A and B.
    var scores: [String]
    /// Light values where A is named: on the tile's own canvas, and on the saved picture.
    var labels: [Int]
    var saved: String
    var flipped: [String]
    var swapped: [String?]
  }

  private struct Files: Decodable {
    /// After each key: whether the menu is open, and what has the focus.
    var menu: [Menu]
    var notice: String
    var covered: [String]
    var yaml: String
    var problem: String
    /// After a file without a setting was dropped over a text: the error, and the text.
    var dropped: [String]
    var loaded: Setting
  }

  private struct Menu: Decodable, Equatable {
    var isOpen: Bool
    var focused: String

    init(_ isOpen: Bool, _ focused: String) { (self.isOpen, self.focused) = (isOpen, focused) }
    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      self.init(try values.decode(Bool.self), try values.decode(String.self))
    }
  }

  private struct Shapes: Decodable {
    var wide: [String: Int]
    var faint: [String: [String]]
    var toolbar: [String: Double]
    var unnamed: [String]
    var named: Int
    var reached: [String]
  }

  private struct Place: Decodable, Equatable {
    var frame: Int
    var main: String
    var setting: Setting
  }

  private struct Stay: Decodable {
    var before: Place
    var reloaded: Place
    var secondTab: Place
  }

  private struct Answers: Decodable {
    var pictures: [Picture]
    var step: Step
    var change: Change
    var cut: Cut
    var compare: Comparison
    var files: Files
    /// Frames in the order in which they were shown, and whether all their digests were right.
    var play: [Shown]
    var thin: Thin
    var shapes: Shapes
    var stay: Stay
    var console: [String]
    var end: Int
    var gone: String
  }

  private struct Thin: Decodable {
    var playing: [Plane]
    var pointed: [Plane]
    var still: [Plane]
  }

  private struct Plane: Decodable {
    var tap: String
    var step: Int
    var isSound: Bool?
  }

  private struct Shown: Decodable {
    var frame: Int
    var isSound: Bool
  }

  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  private let recording: String
  private let background: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=24&size=320x240")
    try CommandLineTool.run([
      "replay", recording, "--tap", "matte", "--to", "0", "--output", "png:" + folder.path("behind"),
    ])
    background = folder.path("behind/000000.png")
  }

  private func browse() throws -> Answers {
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_studio.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, Checkout.chromium, Checkout.retake, recording, background, folder.path("")])
    guard result.status == 0 else {
      throw Missing(description: "browse_studio.py failed: \(result.errors.suffix(1500))")
    }
    return try JSONDecoder().decode(Answers.self, from: result.output)
  }

  /// The digests that a replay prints for one frame, by tap.
  private func digests(_ frame: Int, _ arguments: [String] = []) throws -> [String: String] {
    let replay = try CommandLineTool.run(
      ["replay", recording, "--background", background, "--output", "digests:-", "--quiet"] + arguments)
    let line = try #require(replay.text.split(separator: "\n").first { $0.hasPrefix("{\"frame\":\(frame),") })
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    return object.compactMapValues { $0 as? String }
  }

  private func expect(
    _ picture: Picture, isThatOf digests: [String: String], location: SourceLocation = #_sourceLocation
  ) {
    for tap in ["depth", "mask", "matte", "composite"] {
      #expect(picture.digests[tap] == digests[tap], "frame \(picture.frame), \(tap)", sourceLocation: location)
    }
    for (tap, digest) in picture.painted {
      #expect(picture.digests[tap] == digest, "frame \(picture.frame), \(tap) as painted", sourceLocation: location)
    }
    #expect(picture.painted.count == 4, sourceLocation: location)
    #expect(picture.isSound == Array(repeating: true, count: 5), sourceLocation: location)
  }

  @Test
  func `the page shows a replay's pictures, and mouse and keys change, compare, save and keep them`() throws {
    let answers = try browse()

    #expect(answers.pictures.map(\.frame) == [0, 17, 5])
    for picture in answers.pictures { expect(picture, isThatOf: try digests(picture.frame)) }

    try expectSteps(answers.step)

    let change = answers.change
    let dragged = try #require(Int(change.dragged))
    #expect((4...12).contains(dragged))
    expect(change.picture, isThatOf: try digests(5, ["--set", "matte.refine-outside=\(dragged)"]))
    #expect(change.undone == nil && change.redone == change.dragged && change.reset == nil)
    #expect(change.byKey == "7" && change.kept == "7")
    #expect(change.problem == "'900' is not a value for matte.refine-outside. Type 1 to 16 mask px.")
    #expect(change.escaped == ["", "7"])
    #expect(change.frame == [5, 5])
    #expect(change.profiles.count == 2 && change.profiles[0]["depth.rate"] == "4/5")
    let kept = ["composite.background"]
    #expect(Set(change.profiles[1].keys) == Set(change.alone).union(kept) && change.alone.contains("depth.width"))
    #expect(change.bare == kept)

    #expect(abs(answers.cut.moved - answers.cut.expected) < 0.02)
    #expect(abs(answers.cut.byKey + 0.01) < 0.001)

    let compare = answers.compare
    #expect(abs(compare.wipe - 0.25) < 0.01)
    #expect(compare.far.left <= 12 && compare.far.right <= 12, "\(compare.far)")
    #expect(compare.far.leftOfB > 12 || compare.far.rightOfA > 12, "A and B are alike here: \(compare.far)")
    #expect(
      compare.missing == ["B has no mask, so there is no difference to show.", "This setting needs no mask."])
    #expect(compare.difference.largest > 0 && compare.difference.share > 0 && compare.same == 0)
    #expect(compare.scores == ["Score", "A", "B", "Worst of A"])
    #expect(compare.labels[0] != compare.labels[1])
    #expect(compare.saved.hasPrefix("Saved a-composite-5-side-a-desk-b-desk.png"), "\(compare.saved)")
    #expect(compare.flipped == ["b", "a"])
    #expect(compare.swapped == ["filter", nil])

    let (summary, first) = ("Save and load", "Save YAML")
    let opened = [Menu(true, summary), Menu(true, first), Menu(false, summary)]
    // Escape and the last choice give the focus back.
    let steps = opened + opened
    #expect(answers.files.menu == steps)
    #expect(answers.files.notice.contains("Use it with: retake replay \(recording) --parameters "))
    #expect(answers.files.covered.isEmpty)
    try answers.files.yaml.write(toFile: folder.path("page.yaml"), atomically: true, encoding: .utf8)
    let saved = try CommandLineTool.run(["parameters", "--json", "--parameters", folder.path("page.yaml")])
    let expected = try CommandLineTool.run([
      "parameters", "--json", "--set", "matte.gamma=0.8", "--set", "composite.background=\(background)",
    ])
    #expect(saved.text == expected.text)
    #expect(answers.files.problem.contains("There is no parameter 'matte.blr'."))
    #expect(answers.files.dropped[0].contains("a clip.mp4") && !answers.files.dropped[0].contains("/tmp/"))
    #expect(answers.files.dropped[1].isEmpty)
    let loaded = Setting(preset: "handheld", values: ["matte.blur": "4", "composite.background": background])
    #expect(answers.files.loaded == loaded)

    #expect(answers.play.map(\.frame) == (1...40).map { 4 + $0 % 16 }, "every frame in its order")
    #expect(answers.play.allSatisfy { $0.isSound })
    expectThin(answers.thin)

    #expect(answers.stay.before == Place(frame: 9, main: "depth", setting: loaded))
    #expect(answers.stay.reloaded == answers.stay.before)
    #expect(answers.stay.secondTab == answers.stay.before)
    #expect(answers.console.isEmpty)
    #expect(answers.end == 0)
    #expect(answers.gone.hasPrefix("The program does not answer. Start 'retake studio' again"))
    try expectShapes(answers.shapes)
  }

  /// What is shown small has fewer pixels only while it plays and nothing points at it, and is checked as soon as it stops.
  private func expectThin(_ thin: Thin) {
    for plane in thin.playing {
      // The histogram needs all depth.
      let isWhole = ["composite", "depth"].contains(plane.tap)
      #expect(isWhole == (plane.step == 1) && isWhole == (plane.isSound == true), "\(plane.tap): \(plane.step)")
    }
    for plane in thin.pointed + thin.still { #expect(plane.step == 1 && plane.isSound == true, "\(plane.tap)") }
    #expect([thin.playing, thin.pointed, thin.still].allSatisfy { $0.count == 5 })
  }

  /// A frame beside the one that is shown is asked for once, and a step to it asks for nothing but the one after it.
  private func expectSteps(_ step: Step) throws {
    #expect(step.first == ["10 now", "11 ahead"])
    #expect(step.second == ["12 ahead"])
    #expect(step.back == ["9 ahead"])
    #expect(step.changed == 0)
    // A button that the pointer pressed does not take the space from Play; one that Tab found does.
    let (clicked, tabbed) = ([[false, false], [true, false], [false, false]], [[false, true]])
    #expect(step.space == clicked + tabbed + [[true, true], [false, true]])
    for (picture, frame) in [(step.firstPicture, 10), (step.secondPicture, 11), (step.backPicture, 10)] {
      #expect(picture.frame == frame)
      expect(picture, isThatOf: try digests(frame))
    }
  }

  private func expectShapes(_ shapes: Shapes) throws {
    #expect(shapes.wide.count == 6)
    for (shape, width) in shapes.wide { #expect(shape.hasSuffix(" \(width)"), "\(shape) is \(width) wide") }
    for (shape, height) in shapes.toolbar { #expect(height < 45, "the toolbar needs two rows: \(shape)") }
    for (shape, texts) in shapes.faint { #expect(texts.isEmpty, "too little contrast: \(shape)") }
    #expect(shapes.named > 80 && shapes.unnamed.isEmpty)
    for name in ["mask.kind", "matte.still", "composite.kind", "timeline", "play", "compare-wipe", "search", "preset"] {
      #expect(shapes.reached.contains(name), "the Tab key does not reach \(name)")
    }
    for name in ["light-1600", "light-800", "dark-1600", "dark-800", "wipe"] {
      let picture = try ChildProcess.run(
        Checkout.python,
        [
          "-c",
          "import sys; from PIL import Image; print(len(Image.open(sys.argv[1]).convert('RGB').getcolors(1 << 24)))",
          folder.path(name + ".png"),
        ])
      #expect(Int(picture.text.split(separator: "\n").first ?? "") ?? 0 > 500, "\(name) is blank")
    }
  }
}
