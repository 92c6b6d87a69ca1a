import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Wrong usage, help, and what shells complete.
@Suite(.long) struct UsageTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [
    (["recrod", "--device", "simulated"], "There is no verb 'recrod'.", "did you mean record?"),
    (["report", "a.sqlite"], "There is no verb 'report'.", "did you mean 'retake sweep report'?"),
    (
      ["replay", "a", "--set", "matte.still=0,5"], "'0,5' is not a number, which matte.still needs.",
      "write 0.5; it takes 0 to"
    ),
    (
      ["replay", "a", "--set", "matte.still=0,5,1"], "'0,5,1' is not a number, which matte.still needs.",
      "hint: it takes 0 to"
    ),
    (["session.retake"], "'session.retake' is no verb.", "'retake info session.retake' shows what it holds"),
    (["replay", "a", "--ouput", "b.png"], "Unknown option '--ouput'.", "did you mean --output?"),
    (["sweep", "a", "--scna", "b"], "Unknown option '--scna'.", "did you mean --scan?"),
    (["replay"], "Missing expected argument '<recording>'.", "The recording's folder"),
    (["replay", "a", "b"], "Unexpected argument 'b'.", "write retake replay [<options>] <recording>"),
    (["replay", "a.retake", "b.retake"], "Unexpected argument 'b.retake'.", "it takes one recording at a time"),
    (["replay", "a", "b.mp4"], "Unexpected argument 'b.mp4'.", "write --output b.mp4"),
    (["import", "a.mkv", "./b"], "Unexpected argument './b'.", "write --output ./b"),
    (["import", "a.mkv", "b.x", "-o", "c"], "Unexpected argument 'b.x'.", "write retake import"),
    (["replay", "a", "--depth-rate", "1/2"], "Unknown option '--depth-rate'.", "write --set depth.rate=1/2"),
    (["sweep", "a", "--matte.refine-holes=3"], "Unknown option '--matte.refine-holes'.", "--set matte.refine-holes=3"),
    (["replay", "a", "--threads", "x"], "The value 'x' is invalid for '--threads <threads>'.", "Number of threads"),
    (["record"], "Name a camera with --device; 'retake devices' lists them.", "'retake record --help' explains it"),
    (["record", "--device", "simulated", "--frames", "9"], "Unknown option '--frames'.", "--duration 10s ends it"),
    (
      ["reproduce", "a.retake-bundle", "--keep", "b.mp4"],
      "b.mp4 is named as a video, but an unpacked bundle is a folder.", "name a folder"
    ),
    (
      ["export", "png", "a.retake", "-o", "b.png"],
      "b.png is named as a picture, but what 'export png' makes is a folder.", "makes a contact sheet"
    ),
    (["replay", "a", "-output", "x.png"], "Unknown option '-u'.", "did you mean --output?"),
    (
      ["-o", "x", "record", "--device", "simulated"], "Unknown option '-o'.", "the verb stands first: retake record -o"
    ),
    (["replay", "a", "-json"], "Unknown option '-json'.", "did you mean --json?"),
    (
      ["--preset", "info", "replay", "a.retake"], "Unknown option '--preset'.",
      "the verb stands first: retake replay --preset …"
    ),
    (["-q", "sweep", "best", "s.sqlite"], "Unknown option '-q'.", "retake sweep best -q …"),
    (
      ["--duration", "5", "replay", "a.retake"], "Unknown option '--duration'.",
      "--duration is an option of 'retake record'"
    ),
    (["replay", "a", "my dir/it's.png"], "Unexpected argument 'my dir/it's.png'.", "--output 'my dir/it'\\''s.png'"),
    (
      ["replay", "a", "--from", "\u{661}:\u{663}\u{660}"],
      "The value '\u{661}:\u{663}\u{660}' is invalid for '--from <from>'.",
      "Where to begin"
    ),
    (["record", "--duration", "0:00"], "The value '0:00' is invalid for '--duration <duration>'.", "End after"),
    (["record", "--preroll", "1:30"], "The value '1:30' is invalid for '--preroll <preroll>'.", "write --preroll 90s"),
    (["replay", "a", "--from", "1:30"], "The value '1:30' is invalid for '--from <from>'.", "write --from 90s"),
    (["mark", "a", "--at", "12,5s"], "The value '12,5s' is invalid for '--at <at>'.", "write --at 12.5s"),
    (
      ["record", "--duration", "1:00:05"], "The value '1:00:05' is invalid for '--duration <duration>'.",
      "write --duration 3605s"
    ),
    (
      ["sweep", "a", "--list", "matte.blur=4,", "12"], "--list matte.blur=4, has spaces between its values.",
      "write --list matte.blur=4,12"
    ),
    (
      ["sweep", "a", "--list", "depth.rate=1/2,", "1/4", "-q"], "--list depth.rate=1/2, has spaces between its values.",
      "write --list depth.rate=1/2,1/4"
    ),
    (
      ["sweep", "a", "--list", "matte.blur=", "4,", "12"], "--list matte.blur= has spaces between its values.",
      "write --list matte.blur=4,12"
    ),
    (
      ["sweep", "a", "--list", "matte.blur=4", "12", "24", "-q"], "--list matte.blur=4 has spaces between its values.",
      "write --list matte.blur=4,12,24"
    ),
    (["replay", "a", "--params", "b.yaml"], "Unknown option '--params'.", "did you mean --parameters?"),
    (["record", "--devise", "simulated"], "Unknown option '--devise'.", "did you mean --device?"),
    (["record", "--devicesimulated"], "Unknown option '--devicesimulated'.", "write a space behind --device"),
    (["record", "a.retake"], "'a.retake' stands without an option.", "record --device CAMERA --output a.retake"),
    (["live", "a.retake"], "a.retake is a recording; 'live' takes cameras.", "write: retake replay a.retake"),
    (["record", "--device", "/dev/video0"], "Unknown kind of device: '/dev/video0'.", "write v4l2:/dev/video0"),
    (["help", "replya"], "There is no verb 'replya'.", "did you mean replay?"),
    (["help", "sweep", "tabel"], "There is no verb 'sweep tabel'.", "did you mean table?"),
    (["sweep", "tabel", "a.sqlite"], "There is no verb 'sweep tabel'.", "did you mean table?"),
    (["version"], "There is no verb 'version'.", "write: retake --version"),
    (["record", "-d", "5s"], "Unknown option '-d'.", "options that begin so: --device, --duration"),
    (["-V"], "Unknown option '-V'.", "did you mean --version?"),
    (["--device", "simulated"], "Unknown option '--device'.", "--device is an option of 'retake record'"),
    (["record", "--preset", "desk"], "Unknown option '--preset'.", "--preset is an option of 'retake replay'"),
    (["replay", "a", "--set", "matte.blur", "3"], "--set matte.blur has no value.", "write --set matte.blur=3"),
    (["replay", "a", "--set", "matte.blur", "-q"], "--set matte.blur has no value.", "write --set matte.blur=VALUE"),
    (["sweep", "a", "--list", "matte.still", "0,1"], "--list matte.still has no value.", "--list matte.still=0,1"),
    (
      ["sweep", "a", "--list", "matte.still"], "'matte.still' does not give a parameter and its values.",
      "write matte.still=1,2,3"
    ),
    (
      ["sweep", "a", "--list", "matte.still=0..1"], "'0..1' is not a number, which matte.still needs.",
      "--scan matte.still=0..1:STEP"
    ),
    (["find", ".", "tag:take>2"], "'take>2' is not the name of a tag.", "write NAME or NAME=VALUE"),
    (["find", ".", "tag:dark or tag:light"], "The query has 'or', but all its terms must hold.", "ask twice"),
    (["find", ".", "and tag:dark"], "'and' of the query has no term on one side.", "leave it out"),
    (["stop"], "There is no verb 'stop'.", "'retake --help' lists the verbs"),
    (["export", "a.retake"], "The format comes before the recording.", "retake export png a.retake -o FOLDER"),
    (
      ["export", "a.retake", "--format", "mcap", "-o", "b"], "The format comes before the recording.",
      "export mcap a.retake -o FILE"
    ),
    (["export", "a.retake", "-o", "b.mkv"], "The format comes before the recording.", "export video a.retake -o FILE"),
    (
      ["export", "a.retake", "tum", "-o", "x"], "The format comes before the recording.", "export tum a.retake -o FILE"
    ),
    (["export", "mp4", "a", "-o", "b"], "There is no export 'mp4'.", "did you mean video?"),
    (["mark", "a", "--remove", "--at", "2s"], "Missing value for '--remove <remove>'.", "write --remove 2s"),
    (["mark", "a", "flicker"], "Unexpected argument 'flicker'.", "write --label flicker"),
    (["find", "tag:dark"], "'tag:dark' is a term of a query; the folder comes first.", "retake find . tag:dark"),
    (["find", ".", "> 1s"], "'>' stands alone in the query.", "name what is compared, as in duration>10s"),
    (["replay", "a", "-o", "mattes"], "'mattes' does not tell what kind of output it is.", "write mattes/"),
    (["live", "--device", "simulated", "-o", "a.png"], "A running camera has no contact sheet.", "a.mp4"),
    (
      ["record", "--background", "b.png"], "Unknown option '--background'.",
      "--background is an option of 'retake replay'"
    ),
    (["replay", "a", "--scan", "b"], "Unknown option '--scan'.", "--scan is an option of 'retake sweep'"),
    (["sweep", "a", "--background", "b"], "Unknown option '--background'.", "--set composite.background=FILE"),
    (["replay", "a", "--from", "2s", "--to", "1s"], "--from has to be before --to.", "'retake replay --help'"),
    (
      ["replay", "a", "--from", "5", "--to", "3"],
      "--from 5 lies after --to 3; these are frame sets, and 5s and 3s are seconds.", "'retake replay --help'"
    ),
    (
      ["record", "--duration", "-5s"], "The value '-5s' is invalid for '--duration <duration>'.",
      "-5s is below 0; --duration takes more than 0: 5s, 500ms, 2m, 1h"
    ),
    (
      ["record", "--duration", "99999999999h"], "The value '99999999999h' is invalid for '--duration <duration>'.",
      "at most 277777h"
    ),
    (["record", "--preview"], "Unknown option '--preview'.", "'retake studio --device …' shows the cameras"),
    (
      ["replay", "a", "--from", "-1s"], "The value '-1s' is invalid for '--from <from>'.",
      "-1s is below 0; --from takes 0 or more"
    ),
    (
      ["replay", "a", "--from", "99999999999999999999"],
      "The value '99999999999999999999' is invalid for '--from <from>'.", "no recording has so many frame sets"
    ),
    (["replay", "a", "--threads", "-1"], "--threads takes 1 to 256.", "'retake replay --help' explains it"),
    (["replay", "a", "--every", "-1"], "--every takes 1 to 1000000.", "'retake replay --help' explains it"),
    (["replay", "a", "--every", "99999999999999999999"], "--every takes 1 to 1000000.", "'retake replay --help'"),
    (["replay", "a", "--passes=-99999999999999999999"], "--passes takes 1 to 1000000.", "'retake replay --help'"),
    (["replay", "a", "--threads", "-99999999999999999999"], "--threads takes 1 to 256.", "'retake replay --help'"),
    (["sweep", "a", "--random", "99999999999999999999"], "--random takes 1 to 1000000.", "'retake sweep run --help'"),
    (
      ["replay", "a", "--speed", "-1"],
      "The value '-1' is invalid for '--speed <rate>': --speed takes 0.1 to 10, such as 0.5 or 2.", "Playback speed"
    ),
    (
      ["replay", "a", "--speed", "1e9"],
      "The value '1e9' is invalid for '--speed <rate>': --speed takes 0.1 to 10, such as 0.5 or 2.", "Playback speed"
    ),
    (
      ["record", "--device", "simulated?pace=fast,seed=2"],
      "In device 'simulated?pace=fast,seed=2', 'fast,seed=2' is not a valid value for pace: it takes realtime, fast.",
      "join options with &"
    ),
    (["--vresion"], "Unknown option '--vresion'.", "did you mean --version? 'retake --help' explains it"),
    (["--hlep"], "Unknown option '--hlep'.", "did you mean --help? 'retake --help' explains it"),
    (["--output"], "Unknown option '--output'.", "--output is an option of 'retake record'"),
  ])
  func `wrong usage is an error and a hint, as all errors are`(
    _ arguments: [String], _ message: String, _ hint: String
  ) throws {
    let result = try CommandLineTool.run(arguments, expecting: 64)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count == 2 && result.output.isEmpty, "\(result.errors)")
    #expect(lines.first == "error: \(message)")
    #expect(lines.last?.hasPrefix("hint: ") == true && lines.last?.contains(hint) == true, "\(result.errors)")
  }

  @Test func `a file of another kind names the verb that takes it`() throws {
    for (name, verb) in [
      ("a.retake-bundle", "reproduce"), ("a.sqlite", "sweep table"), ("a.mcap", "import"), ("a.mkv", "import"),
    ] {
      let path = folder.path(name)
      try Data("x".utf8).write(to: URL(filePath: path))
      for arguments in [["info", path], ["replay", path]] {
        let errors = try CommandLineTool.run(arguments, expecting: 1).errors
        #expect(errors.contains("\(path) is not a recording"), "\(errors)")
        #expect(errors.contains("hint: 'retake \(verb) \(path)'"), "\(errors)")
      }
      let errors = try CommandLineTool.run(["list", path], expecting: 1).errors
      #expect(errors.contains("\(path) is not a folder: it is "), "\(errors)")
      #expect(errors.contains("'retake \(verb) \(path)"), "\(errors)")
    }
  }

  @Test func `each verb that takes a file says what it was given instead, and what takes that`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=3&size=64x48")
    let (digests, sheet) = (folder.path("b.jsonl"), folder.path("b.png"))
    try CommandLineTool.run(["replay", recording, "--output", digests, "--output", sheet])
    let video = folder.path("b.mp4")
    try CommandLineTool.run(["replay", recording, "--output", video])
    let yaml = folder.path("mine.yaml")
    try Data("matte.blur: 3".utf8).write(to: URL(filePath: yaml))
    let results = folder.path("s.sqlite")
    try Data("x".utf8).write(to: URL(filePath: results))
    for (words, status, message, hint) in [
      (["reproduce", sheet], 1, "b.png is not a bug bundle: it is a picture.", "--background"),
      (["reproduce", recording], 1, "b.retake is not a bug bundle: it is a recording.", "retake bundle "),
      (["sweep", "table", recording], 1, "b.retake is not results of a sweep: it is a recording.", "retake sweep "),
      (["sweep", "report", recording], 64, "b.retake is not results of a sweep: it is a recording.", "retake sweep "),
      (["compare", digests, sheet], 1, "b.png is not a file of digests: it is a picture.", "--output NAME.jsonl'"),
      (["compare", video, video], 1, "b.mp4 is not a file of digests: it is a video.", "--output NAME.jsonl'"),
      (["replay", digests], 1, "b.jsonl is not a recording: it is a file of digests.", "retake compare "),
      (
        ["replay", yaml], 1, "mine.yaml is not a recording: it is a YAML file.",
        "--parameters \(yaml)' takes parameters"
      ),
      (
        ["replay", recording, "--parameters", results], 64, "s.sqlite is not a YAML file: it is results of a sweep.",
        "with --by SCORE if the sweep had no --best"
      ),
      (["replay", recording, yaml], 64, "Unexpected argument", "write --parameters \(yaml);"),
      (["replay", recording, sheet], 64, "Unexpected argument", "write --background \(sheet);"),
      (["replay", recording, digests], 64, "Unexpected argument", "write retake replay [<options>] <recording>"),
      (["live", sheet], 64, "stands without an option.", "retake live --device CAMERA --background \(sheet)\n"),
      (["reproduce", yaml], 1, "mine.yaml is not a bug bundle: it is a YAML file.", "sweep --file \(yaml)"),
      (
        ["replay", recording, "--parameters", recording], 64, "b.retake is not a YAML file: it is a recording.",
        "retake info "
      ),
      (["pack", recording, "-o", "\(recording)/in.retake"], 64, "in.retake would lie inside the recording", "outside"),
      (["trim", recording, "--from", "1", "-o", folder.path("c.mp4")], 64, "c.mp4 is named as a video", ".retake"),
      (["tag", "dark", recording], 64, "The recording comes before its tags.", "b.retake dark"),
    ] as [([String], Int32, String, String)] {
      let errors = try CommandLineTool.run(words, expecting: status).errors
      #expect(errors.contains(message) && errors.contains(hint), "\(words): \(errors)")
    }
  }

  @Test func `what lies in a recording is said to be a part of it, and the recording is to be given`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "b.retake", "frames=3&size=64x48")
    for part in ["index.sqlite", "chunks", "chunks/", "chunks/000000.mcap"] {
      for verb in ["info", "replay"] {
        let result = try CommandLineTool.run([verb, "\(recording)/\(part)"], expecting: 1)
        #expect(result.errors.contains("it is a part of the recording \(recording)."), "\(result.errors)")
        #expect(result.errors.contains("hint: give the recording: \(recording)\n"), "\(result.errors)")
      }
    }
    try FileManager.default.createDirectory(atPath: folder.path("n.retake"), withIntermediateDirectories: false)
    let empty = try CommandLineTool.run(["info", folder.path("n.retake")], expecting: 1)
    #expect(empty.errors.contains("it is a folder without chunks"), "\(empty.errors)")
  }

  @Test func `the options of a kind of device`() throws {
    for kind in ["simulated", "kinect", "v4l2", "tum"] {
      let text = try CommandLineTool.run(["devices", kind]).text
      #expect(text.hasPrefix(kind) && text.contains("OPTION") && text.contains("WHAT IT DOES"), "\(text)")
    }
    #expect(try !CommandLineTool.run(["devices"]).text.contains("OPTION"))
    let one = try CommandLineTool.json(CommandLineTool.run(["devices", "tum", "--json"]).text)
    #expect((one["kinds"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["tum"])
  }

  /// Verbs with their text, those of `sweep` too.
  private func verbs() throws -> [(name: String, discussion: String)] {
    func all(_ command: [String: Any], _ parents: [String]) -> [(String, String)] {
      let names = parents + [command["commandName"] as? String ?? ""]
      let verbs = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { all($0, names) }
      return [(names.dropFirst().joined(separator: " "), command["discussion"] as? String ?? "")] + verbs
    }
    let dump = try CommandLineTool.json(CommandLineTool.run(["--experimental-dump-help"]).text)
    return all(try #require(dump["command"] as? [String: Any]), []).filter { $0.0 != "help" }
  }

  @Test func `messages break between words at the terminal's width, and never within what is to be copied`() throws {
    let process = try TerminalProcess(["session.retake"], columns: 32)
    #expect(try process.end() == 64)
    let lines = process.output.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline)
    #expect(
      lines == [
        "error: 'session.retake' is no", "verb.", "hint:", "'retake info session.retake'", "shows what it holds,",
        "'retake replay session.retake'", "plays it",
      ])
  }

  /// What a terminal of some columns shows, by lines.
  private func lines(_ arguments: [String], columns: Int, expecting status: Int32) throws -> [String] {
    let process = try TerminalProcess(arguments, columns: columns)
    #expect(try process.end() == status)
    return process.output.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test func `commands to be copied stay on one line, with names in quotes too`() throws {
    let bundle = folder.path("the left hand.retake-bundle")
    try Data([0]).write(to: URL(fileURLWithPath: bundle))
    let quoted = try lines(["info", bundle], columns: 40, expecting: 1)
    #expect(quoted.contains("'retake reproduce '\(bundle)''"), "\(quoted)")
    #expect(quoted.contains { $0.hasPrefix("replays it; --keep FOLDER") }, "\(quoted)")
    let behindColon = try lines(["export", "a.retake", "-o", "pictures"], columns: 40, expecting: 64)
    #expect(behindColon.contains("retake export png a.retake -o FOLDER"), "\(behindColon)")
  }

  @Test func `examples of a help page are whole in a terminal of 50 columns, and its sentences broken`() throws {
    let page = try lines(["bundle", "--help"], columns: 50, expecting: 0)
    let wide = try CommandLineTool.run(["bundle", "--help"]).text.split(separator: "\n").map(String.init)
    let examples = wide.indices.filter { wide[$0].hasPrefix("retake ") || wide[max(0, $0 - 1)].hasSuffix("\\") }
    #expect(examples.count > 3 && examples.contains { wide[$0].count > 50 })
    for index in examples { #expect(page.contains(wide[index]), "\(wide[index])") }
    #expect(page.contains { $0.hasPrefix("The bundle contains") && $0.count <= 50 }, "\(page)")
  }

  @Test(arguments: [
    ["record", "--device", "simulated?frames=1", "-o", "-"], ["trim", "a.retake", "--from", "0", "--output=-"],
    ["export", "png", "a.retake", "-o", "-"], ["import", "a.mkv", "--output", "-"], ["pack", "a.retake", "-o", "-"],
  ])
  func `verbs that write folders, or files that are read back, refuse standard output`(words: [String]) throws {
    let result = try CommandLineTool.run(words, expecting: 64)
    #expect(result.errors.contains("'retake \(words[0])' cannot write to standard output."), "\(result.errors)")
    #expect(result.errors.contains("hint: name a folder or file with --output"))
    #expect(result.output.isEmpty && !FileManager.default.fileExists(atPath: "-"))
  }

  @Test func `info leaves columns out and breaks lines in a terminal of 50 columns`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "narrow.retake", "frames=3&size=64x48")
    let process = try TerminalProcess(["info", recording], columns: 50)
    #expect(try process.end() == 0)
    let lines = process.output.split(whereSeparator: \.isNewline)
    #expect(lines.contains { $0.hasPrefix("STREAM  FORMAT") && $0.contains("FRAMES") }, "\(process.output)")
    // Paths are not broken.
    #expect(lines.allSatisfy { $0.count <= 50 || $0.contains(folder.path) }, "\(process.output)")
  }

  @Test func `every verb has an example, and no example is wrapped in 80 columns`() throws {
    let verbs = try verbs()
    #expect(verbs.count > 20)
    for verb in verbs {
      let examples = verb.discussion.split(separator: "\n").filter {
        $0.hasPrefix("retake ") || $0.hasPrefix("  retake ")
      }
      #expect(!examples.isEmpty, "\(verb.name) has no example")
      for example in examples { #expect(example.count <= 79, "\(verb.name): \(example)") }
    }
  }

  private func completions(_ option: String, of verb: String, _ words: [String], typed: String) throws -> [String] {
    let result = try CommandLineTool.run(
      ["---completion", verb, "--", option, "\(words.count)", "\(typed.count)", "retake", verb] + words + [typed],
      environment: ["SAP_SHELL": "fish"])
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test func `shells complete parameters, their choices, devices and marks`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=10")
    try CommandLineTool.run(["mark", recording, "--label", "fall", "--at", "0.1s"])
    let names = try completions("--set", of: "replay", [recording, "--set"], typed: "")
    #expect(names.contains("matte.blur=") && names.contains("depth.rate="), "\(names)")
    let kinds = try completions("--set", of: "replay", [recording, "--set"], typed: "mask.kind=")
    #expect(kinds.contains("mask.kind=plate") && kinds.allSatisfy { $0.hasPrefix("mask.kind=") }, "\(kinds)")
    let devices = try completions("--device", of: "record", ["--device"], typed: "")
    #expect(devices.contains("simulated") && devices.contains("kinect:"), "\(devices)")
    #expect(try completions("--from", of: "replay", [recording, "--from"], typed: "") == ["mark:fall"])
    #expect(try completions("--mark", of: "trim", [recording, "--mark"], typed: "") == ["fall"])
    let script = try CommandLineTool.run(["--generate-completion-script", "bash"]).text
    for word in ["truedepth-backdrop", "doctor", "fakenect"] { #expect(script.contains(word), "\(word)") }
  }

  @Test func `a path that begins with a dash is not taken for letters of options`() throws {
    let folder = try TemporaryFolder()
    _ = try CommandLineTool.recordSimulated(folder, "-dash.retake", "frames=2&size=64x48")
    let script = "cd \"$1\" && exec \"$2\" verify \"$3\""
    func verify(_ path: String) throws -> ChildProcess {
      try ChildProcess.run("/bin/sh", ["-c", script, "sh", folder.path, Checkout.retake, path])
    }
    let refused = try verify("-dash.retake")
    #expect(refused.status == 64 && refused.errors.contains("begins with a dash"), "\(refused.errors)")
    #expect(refused.errors.contains("hint: write ./-dash.retake\n"), "\(refused.errors)")
    #expect(try verify("./-dash.retake").status == 0)
  }
}
