import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// A sweep from the page of 'retake studio' in Chromium, with mouse and keys.
@Suite(.long) struct StudioSweepTests {
  private struct Setting: Decodable, Equatable {
    var preset: String
    var values: [String: String]
    var name: String
  }

  private struct Answers: Decodable {
    var forecast: [String: String]
    /// At the controls that are varied.
    var notes: [String]
    var command: String
    var problem: String
    /// That are offered of mask.kind.
    var kinds: String
    var withoutPresentValue: [String]
    var wrongFields: [String]
    var path: String
    var rows: Int
    var heads: [String]
    var sorted: [String]
    var a: Setting
    var b: Setting
    var byKeys: Setting
    var compare: String
    var changedName: String
    var undoneName: String
    var brushed: [String]
    var unbrushed: Int
    /// By part, theme and width.
    var faint: [String: [String]]
    var wide: [String: Int]
    var fields: [String: Int]
    var runs: [String: Bool]
    var spilt: [String: [String]]
    /// Room for one, in pixels.
    var axis: Double
    /// At the axes of the Pareto plot, but in no cell of the table.
    var strayFigures: [String]
    /// Whether sweep and truth are shown, after one was asked for.
    var room: [String: [Bool]]
    var unnamed: [String]
    var searchForecast: [String: String]
    var searchCommand: String
    var found: String
    var kept: Int
    /// The button beside the results of a stopped sweep.
    var hasGoOn: String
    var searchPath: String
    var whole: Int
    var console: [String]
    var end: Int
  }

  private struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=60&size=320x240")
  }

  private func browse() throws -> Answers {
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_sweep.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, Checkout.chromium, Checkout.retake, recording, folder.path("")])
    guard result.status == 0 else {
      throw Missing(description: "browse_sweep.py failed: \(result.errors.suffix(1500))")
    }
    return try JSONDecoder().decode(Answers.self, from: result.output)
  }

  /// Settings and scores, without the cost, which is measured.
  private func table(_ path: String) throws -> [String] {
    let csv = try CommandLineTool.run(["sweep", "table", path, "--csv"]).text.split(whereSeparator: \.isNewline)
    let heads = try #require(csv.first).split(separator: ",", omittingEmptySubsequences: false)
    let kept = heads.indices.filter { !heads[$0].contains("cost") && !heads[$0].hasSuffix("_ns") }
    return csv.map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return kept.map { String(cells[$0]) }.joined(separator: ",")
    }
  }

  /// Runs the page's command line with another results file.
  private func run(_ command: String, into path: String) throws {
    let words = try #require(command.split(separator: " -o ").first).split(separator: " ").dropFirst().map { word in
      word.trimmingCharacters(in: CharacterSet(charactersIn: "'"))
    }
    try CommandLineTool.run(words + ["-o", path, "--quiet"])
  }

  @Test
  func `ranges marked on the page run as the command line's sweep, and its settings open as A and B`() throws {
    let answers = try browse()
    #expect(answers.forecast["Settings"] == "6")
    #expect(answers.forecast["Frames"] == "360")
    #expect(answers.forecast["Results"] == folder.path("a-sweep.sqlite"))
    #expect(answers.notes == ["In the sweep: 0 to 1 by 1", "In the sweep: 1 to 5 by 2"])
    #expect(answers.problem.contains("matte.refine-outside"))
    #expect(answers.kinds.hasPrefix("face,cutoff,") && !answers.kinds.contains("segmentation"))
    #expect(answers.withoutPresentValue.isEmpty)
    #expect(answers.wrongFields == ["", "step"])

    #expect(answers.path == folder.path("a-sweep.sqlite"))
    #expect(answers.rows == 6)
    #expect(Array(answers.heads.prefix(3)) == ["Setting", "matte.refine-outside", "matte.refine-inside"])
    #expect(answers.heads.contains { $0.hasPrefix("iou") } && answers.heads.contains { $0.hasPrefix("flicker") })
    #expect(answers.sorted == ["1", "1", "3", "3", "5", "5"])
    try run(answers.command, into: folder.path("own.sqlite"))
    #expect(try table(answers.path) == table(folder.path("own.sqlite")))

    // The sixth setting of the grid.
    #expect(answers.b.values["matte.refine-outside"] == "5" && answers.b.values["matte.refine-inside"] == "1")
    #expect(answers.b.name == "a-sweep 5" && answers.compare == "wipe")
    #expect(answers.byKeys.name.hasPrefix("a-sweep ") && answers.byKeys != answers.b)
    #expect(answers.a.name == "a-sweep 0")
    #expect(answers.changedName == "a-sweep 0, changed" && answers.undoneName == "a-sweep 0")
    #expect(answers.brushed == ["5"] && answers.unbrushed == 6)

    // A search that was stopped is gone on with, to what the command line finds without a stop.
    #expect(answers.searchForecast["Frames"] == "900")
    #expect(answers.searchPath == folder.path("a-sweep-2.sqlite"))
    #expect(answers.found.contains("scored"))
    #expect(answers.kept > 0 && answers.whole > 0 && answers.hasGoOn == "Go on")
    try run(answers.searchCommand, into: folder.path("search.sqlite"))
    #expect(try table(answers.searchPath) == table(folder.path("search.sqlite")))

    for (key, texts) in answers.faint { #expect(texts.isEmpty, "\(key)") }
    for (key, width) in answers.fields { #expect(width >= 34, "a number has no room: \(key)") }
    for (key, isSeen) in answers.runs { #expect(isSeen, "Run is not in sight: \(key)") }
    for (key, names) in answers.spilt { #expect(names.isEmpty, "\(key)") }
    #expect(answers.fields.count == 8 && answers.runs.count == 8 && answers.spilt.count == 8 && answers.axis > 60)
    for (key, width) in answers.wide { #expect(key.hasSuffix(" \(width)"), "\(key)") }
    #expect(answers.strayFigures.isEmpty)
    #expect(answers.room == ["painting": [false, true], "sweeping": [true, false]])
    #expect(answers.unnamed.isEmpty)
    #expect(answers.console.isEmpty)
    #expect(answers.end == 0)
  }

  private struct Pages: Decodable {
    var painted: Int
    var strangers: [String: Int]
    var before: String
    /// Of two at a time.
    var forecasts: [Int]
    var run: Int
    var path: String
    var command: String
    var large: Int
    var second: [Value]
    var seen: [Value]
    var largePath: String
    var largeCommand: String
    var end: Int

    enum Value: Decodable, Equatable {
      case number(Int)
      case text(String)

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self =
          if let number = try? value.decode(Int.self) { .number(number) } else { .text(try value.decode(String.self)) }
      }
    }
  }

  @Test
  func `a sweep is scored by painted truth, belongs to all pages and no stranger, and Ctrl-C keeps its batch`() throws {
    let script = Checkout.root + "/Tests/RetakeStudioTests/sweep_studio.py"
    let result = try ChildProcess.run(Checkout.python, [script, Checkout.retake, recording])
    #expect(result.status == 0, "\(result.errors.suffix(1500))")
    let answers = try JSONDecoder().decode(Pages.self, from: result.output)
    #expect(answers.painted == 204)
    let refusals = ["no key": 401, "another origin": 403, "another site": 403, "another host": 403]
    #expect(answers.strangers == refusals)
    #expect(answers.forecasts == [200, 200])
    #expect(answers.before == "none" && answers.run == 200 && answers.large == 200)
    #expect(answers.command.contains("--truth"))
    try run(answers.command, into: folder.path("own.sqlite"))
    #expect(try table(answers.path) == table(folder.path("own.sqlite")))
    #expect(answers.second == [.number(409), .text("busy")])
    #expect(answers.seen == [.text("running"), .number(2)])
    #expect(answers.end == 0)
    // The program was ended while it played the first settings.
    let kept = try table(answers.largePath)
    #expect(kept.count > 1)
    try run(answers.largeCommand, into: folder.path("large.sqlite"))
    let whole = Set(try table(folder.path("large.sqlite")))
    for line in kept { #expect(whole.contains(line), "\(line)") }
  }
}
