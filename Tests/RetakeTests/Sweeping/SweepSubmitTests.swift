import CommandTestSupport
import Foundation
import Sweeps
import TestSupport
import Testing

/// Parts of a sweep on other computers, without Slurm. With a real Slurm: Tools/develop/cluster-test.
@Suite(.long) struct SweepSubmitTests {
  private let swept: SweptFolder
  private let words = [
    "--scan", "matte.blur=1..4:1", "--list", "depth.spatial-passes=0,1", "--scores", "iou,lag", "--set",
    "mask.offset=0.2",
  ]
  init() throws { swept = try SweptFolder("frames=8&size=96x72") }

  @discardableResult
  private func submit(_ more: [String], expecting status: Int32 = 0) throws -> ChildProcess {
    try CommandLineTool.run(
      ["sweep", "submit", swept.recording] + words + ["-o", swept.path("tuning")] + more, expecting: status)
  }

  private var eachByShell: [String] { ["--template", "{job} {part}"] }

  @Test func `a template runs each part, and their merged results are those of one machine`() throws {
    try swept.sweep(words, to: "whole.sqlite")
    let said = try submit(eachByShell + ["--parts", "3"]).errors
    #expect(said.contains("8 runs in 3 parts"), "\(said)")
    #expect(try swept.text("tuning/definition.yaml").contains(#"matte.blur: "1..4:1""#))
    let status = try CommandLineTool.run(["sweep", "status", swept.path("tuning")])
    #expect(status.text.contains("3 parts: 3 done; 8 of 8 runs"), "\(status.text)")
    try CommandLineTool.run(["sweep", "merge", swept.path("tuning")])
    try expectSameContents(swept.path("whole.sqlite"), swept.path("tuning/result.sqlite"), "merged")
    // Parts and their progress, and nothing else.
    let parts = try FileManager.default.contentsOfDirectory(atPath: swept.path("tuning/parts")).sorted()
    #expect(parts == (1...3).flatMap { ["part-\($0).progress", "part-\($0).sqlite"] })
  }

  @Test func `submitted again, it starts what is missing and nothing else`() throws {
    try submit(["--template", "[ {part} = 2 ] || {job} {part}", "--parts", "3"])
    let status = try CommandLineTool.run(["sweep", "status", swept.path("tuning"), "--json"], expecting: 75)
    let parts = try #require(try CommandLineTool.json(status.text)["parts"] as? [[String: Any]])
    #expect(parts.compactMap { $0["state"] as? String } == ["done", "missing", "done"])
    let merge = try CommandLineTool.run(["sweep", "merge", swept.path("tuning")], expecting: 3)
    #expect(merge.errors.contains("are missing: 'retake sweep submit -o"), "\(merge.errors)")
    let again = try CommandLineTool.run(
      [
        "sweep", "submit", "-o", swept.path("tuning"), "--template",
        "echo run {part} >>{folder}/ran",
      ])
    #expect(again.errors.contains("1 part of 3 submitted"), "\(again.errors)")
    #expect(try swept.text("tuning/ran") == "run 2\n")
    try CommandLineTool.run(["sweep", "part", swept.path("tuning"), "2"])
    try CommandLineTool.run(["sweep", "merge", swept.path("tuning")])
    try swept.sweep(words, to: "whole.sqlite")
    try expectSameContents(swept.path("whole.sqlite"), swept.path("tuning/result.sqlite"), "completed")
  }

  @Test func `rates and --every are refused before the folder is made`() throws {
    let said = try submit(eachByShell + ["--list", "depth.rate=1/1,1/2", "--every", "2"], expecting: 64).errors
    #expect(said.contains("leave out --every") && !swept.has("tuning"), "\(said)")
  }

  @Test(arguments: [1, 4, 16])
  func `a search in rounds of parts finds by the same scores what one machine finds`(count: Int) throws {
    let search =
      words + [
        "--list", "matte.gamma=0.5,1,2", "--list", "mask.offset=0.1,0.2,0.3", "--search", "--best", "iou", "--budget",
        "200",
      ]
    try swept.sweep(search, to: "whole.sqlite")
    let folder = swept.path("tuning")
    let new =
      ["sweep", "submit", swept.recording] + search + ["-o", folder, "--parts", "\(count)", "--share-from", "1ms"]
    let printed = try CommandLineTool.run(new + ["--print"]).text
    #expect(printed.contains("step.sh 0"), "\(printed)")
    #expect(try CommandLineTool.run(["sweep", "status", folder], expecting: 75).text.contains("no round yet"))
    var rounds = 0
    while !swept.has("tuning/found.txt") {
      try #require(rounds < 60)
      try CommandLineTool.run(["sweep", "step", folder, "--print", "--quiet"])
      let json = try CommandLineTool.json(
        ChildProcess.run(try Checkout.retake, ["sweep", "status", folder, "--json"]).text)
      let parts = try #require(json["parts"] as? [[String: Any]]).compactMap { $0["part"] as? Int }
      #expect(parts.count <= count)
      if json["is_over"] as? Bool == true { break }
      rounds = try #require(json["round"] as? Int)
      // In any order; some are never run at first, and the next step makes a round of what they left.
      for part in parts.reversed() where part != 2 || rounds != 1 {
        try CommandLineTool.run(["sweep", "part", folder, "\(part)", "--quiet"])
      }
      // A part that comes late does nothing.
      if rounds > 1 { try CommandLineTool.run(["sweep", "part", folder, "1", "--round", "1"]) }
    }
    #expect(count == 1 || rounds > 1)
    try CommandLineTool.run(["sweep", "compare", swept.path("whole.sqlite"), swept.path("tuning/result.sqlite")])
    func searched(_ name: String) throws -> String {
      try CommandLineTool.run(["sweep", "table", swept.path(name), "--searched", "--csv"]).text
    }
    #expect(try searched("whole.sqlite") == searched("tuning/result.sqlite"))
    #expect(try CommandLineTool.run(["sweep", "status", folder]).text.contains("the search is done"))
    let others: [([String], String)] = [
      (["sweep", "merge", folder], "steps join its parts"),
      (["sweep", "part", folder, "1", "--round", "999"], "has no round"),
      (new + ["--budget", "300", "--print"], "another search"), (["sweep", "step", folder, "--sbatch", "'"], "quote"),
    ]
    for (words, said) in others {
      let result = try CommandLineTool.run(words, expecting: 64)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
    }
  }

  @Test func `GNU parallel runs the parts on the computers of a file`() throws {
    // ":" is this computer, without ssh.
    let hosts = try swept.write("2/:\n", "hosts")
    let printed = try submit(["--hosts", hosts, "--parts", "4", "--print"]).text
    #expect(printed.contains("parallel --sshloginfile") && printed.contains("::: 1 2 3 4; bash"), "\(printed)")
    try submit(["--hosts", hosts])
    for _ in 0..<6000 where !swept.has("tuning/result.sqlite") { usleep(10_000) }
    try swept.sweep(words, to: "whole.sqlite")
    try expectSameContents(swept.path("whole.sqlite"), swept.path("tuning/result.sqlite"), "parallel")
  }

  @Test func `a part that is ended goes on from its copy, elsewhere too`() throws {
    try submit(eachByShell + ["--parts", "1", "--print"])
    let words = [
      "sweep", "part", swept.path("tuning"), "1", "--checkpoint", "10ms", "--memory", "1", "--threads", "1",
      "--scratch",
    ]
    for name in ["node-1", "node-2"] {
      try FileManager.default.createDirectory(atPath: swept.path(name), withIntermediateDirectories: true)
    }
    // Batches of one setting, so that it has several checkpoints.
    func copiedCount() -> Int {
      let text = (try? String(contentsOfFile: swept.path("tuning/parts/part-1.progress"), encoding: .utf8)) ?? ""
      return text.split(separator: " ").first.flatMap { Int($0) } ?? 0
    }
    let ended = try ChildProcess.run(try Checkout.retake, words + [swept.path("node-1")]) { process in
      // However busy the machine, until something is copied.
      for _ in 0..<60_000 where copiedCount() == 0 { usleep(1000) }
      kill(process, SIGTERM)
    }
    // It may have been quicker than the signal.
    #expect([0, 75].contains(ended.status), "\(ended.errors)")
    let done = try SweepResultsFile.open(swept.path("tuning/parts/part-1.sqlite")).finishedRuns().count
    #expect(done > 0)
    let next = try CommandLineTool.run(words + [swept.path("node-2")])
    #expect(done == 8 || next.errors.contains("\(done) of 8 runs already done"), "\(done): \(next.errors)")
    for name in ["node-1", "node-2"] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: swept.path(name)).isEmpty)
    }
  }

  @Test func `what does not fit is refused with the next step`() throws {
    func refused(_ words: [String], _ said: String, expecting status: Int32 = 64, environment: [String: String] = [:])
      throws
    {
      let result = try CommandLineTool.run(["sweep"] + words, expecting: status, environment: environment)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
      #expect(status != 1 || result.errors.contains("hint: "), "\(result.errors)")
    }
    let folder = swept.path("tuning")
    let new = ["submit", swept.recording, "-o", folder] + words
    try refused(new, "There is no sbatch on this computer.", expecting: 1, environment: ["PATH": "/nowhere:/bin-none"])
    #expect(!swept.has("tuning"))
    try refused(["submit", "-o", folder] + eachByShell, "There is no submitted sweep")
    try refused(new + ["--template", "{job}"], "--template has no {part}")
    try refused(new + ["--template", "{part}", "--hosts", "a"], "either --hosts or --template")
    try refused(new + eachByShell + ["--sbatch", "-p short"], "--sbatch is for Slurm")
    try refused(new + ["--hosts", swept.path("no")], "There are no computers in", expecting: 1)
    try refused(new + ["--sbatch", "-p 'short", "--print"], "quote without its end")
    try refused(new + ["--parts", "0"], "--parts takes 1")
    try refused(["status", folder], "has no submitted sweep")
    try refused(["part", folder, "1"], "has no submitted sweep")
    _ = try swept.write("x", "file")
    try FileManager.default.createDirectory(atPath: swept.path("full"), withIntermediateDirectories: true)
    _ = try swept.write("x", "full/file")
    try refused(
      ["submit", swept.recording, "-o", swept.path("full")] + words + eachByShell, "is not empty", expecting: 1)

    try submit(eachByShell + ["--parts", "2"])
    try refused(["part", folder, "3"], "has parts 1 to 2, not 3")
    try refused(["submit", "-o", folder, "--parts", "5"] + eachByShell, "has 2 parts, which cannot be changed to 5")
    try refused(
      ["submit", swept.recording, "--scan", "matte.blur=1..3:1", "-o", folder] + eachByShell,
      "is another sweep than the one submitted to")
    // A part of another sweep lies where one of this should.
    try swept.sweep(["--scan", "matte.blur=1..3:1"], to: "other.sqlite")
    let part = swept.path("tuning/parts/part-2.sqlite")
    try FileManager.default.removeItem(atPath: part)
    try FileManager.default.copyItem(atPath: swept.path("other.sqlite"), toPath: part)
    try refused(["merge", folder], "part-2.sqlite is another sweep than the one submitted")
    try refused(["part", folder, "2"], "part-2.sqlite has the results of another sweep: its settings differ")
    // Made with another version.
    try FileManager.default.removeItem(atPath: part)
    let file = try SweepResultsFile.open(swept.path("tuning/plan.sqlite"))
    var identity = file.identity
    identity.pipelineRevision = 99
    try SweepResultsFile.create(part, identity).close()
    try refused(["merge", folder], "part-2.sqlite is of 0.")
    try refused(["part", folder, "2"], "its pipeline revision differs")
    try FileManager.default.removeItem(atPath: part)
    // The definition was edited after it was submitted.
    let definition = try swept.text("tuning/definition.yaml")
    _ = try swept.write(definition + "every: 2\n", "tuning/definition.yaml")
    try refused(["part", folder, "2"], "definition.yaml is another sweep than the one submitted")
    try refused(["submit", "-o", folder] + eachByShell, "definition.yaml is another sweep")
  }
}
