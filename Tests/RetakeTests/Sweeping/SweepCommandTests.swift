import CommandTestSupport
import Foundation
import Scores
import Sweeps
import TestSupport
import Testing

/// `retake sweep` as somebody uses it who tunes.
@Suite(.long) struct SweepCommandTests {
  private let swept: SweptFolder
  init() throws { swept = try SweptFolder() }

  @Test func `a newcomer's four commands: record, sweep, report, replay with the winner`() throws {
    let lines = [
      "retake record --device 'simulated?size=160x120&pace=fast' --duration 1s -o first.retake --keep-free 0",
      "retake sweep first.retake --scan matte.blur=1..5:2 --list matte.gamma=0.5,1 --best iou --write-best best.yaml",
      "retake sweep report first-sweep.sqlite -o report.html",
      "retake replay first.retake --parameters best.yaml --output sheet:best.png",
    ]
    let results = try lines.map { try swept.shell($0) }
    #expect(results[1].text.hasPrefix("best by iou: setting "), "\(results[1].text)")
    #expect(results[1].text.contains("matte.blur") && results[1].text.contains("matte.gamma"))
    #expect(
      try swept.text("report.html").hasPrefix("<!doctype html>")
        || swept.text("report.html").hasPrefix("<!DOCTYPE html>"))
    #expect(swept.has("best.png") && swept.has("best.yaml"))
    #expect(results[1].errors.contains("'retake sweep report first-sweep.sqlite -o report.html' makes a page"))
    // What comes next does not replace what is there.
    let other = try swept.shell("retake sweep first.retake --list matte.gamma=0.5,2 --scores iou -o other.sqlite")
    #expect(other.errors.contains("-o report-2.html' makes a page"), "\(other.errors)")
    #expect(other.errors.contains("-o best-2.yaml' writes"), "\(other.errors)")
    // Nothing is left beside what was asked for.
    let names = try FileManager.default.contentsOfDirectory(atPath: swept.folder.path).sorted()
    #expect(
      names == [
        "a.retake", "best.png", "best.yaml", "first-sweep.sqlite", "first.retake", "other.sqlite", "report.html",
      ])
  }

  @Test func `a winner's background is found from any folder, and one that is missing is told as such`() throws {
    try swept.shell("retake record --device 'simulated?size=160x120&pace=fast&frames=6' -o first.retake --keep-free 0")
    try swept.shell("retake replay first.retake -o deep/bg.png")
    try swept.shell(
      "retake sweep first.retake --list matte.blur=1,3 --set composite.background=deep/bg.png --best iou -o n.sqlite "
        + "--write-best deep/best.yaml")
    let yaml = try swept.text("deep/best.yaml")
    #expect(yaml.contains("background: bg.png\n"), "\(yaml)")
    try swept.shell("mkdir tuned && cd tuned && retake sweep best ../n.sqlite -o best.yaml")
    let replay = "cd / && retake replay \(swept.path("first.retake")) -o none --parameters"
    for name in ["deep/best.yaml", "tuned/best.yaml"] { try swept.shell("\(replay) \(swept.path(name))") }
    try swept.shell("mv deep/bg.png deep/bgg.png")
    let missing = try swept.shell(
      "cd deep && retake replay ../first.retake --parameters best.yaml -o none", expecting: 1)
    #expect(missing.errors.contains("There is no bg.png, which composite.background names."), "\(missing.errors)")
    #expect(missing.errors.contains("did you mean bgg.png? check the path"), "\(missing.errors)")
    let studio = try swept.shell(
      "retake studio first.retake --no-open --set composite.background=gone/bg.png", expecting: 1)
    #expect(studio.errors.contains("There is no gone/bg.png, which composite.background names."), "\(studio.errors)")
  }

  @Test func `one of a report's pictures is of a frame in which somebody is`() throws {
    try swept.shell(
      "retake record --device 'simulated?size=160x120&pace=fast&frames=40&empty=28' -o late.retake --keep-free 0")
    try swept.shell("retake sweep late.retake --list matte.blur=1,3 --best iou -o late.sqlite")
    try swept.shell("retake sweep report late.sqlite -o late.html")
    let numbers = try swept.text("late.html").matches(of: /<h3>Frame (\d+) of/).compactMap { Int($0.1) }
    #expect(numbers.contains { $0 >= 28 }, "\(numbers)")
  }

  @Test func `in a narrow terminal the table names parameters without their groups, and says what is left out`() throws
  {
    try swept.sweep([
      "--list", "mask.offset=0.3,0.4", "--list", "matte.gamma=1", "--scores", "iou,boundary-f", "--best", "iou",
    ])
    for (columns, heads, leftOut) in [
      (60, ["SETTING", "iou", "offset", "gamma", "boundary-f", "cost", "ms"], nil),
      (28, ["SETTING", "iou", "offset"], "matte.gamma"), (120, ["SETTING", "iou", "mask.offset"], nil),
    ] as [(Int, [String], String?)] {
      let terminal = try TerminalProcess(["sweep", "table", swept.path("r.sqlite")], columns: columns)
      #expect(try terminal.end() == 0)
      let lines = terminal.output.split(whereSeparator: \.isNewline)
      let head = try #require(lines.first { $0.hasPrefix("SETTING") }).split(separator: " ").map(String.init)
      #expect(Array(head.prefix(heads.count)) == heads, "\(columns): \(terminal.output)")
      // Paths are not broken.
      #expect(
        lines.allSatisfy { $0.count <= columns || $0.contains(swept.folder.path) }, "\(columns): \(terminal.output)")
      #expect(terminal.output.contains("Too narrow") == (leftOut != nil), "\(columns): \(terminal.output)")
      if let leftOut { #expect(terminal.output.contains(leftOut), "\(columns): \(terminal.output)") }
    }
  }

  @Test func `the winner's YAML holds what differs from the preset, and replays with the setting's digest`() throws {
    try swept.sweep(["--scan", "matte.blur=1..3:1", "--set", "mask.offset=0.4", "--scores", "iou"])
    let best = try CommandLineTool.json(
      CommandLineTool.run(["sweep", "best", swept.path("r.sqlite"), "--by", "iou", "--json"]).text)
    let yaml = try CommandLineTool.run(
      ["sweep", "best", swept.path("r.sqlite"), "--by", "iou", "-o", "-"]
    ).text
    let lines = yaml.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("#") }
    let tried = try #require(best["tried"] as? [String: String])
    #expect(
      lines == [
        "preset: desk", "mask:", "  offset: 0.4", "matte:", "  blur: \(tried["matte.blur"] ?? "")",
      ])
    let path = try swept.write(yaml, "best.yaml")
    let digest = try #require(best["digest"] as? String)
    #expect(try swept.parameterDigest(["--parameters", path]) == digest)
    #expect(try swept.parameterDigest([]) != digest)
    // The other two that take such a file.
    try CommandLineTool.run([
      "bundle", swept.recording, "--from", "0", "--to", "1", "--parameters", path, "-o", swept.path("a.retake-bundle"),
    ])
    try CommandLineTool.run(["reproduce", swept.path("a.retake-bundle")])
    try CommandLineTool.run([
      "live", "--device", "simulated?pace=fast&frames=3&size=160x120", "--parameters", path, "--output", "none",
    ])
    #expect(try CommandLineTool.run(["parameters", "--yaml", "--parameters", path]).text.contains("\n  offset: 0.4\n"))
  }

  @Test func `page, table and 'sweep best' choose as the sweep's --best did, unless told otherwise`() throws {
    let words = ["--list", "matte.blur=1,6", "--scores", "iou,boundary-f"]
    let made = try swept.sweep(words + ["--best", "min(boundary-f)"])
    let results = swept.path("r.sqlite")
    let best = try #require(made.text.firstMatch(of: /setting (\d+)/)?.1)
    try CommandLineTool.run(["sweep", "report", results, "-o", swept.path("a.html"), "--no-pictures"])
    let page = try swept.text("a.html")
    #expect(
      page.contains("Chosen by min(boundary-f) of 2 settings.") && page.contains("Setting <strong>\(best)</strong>"))
    #expect(try CommandLineTool.run(["sweep", "best", results]).text == made.text)
    let head = try #require(try CommandLineTool.run(["sweep", "table", results]).text.split(separator: "\n").first)
    #expect(head.split(separator: " ").prefix(3) == ["SETTING", "boundary-f", "matte.blur"], "\(head)")
    try CommandLineTool.run(["sweep", "report", results, "-o", swept.path("b.html"), "--no-pictures", "--best", "iou"])
    #expect(try swept.text("b.html").contains("Chosen by iou"))
    // Results that another choice made: the next step names this one.
    let other = try swept.sweep(words + ["--best", "iou"])
    #expect(other.errors.contains("-o report.html --best iou' makes a page"), "\(other.errors)")
    try swept.sweep(words, to: "none.sqlite")
    let none = try CommandLineTool.run(["sweep", "best", swept.path("none.sqlite")], expecting: 64)
    #expect(none.errors.contains("write --by boundary-f, or another score: iou, boundary-f, cost"), "\(none.errors)")
  }

  @Test func `a page has pictures of a recording beside the results, wherever it is made, and of no other`() throws {
    try swept.shell(
      "mkdir sub; mv a.retake sub; retake sweep sub/a.retake --list matte.blur=1,2 --scores iou -o r.sqlite")
    func said(_ results: String) throws -> String {
      try CommandLineTool.run(["sweep", "report", swept.path(results), "-o", swept.path("a.html"), "--force"]).errors
    }
    #expect(try !said("r.sqlite").contains("No pictures"))
    // The folder of both may have been another.
    try swept.shell("mv r.sqlite sub")
    #expect(try !said("sub/r.sqlite").contains("No pictures"))
    #expect(try swept.text("a.html").contains("<img"))
    try FileManager.default.removeItem(atPath: swept.path("sub/a.retake"))
    _ = try CommandLineTool.recordSimulated(swept.folder, "sub/a.retake", "frames=20&size=160x120&seed=2")
    #expect(try said("sub/r.sqlite").contains("No pictures of sub/a.retake: "))
  }

  @Test func `beside the best stands what the current values score, if they are among the settings`() throws {
    let words = ["--preset", "truedepth-backdrop", "--best", "sad"]
    let among = try swept.sweep(words + ["--list", "matte.blur=8,1", "--set", "matte.blur=8"])
    let value = try #require(try swept.rows()[0]["sad"] as? Double)
    #expect(among.text.contains("setting 1 (of 2 settings)") && value > 0, "\(among.text)")
    let line = try #require(among.text.split(separator: "\n").first { $0.hasPrefix("current values: ") })
    #expect(line.hasPrefix("current values: setting 0, sad \(Int(value))"), "\(line)")
    let best = try swept.sweep(words + ["--list", "matte.blur=8,1", "--set", "matte.blur=1"], to: "best.sqlite")
    #expect(best.text.contains("\ncurrent values: this setting\n"), "\(best.text)")
    let other = try swept.sweep(words + ["--list", "matte.blur=8,1", "--set", "matte.blur=4"], to: "other.sqlite")
    #expect(other.text.contains("\ncurrent values: not among those tried\n"), "\(other.text)")
  }

  @Test func `a winner from another preset keeps it`() throws {
    try swept.sweep([
      "--preset", "video-depth-maps-blur", "--list", "mask.focus=0.5,1", "--scores", "area", "--best", "max(area)",
      "--write-best", swept.path("best.yaml"),
    ])
    #expect(try swept.text("best.yaml").contains("preset: video-depth-maps-blur\n"))
    let best = try CommandLineTool.json(
      CommandLineTool.run(["sweep", "best", swept.path("r.sqlite"), "--by", "max(area)", "--json"]).text)
    #expect(
      try swept.parameterDigest(["--parameters", swept.path("best.yaml")]) == best["digest"] as? String)
  }

  @Test func `a file of YAML and words that say the same make the same results`() throws {
    let yaml = try swept.write(
      """
      set: {mask.offset: 0.4}
      scan: {matte.blur: 1..5:2}
      list: {depth.latency: [0, 1]}
      where: ["matte.blur!=3"]
      scores: [iou, lag]
      every: 2
      to: 9
      recordings: [a.retake]
      """, "tune.yaml")
    try CommandLineTool.run(["sweep", "--file", yaml, "-o", swept.path("file.sqlite")])
    try swept.sweep([
      "--list", "depth.latency=0,1", "--scan", "matte.blur=1..5:2", "--where", "matte.blur!=3", "--set",
      "mask.offset=0.4", "--scores", "lag", "--scores", "iou", "--every", "2", "--to", "9",
    ])
    try CommandLineTool.run(["sweep", "compare", swept.path("file.sqlite"), swept.path("r.sqlite")])
    #expect(try swept.rows().count == 4)
    // Words count more than the file.
    try CommandLineTool.run([
      "sweep", "--file", yaml, "--list", "matte.blur=7", "--scores", "iou", "-o", swept.path("more.sqlite"),
    ])
    let rows = try swept.rows("more.sqlite")
    #expect(rows.count == 2)
    #expect(
      try CommandLineTool.run(["sweep", "compare", swept.path("file.sqlite"), swept.path("more.sqlite")], expecting: 1)
        .text.isEmpty == false)
  }

  @Test func `the words that results keep make the same results again, files and all`() throws {
    let parameters = try swept.write("preset: video-depth-maps-green-screen\nmatte: {blur: 2}\n", "mine.yaml")
    let yaml = try swept.write("where: [\"mask.focus != 0.5\"]\nseed: 5\nevery: 2\nto: 0.5s\n", "tune.yaml")
    try swept.sweep([
      "--file", yaml, "--parameters", parameters, "--profile", "kinect-v1", "--range", "mask.focus=0.3..1.2", "--list",
      "matte.gamma=1,2", "--latin", "4", "--scores", "iou,flicker", "--set", "composite.color=#102030",
    ])
    let words = try SweepResultsFile.open(swept.path("r.sqlite")).identity.words
    #expect(words.contains("'composite.color=#102030'") && !words.contains("yaml"), "\(words)")
    try swept.shell("retake sweep a.retake \(words) -o again.sqlite")
    try expectSameContents(swept.path("r.sqlite"), swept.path("again.sqlite"), words)
  }

  @Test func `a quote with an accent behind it is a quote to a shell too`() throws {
    let mattes = swept.path("it'\u{301}s; touch bad #")
    try CommandLineTool.run(["replay", swept.recording, "--output", "png:\(mattes)", "--tap", "matte"])
    try swept.sweep(["--truth", mattes, "--scores", "iou"])
    let words = try SweepResultsFile.open(swept.path("r.sqlite")).identity.words
    try swept.shell("retake sweep a.retake \(words) -o again.sqlite")
    try expectSameContents(swept.path("r.sqlite"), swept.path("again.sqlite"), words)
    #expect(!swept.has("bad"))
  }

  @Test func `a dry run says what there is to do, and writes nothing`() throws {
    let before = try FileManager.default.subpathsOfDirectory(atPath: swept.folder.path).sorted()
    let words = ["--scan", "matte.blur=1..5:1", "--list", "depth.spatial-passes=0,1", "--scores", "iou"]
    let said = try swept.sweep(words + ["--dry-run"]).text
    #expect(
      said.contains("settings") && said.contains("10") && said.contains("depth 2, masks 2, blurs 10, mattes 10"),
      "\(said)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: swept.folder.path).sorted() == before)
    // An empty file is no results yet, as when it is swept into.
    _ = try swept.write("", "empty.sqlite")
    let empty = try swept.sweep(words + ["--dry-run"], to: "empty.sqlite").text
    #expect(empty.contains("mattes 10") && !empty.contains("of them done"), "\(empty)")
    try swept.sweep(words + ["--shard", "1/2"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: swept.path("r.sqlite")))
    let left = try swept.sweep(words + ["--dry-run"]).text
    #expect(left.contains("5 of them done") && left.contains("5 left"), "\(left)")
    #expect(areSame(try Data(contentsOf: URL(fileURLWithPath: swept.path("r.sqlite"))), bytes))
    try swept.sweep(words)
    #expect(try swept.sweep(words + ["--dry-run"]).text.contains("all runs are done"))
    #expect(try swept.sweep(words).errors.contains(": all runs were already done."))
  }

  @Test func `a gate judges the best, or every setting, and says which, where and by how much`() throws {
    let sharp = ["--preset", "truedepth-backdrop", "--list", "matte.blur=1,40", "--scores", "iou"]
    let words = sharp + ["--best", "iou"]
    try swept.sweep(words + ["--fail-if", "iou<0.01"])
    let best = try CommandLineTool.json(
      CommandLineTool.run(["sweep", "best", swept.path("r.sqlite"), "--by", "iou", "--json"]).text)
    let iou = try #require((best["scores"] as? [String: Double])?["iou"])
    // Between the two settings: the best passes, and not each.
    let worse = try #require(try swept.rows().compactMap { $0["iou"] as? Double }.min())
    #expect(worse < iou)
    let bound = "iou<\((worse + iou) / 2)"
    try swept.sweep(words + ["--fail-if", bound])
    let each = try swept.sweep(sharp + ["--fail-if", bound], expecting: 1)
    let lines = each.errors.split(separator: "\n").filter { $0.hasPrefix("fails ") }
    #expect(lines.count == 1 && lines[0].contains("setting 1") && lines[0].contains("a.retake"), "\(each.errors)")
    #expect(lines.first?.contains("\(worse)".prefix(5)) == true, "\(each.errors)")
    // Several: one that fails is enough, and --quiet leaves the reason.
    let quiet = try swept.sweep(words + ["--fail-if", "iou<0.01", "--fail-if", "iou>=0", "--quiet"], expecting: 1)
    #expect(
      quiet.errors.split(separator: "\n").count == 1 && quiet.errors.hasPrefix("fails setting"), "\(quiet.errors)")
    // No setting within the limits is no best.
    let none = try swept.sweep(sharp + ["--best", "iou>2,iou"], expecting: 1)
    #expect(none.errors.contains("No setting") && none.errors.contains("hint: "), "\(none.errors)")
  }

  @Test func `scores that a choice or a gate names need not be named again`() throws {
    try swept.sweep(["--scores", "area", "--best", "flicker<20,iou", "--fail-if", "drop-outs>100"])
    let row = try #require(try swept.rows().first)
    for score in ["area", "flicker", "iou", "drop-outs"] {
      #expect(row[score] is Double || row[score] is Int, "\(row)")
    }
    #expect(row["mse"] == nil)
  }

  @Test func `without anything to try the sweep is the one setting, and everything but what takes long is scored`()
    throws
  {
    let result = try swept.sweep([])
    #expect(result.text == swept.path("r.sqlite") + "\n")
    let row = try #require(try swept.rows().first)
    for kind in ScoreKind.allCases {
      let isScored = ![.gradient, .connectivity, .agreement, .outlineAgreement].contains(kind)
      #expect((row[kind.name] != nil) == isScored, "\(kind.name): \(row)")
    }
    try swept.sweep(["--scores", "all"], to: "all.sqlite")
    #expect(try swept.rows("all.sqlite").first?["connectivity"] is Double)
    let chosen = try swept.sweep(["--best", "unsupervised"], to: "chosen.sqlite")
    #expect(chosen.text.hasPrefix("best by unsupervised: setting 0 (of 1 setting)\n"), "\(chosen.text)")
    #expect(chosen.text.contains("current values: this setting; agreement"), "\(chosen.text)")
    #expect(chosen.text.contains("cannot find what is better than it"), "\(chosen.text)")
    #expect(try swept.rows("chosen.sqlite").first?["agreement"] is Double)
  }

  @Test func `tables go to files and to standard output, and nothing else with them`() throws {
    let csv = try swept.sweep(["--list", "matte.blur=1,2", "--scores", "iou", "--csv", "-"])
    let lines = csv.text.split(whereSeparator: \.isNewline)
    #expect(lines.count == 3 && lines[0].contains("matte.blur") && lines[0].contains("iou"), "\(csv.text)")
    let words = [
      "--list", "matte.blur=1,2", "--scores", "iou", "--csv", swept.path("a.csv"), "--json", swept.path("a.json"),
    ]
    let both = try swept.sweep(words)
    #expect(both.text == swept.path("r.sqlite") + "\n")
    #expect(try swept.text("a.csv") == csv.text)
    let json = try JSONSerialization.jsonObject(with: Data(swept.text("a.json").utf8)) as? [[String: Any]]
    #expect(json?.count == 2)
    let table = try CommandLineTool.run(["sweep", "table", swept.path("r.sqlite"), "--csv"])
    #expect(table.text == csv.text)
    let frames = try CommandLineTool.run(["sweep", "table", swept.path("r.sqlite"), "--frames", "--csv"])
    #expect(frames.text.split(whereSeparator: \.isNewline).count == 1 + 2 * 20)
  }

  @Test func `a recording called as a subcommand is written with its folder`() throws {
    try swept.shell("cp -r a.retake report; retake sweep ./report --scores area")
    #expect(swept.has("report-sweep.sqlite"))
  }

  @Test func `Ctrl-C keeps what is finished, prints the command that continues, and exits 75`() throws {
    let words = ["--scan", "matte.blur=1..30:0.15", "--scores", "iou,flicker", "--memory", "8M"]
    let ended = try swept.sweep(words, expecting: 75) { process in
      for _ in 0..<6000 where !swept.has("r.sqlite") { usleep(10_000) }
      usleep(50_000)
      kill(process, SIGINT)
    }
    #expect(ended.text.isEmpty)
    let lines = ended.errors.split(separator: "\n")
    let place = try #require(lines.firstIndex { $0.hasSuffix("This continues it:") }, "\(ended.errors)")
    // On a line of its own, to paste.
    try swept.shell(String(try #require(lines.dropFirst(place + 1).first)))
    #expect(try swept.sweep(words).errors.contains("all runs were already done"))
    try swept.sweep(words, to: "whole.sqlite")
    try CommandLineTool.run(["sweep", "compare", swept.path("r.sqlite"), swept.path("whole.sqlite")])
  }
}
