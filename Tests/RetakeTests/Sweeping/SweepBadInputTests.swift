import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What a sweep cannot do is one sentence with the next step, and a setting that fails is a row.
@Suite(.long) struct SweepBadInputTests {
  private let swept: SweptFolder
  init() throws { swept = try SweptFolder("frames=6&size=64x48") }

  @Test(arguments: [
    (["--scan", "matte.blurr=1..2:1"], "did you mean matte.blur"), (["--scan", "matte.blur=2..1:1"], "is empty"),
    (["--scan", "matte.blur=1..inf:1"], "is not a range with a step"),
    (["--scan", "matte.blur=0..64:0.000001"], "larger step"),
    (["--scan", "matte.blur=1..2"], "LOW..HIGH:STEP"), (["--range", "matte.blur=1..2"], "--scan"),
    (["--range", "matte.blur=2..2", "--random", "5"], "is empty"),
    (["--random", "5"], "no values to draw settings from"),
    (["--list", "mask.kind=face,cat"], "mask.kind=face"),
    (["--random", "5", "--latin", "5"], "Use either --random or --latin, not both"),
    (["--scan", "matte.blur=1..2:1", "--random", "0"], "--random takes 1 to"),
    (["--scan", "matte.blur=1..2:1", "--list", "matte.blur=3"], "given twice"),
    (["--where", "matte.blur<"], "matte.blur"), (["--where", "matte.blur<1"], "No setting fulfils"),
    (["--scores", "iuo"], "did you mean iou"), (["--scores", ""], "no score"),
    (["--best", "iou<0.9"], "has only limits"),
    (["--best", "iuo"], "did you mean iou"), (["--write-best", "a.yaml"], "--best"), (["--fail-if", "iou"], "iou<0.9"),
    (["--fail-if", "iou<x"], "not a number"), (["--shard", "0/4"], "3/16"), (["--shard", "5/4"], "3/16"),
    (["--shard", "1/2", "--best", "iou"], "merge"), (["--threads", "0"], "1 to 256"), (["--memory", "much"], "memory"),
    (["--every", "2", "--list", "depth.rate=1/1,1/3"], "With --every 2, scores cannot show what depth.rate costs"),
    (["--every", "3", "--list", "depth.rate=1/1,1/3", "--search", "--best", "iou"], "leave out --every, and shorten"),
    (["--every", "3", "--range", "mask.every=1..4", "--random", "3"], "cannot show what mask.every costs"),
    (["--every", "0"], "--every"), (["--from", "5", "--to", "2"], "--from"),
    (["--csv", "-", "--json", "-"], "standard output"),
    (["--dry-run", "--csv", "-"], "writes nothing"), (["--set", "matte.blur=99"], "nearest valid value is 64"),
    (["--preset", "truedepth"], "did you mean"),
  ])
  func `words that are off are told before anything is made`(words: [String], said: String) throws {
    let result = try swept.sweep(words, expecting: 64)
    #expect(result.errors.contains(said), "\(result.errors)")
    #expect(result.output.isEmpty && !swept.has("r.sqlite"))
  }

  @Test func `a file that is off is told with its line`() throws {
    let path = try swept.write("scan:\n  matte.blurr: 1..2:1\n", "tune.yaml")
    let result = try swept.sweep(["--file", path], expecting: 64)
    #expect(
      result.errors.contains("\(path):2: ") && result.errors.contains("did you mean matte.blur"), "\(result.errors)")
    let scores = try swept.sweep(["--file", swept.write("\nscores: [iou, falsch]", "s.yaml")], expecting: 64)
    #expect(scores.errors.contains("s.yaml:2: ") && scores.errors.contains("falsch"), "\(scores.errors)")
    let moment = try swept.sweep(["--file", swept.write("from: soon", "f.yaml")], expecting: 64)
    #expect(moment.errors.contains("f.yaml:1: ") && moment.errors.contains("'soon'"), "\(moment.errors)")
    let nobody = try CommandLineTool.run(["sweep", "--file", swept.write("every: 2", "n.yaml")], expecting: 64)
    #expect(nobody.errors.contains("The sweep has no recording."), "\(nobody.errors)")
    #expect(try swept.sweep(["--file", swept.path("no.yaml")], expecting: 1).errors.contains("no.yaml"))
  }

  @Test(arguments: [(19, "2", nil), (18, "2", "9 frames of 18"), (18, "18", "1 frame of 18"), (9, "1", nil)])
  func `too few frames that --every leaves are named before a sweep`(count: Int, every: String, named: String?) throws {
    let swept = try SweptFolder("frames=\(count)&size=64x48")
    let said = try swept.sweep(["--list", "matte.blur=1,3", "--every", every, "--dry-run"]).errors
    #expect(said.contains("too few to rank settings by") == (named != nil), "\(said)")
    if let named { #expect(said.contains("With --every \(every), \(named) of \(swept.recording) "), "\(said)") }
  }

  @Test func `recordings that are not there, twice, or end before are told`() throws {
    let missing = try CommandLineTool.run(
      ["sweep", swept.path("no.retake"), "-o", swept.path("r.sqlite")], expecting: 1)
    #expect(missing.errors.contains("no.retake") && missing.errors.contains("hint: "), "\(missing.errors)")
    let unsubmitted = try CommandLineTool.run(["sweep", "merge", swept.path("nosuch")], expecting: 1)
    #expect(unsubmitted.errors.contains("There is no \(swept.path("nosuch"))."), "\(unsubmitted.errors)")
    let twice = try swept.sweep([swept.recording], expecting: 64)
    #expect(twice.errors.contains("a.retake"), "\(twice.errors)")
    let beyond = try swept.sweep(["--from", "100"], expecting: 1)
    #expect(beyond.errors.contains("0 to 5"), "\(beyond.errors)")
    #expect(!swept.has("r.sqlite"))
  }

  @Test func `a score that a recording cannot have is absent, with the reason, and fails a gate`() throws {
    let bare = try CommandLineTool.recordSimulated(swept.folder, "bare.retake", "frames=6&size=64x48&alpha=0&faces=0")
    let words = ["sweep", bare, "-o", swept.path("bare.sqlite"), "--scores", "iou,face-coverage,area"]
    let result = try CommandLineTool.run(words)
    #expect(result.errors.contains("no iou: ") && result.errors.contains("alpha"), "\(result.errors)")
    #expect(result.errors.contains("no face-coverage: "), "\(result.errors)")
    let row = try #require(try swept.rows("bare.sqlite").first)
    #expect(row["iou"] == nil || row["iou"] is NSNull)
    #expect(row["area"] is Double)
    let gate = try CommandLineTool.run(words + ["--fail-if", "iou<0.1"], expecting: 1)
    #expect(gate.errors.contains("fails setting 0") && gate.errors.contains("alpha"), "\(gate.errors)")
    let best = try CommandLineTool.run(words + ["--best", "iou"], expecting: 64)
    #expect(best.errors.contains("iou") && best.errors.contains("hint: "), "\(best.errors)")
    // Told before anything is run.
    let early = ["sweep", bare, "-o", swept.path("early.sqlite"), "--best", "iou"]
    #expect(
      try CommandLineTool.run(early, expecting: 64).errors.contains("No recording of this sweep has the score iou"))
    #expect(!swept.has("early.sqlite"))
    // A mean says of which recordings it is.
    let both = try CommandLineTool.run([
      "sweep", bare, swept.recording, "-o", swept.path("both.sqlite"), "--list", "matte.still=0,0.5", "--scores",
      "iou,flicker,area", "--best", "iou",
    ])
    #expect(both.text.contains(/iou +[0-9.]+  \(of 1 of 2 recordings\)\n/), "\(both.text)")
    #expect(both.text.contains("(a mean of two measures: 1 of 2 recordings have truth)"), "\(both.text)")
    #expect(both.text.contains(/area +[0-9.]+( share)?\n/), "\(both.text)")
    // Of scores that nobody named there is nothing to be said.
    let silent = try CommandLineTool.run(["sweep", bare, "-o", swept.path("silent.sqlite")])
    #expect(!silent.errors.contains("no iou"), "\(silent.errors)")
  }

  @Test func `mattes as the truth: of another size, or of no played frame, they are refused before anything is made`()
    throws
  {
    let mattes = swept.path("mattes")
    try CommandLineTool.run(["replay", swept.recording, "--output", "png:\(mattes)", "--tap", "matte"])
    try swept.sweep(["--truth", mattes, "--scores", "iou,mse"])
    let row = try #require(try swept.rows().first)
    // They are what is scored.
    #expect(row["iou"] as? Double == 1 && row["mse"] as? Double == 0, "\(row)")
    try FileManager.default.removeItem(atPath: swept.path("r.sqlite"))
    let small = try CommandLineTool.recordSimulated(swept.folder, "small.retake", "frames=6&size=32x24")
    try CommandLineTool.run(["replay", small, "--output", "png:\(swept.path("little"))", "--tap", "matte"])
    let size = try swept.sweep(["--truth", swept.path("little")], expecting: 1)
    #expect(size.errors.contains("000000.png") && size.errors.contains("64x48"), "\(size.errors)")
    try FileManager.default.removeItem(atPath: mattes + "/000004.png")
    let short = try swept.sweep(["--truth", mattes, "--from", "4", "--to", "4"], expecting: 1)
    #expect(short.errors.contains("000004.png") && short.errors.contains("hint: "), "\(short.errors)")
    #expect(!swept.has("r.sqlite"))
    // Frames without a matte are not scored by it.
    let partial = try swept.sweep(["--truth", mattes, "--boundary-tolerance", "3"])
    #expect(partial.errors.contains("5 of 6 frames have truth; the boundary tolerance is 3 px."), "\(partial.errors)")
    let partialRow = try #require(try swept.rows().first)
    #expect(partialRow["truth_frames"] as? Int == 5 && partialRow["iou"] as? Double == 1, "\(partialRow)")
    let ignoring = try swept.sweep(["--ignore", "128"], to: "n.sqlite", expecting: 64)
    #expect(ignoring.errors.contains("--truth"), "\(ignoring.errors)")
    let none = try swept.sweep(["--truth", swept.path("nowhere")], to: "n.sqlite", expecting: 1)
    #expect(none.errors.contains("nowhere"), "\(none.errors)")
  }

  @Test func `of several recordings each has its folder of mattes`() throws {
    let other = try CommandLineTool.recordSimulated(swept.folder, "b.retake", "frames=6&size=64x48&seed=2")
    try FileManager.default.createDirectory(atPath: swept.path("truth"), withIntermediateDirectories: true)
    let flat = try swept.sweep([other, "--truth", swept.path("truth"), "--scores", "iou"], expecting: 1)
    #expect(flat.errors.contains("There is no \(swept.path("truth"))/a.retake."), "\(flat.errors)")
    #expect(flat.errors.contains("a subfolder in \(swept.path("truth")) with the recording's name"), "\(flat.errors)")
    for path in [swept.recording, other] {
      let name = path.split(separator: "/").last ?? ""
      try CommandLineTool.run(["replay", path, "--output", "png:\(swept.path("truth"))/\(name)", "--tap", "matte"])
    }
    try swept.sweep([other, "--truth", swept.path("truth"), "--scores", "iou"])
    #expect(try swept.rows().map { $0["iou"] as? Double } == [1, 1])
  }

  @Test func `a file of another sweep, or of something else, is never touched`() throws {
    try swept.sweep(["--list", "matte.blur=1,2", "--scores", "iou"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: swept.path("r.sqlite")))
    for words in [
      ["--list", "matte.blur=1,3", "--scores", "iou"], ["--list", "matte.blur=1,2", "--scores", "iou,area"],
      ["--list", "matte.blur=1,2", "--scores", "iou", "--to", "3"],
    ] {
      for more in [[], ["--dry-run"]] {
        let result = try swept.sweep(words + more, expecting: 64)
        #expect(result.errors.contains("another sweep") && result.errors.contains("hint: "), "\(result.errors)")
      }
    }
    #expect(areSame(try Data(contentsOf: URL(fileURLWithPath: swept.path("r.sqlite"))), bytes))
    let text = try swept.write("not a database, but a letter", "letter.txt")
    let other = try CommandLineTool.run(["sweep", swept.recording, "-o", text], expecting: 1)
    #expect(other.errors.contains("letter.txt"), "\(other.errors)")
    #expect(try swept.text("letter.txt") == "not a database, but a letter")
    for verb in [["best", "--by", "iou"], ["table"], ["report", "-o", swept.path("x.html")], ["compare", text]] {
      let result = try CommandLineTool.run(["sweep", verb[0], text] + verb.dropFirst(), expecting: 1)
      #expect(result.errors.contains("letter.txt"), "\(verb): \(result.errors)")
    }
    #expect(!swept.has("x.html"))
  }

  @Test func `other frames of the same recording are named, and --force does not replace results`() throws {
    let words = ["--list", "matte.blur=1,2", "--scores", "iou"]
    try swept.sweep(words + ["--every", "2"])
    let every = try swept.sweep(words + ["--every", "3"], expecting: 64)
    #expect(
      every.errors.contains("its frames differ: there 0 to 5 with --every 2, here 0 to 5 with --every 3."),
      "\(every.errors)")
    let span = try swept.sweep(words + ["--every", "2", "--from", "2"], expecting: 64)
    #expect(span.errors.contains("here 2 to 5 with --every 2."), "\(span.errors)")
    let again = try swept.sweep(words + ["--every", "2", "--force"])
    #expect(again.errors.contains("all runs were already done"), "\(again.errors)")
    #expect(again.errors.contains("--force does not replace results: remove"), "\(again.errors)")
  }

  @Test func `without -o another sweep gets a file of its own, and the same one goes on`() throws {
    func results(_ values: String) throws -> String {
      try swept.shell("retake sweep a.retake --list matte.blur=\(values) --scores iou --every 10").text
    }
    #expect(try results("1,2") == "a-sweep.sqlite\n")
    #expect(try results("1,3") == "a-sweep-2.sqlite\n")
    #expect(try results("1,2") == "a-sweep.sqlite\n")
    #expect(!swept.has("a-sweep-3.sqlite"))
  }

  @Test func `outputs that cannot be made are told before the work`() throws {
    for option in ["--csv", "--json", "--write-best"] {
      let file = try swept.write("a letter", "letter.txt")
      let inFile = try swept.sweep(["--best", "iou", option, file + "/where"], expecting: 1)
      #expect(inFile.errors.contains("\(file) is not a folder"), "\(inFile.errors)")
      let folder = try swept.sweep(["--best", "iou", option, swept.path("")], expecting: 1)
      #expect(folder.errors.contains("is a folder") && folder.errors.contains(option), "\(folder.errors)")
    }
    #expect(!swept.has("r.sqlite"))
  }

  @Test func `nothing is written over the results, under whatever name`() throws {
    let (results, link) = (swept.path("r.sqlite"), swept.path("link"))
    // The link leads nowhere yet: that it is the same is seen before it is written.
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "r.sqlite")
    let words = ["--scores", "iou", "--best", "iou"]
    for path in [results, swept.path("./r.sqlite")] {
      let result = try swept.sweep(words + ["--csv", path], expecting: 64)
      #expect(result.errors.contains("--csv would overwrite the results in \(results)"), "\(result.errors)")
      #expect(!swept.has("r.sqlite"))
    }
    let late = try swept.sweep(words + ["--json", link], expecting: 64)
    #expect(late.errors.contains("--json would overwrite the results"), "\(late.errors)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: results))
    for verb in [["best", results, "--by", "iou"], ["report", results, "--no-pictures"]] {
      for path in [results, link] {
        let result = try CommandLineTool.run(["sweep"] + verb + ["-o", path], expecting: 64)
        #expect(result.errors.contains("--output would overwrite the results"), "\(result.errors)")
      }
    }
    #expect(try swept.sweep(words + ["--write-best", link], expecting: 64).errors.contains("--write-best would"))
    #expect(areSame(try Data(contentsOf: URL(fileURLWithPath: results)), bytes))
  }

  @Test func `where all runs failed of damage, the best is refused with the error and the steps that help`() throws {
    let chunks = URL(filePath: swept.recording + "/chunks/000000.mcap")
    let bytes = try Data(contentsOf: chunks)
    try bytes.prefix(bytes.count / 2).write(to: chunks)
    let words = ["--list", "matte.still=0,0.5", "--scores", "iou", "--best", "iou"]
    for _ in 0..<2 {
      let errors = try swept.sweep(words, expecting: 1).errors
      #expect(errors.contains("setting 0 over \(swept.recording) failed: Frame "), "\(errors)")
      #expect(
        errors.contains("hint: 'retake recover \(swept.recording)' keeps what is whole; then sweep into another file"),
        "\(errors)")
    }
    try CommandLineTool.run(["recover", swept.recording], expecting: 3)
    #expect(try swept.sweep(words, expecting: 64).errors.contains("its recordings differ"))
    #expect(try swept.sweep(words, to: "again.sqlite").text.hasPrefix("best by iou: "))
  }

  @Test func `one rate is no comparison, and may be swept with --every`() throws {
    try swept.sweep(["--every", "2", "--list", "depth.rate=1/2", "--list", "matte.still=0,0.5", "--scores", "iou"])
    #expect(try swept.rows().count == 2)
  }

  @Test func `a setting that fails is a row with its error, and the sweep goes on`() throws {
    let words = [
      "--list", "mask.kind=face,segmentation", "--set", "mask.model=\(swept.path("no.onnx"))", "--scores", "iou",
    ]
    let result = try swept.sweep(words)
    #expect(result.errors.contains("failed: setting 1: ") && result.errors.contains("no.onnx"), "\(result.errors)")
    let rows = try swept.rows()
    #expect(rows.count == 2 && rows[0]["iou"] is Double, "\(rows)")
    #expect((rows.last?["error"] as? String)?.contains("no.onnx") == true, "\(rows)")
    // Only the settings that work can be the best; a gate does not let the other pass.
    #expect(try swept.sweep(words + ["--best", "iou"]).text.contains("setting 0"))
    let gate = try swept.sweep(words + ["--fail-if", "iou<0"], expecting: 1)
    #expect(gate.errors.contains("fails setting 1"), "\(gate.errors)")
    // Where all of them fail, so does the sweep.
    let all = try swept.sweep(
      ["--set", "mask.kind=segmentation", "--set", "mask.model=\(swept.path("no.onnx"))", "--scores", "iou"],
      to: "all.sqlite", expecting: 1)
    #expect(all.errors.contains("failed: setting 0: "), "\(all.errors)")
  }

  @Test func `results are not written into a file that is named as something else`() throws {
    for name in ["t.csv", "t.json", "t.png"] {
      let result = try CommandLineTool.run(
        ["sweep", swept.recording, "--list", "matte.blur=1,2", "-o", swept.path(name)], expecting: 64)
      #expect(result.errors.contains("SQLite") && !swept.has(name), "\(result.errors)")
    }
  }

  @Test func `settings that cannot learn the empty scene are told before they run`() throws {
    let words = ["--preset", "static-camera", "--set", "mask.plate-frames=3", "--list", "matte.still=0,0.5"]
    // Each frame has a face.
    let result = try swept.sweep(words, expecting: 1)
    #expect(result.errors.contains("No setting makes a mask: "), "\(result.errors)")
    #expect(
      result.errors.contains("of the 6 frames of \(swept.recording) that are played none has none"), "\(result.errors)")
    #expect(result.errors.contains("'retake plate'") && !swept.has("r.sqlite"), "\(result.errors)")
    let others = try swept.sweep(words + ["--list", "mask.kind=plate,face"])
    #expect(others.errors.contains("that are played none has none: play more of it"), "\(others.errors)")
  }
}
