import CommandTestSupport
import Foundation
import Glibc
import Support
import Sweeps
import TestSupport
import Testing

/// `retake sweep --search` as a user runs it.
@Suite(.long) struct SearchCommandTests {
  private let swept: SweptFolder
  init() throws { swept = try SweptFolder("frames=30&size=160x120&grain=2") }

  private static let grid = [
    "--preset", "truedepth-backdrop", "--scan", "matte.blur=1..10:1", "--scan", "mask.offset=0.1..0.5:0.1", "--list",
    "matte.gamma=0.5,1,2", "--list", "depth.rate=1/1,1/2", "--scores", "iou,flicker",
    "--best", "iou",
  ]
  private let words = grid + ["--search", "--budget", "900"]

  /// What the search scored, and on which frames.
  private func searched(_ name: String) throws -> String {
    let script = """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      for table in ("search", "search_unit", "search_value", "search_score", "search_failure"):
          print(table, database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall())
      """
    let result = try ChildProcess.run("/usr/bin/env", ["python3", "-c", script, swept.path(name)])
    #expect(result.status == 0, "\(result.errors)")
    return result.text
  }

  private func expectSame(_ a: String, _ b: String, _ seen: String) throws {
    #expect(try searched(a) == searched(b), "\(seen)")
    try expectSameContents(swept.path(a), swept.path(b), seen)
  }

  /// The winner's lines without what it cost.
  private func verdict(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { !$0.contains("cost") }
  }

  @Test func `it finds a setting as good as that of the whole sweep, says how sure that is, and writes it`() throws {
    let search = try swept.sweep(words + ["--write-best", swept.path("best.yaml")])
    #expect(
      try search.text.firstMatch(of: Regex(#"^best by iou: setting \d+ \(of \d+ settings scored on all frames\)\n"#))
        != nil, "\(search.text)")
    #expect(
      search.text.contains(" ± ") && search.errors.contains("settings searched"), "\(search.text) \(search.errors)")
    try swept.sweep(Self.grid, to: "whole.sqlite")
    let best = try swept.rows("whole.sqlite").compactMap { $0["iou"] as? Double }.max() ?? 1
    let found = try swept.rows().compactMap { $0["iou"] as? Double }.max() ?? 0
    #expect(found >= 0.99 * best)
    // The best settings of both are scored alike, to the bit.
    let rows = try swept.rows("whole.sqlite")
    for row in try swept.rows() {
      #expect(
        rows.contains { other in
          ["matte.blur", "mask.offset", "matte.gamma", "iou"].allSatisfy { other[$0] as? Double == row[$0] as? Double }
            && other["depth.rate"] as? String == row["depth.rate"] as? String
        }, "\(row)")
    }
    try CommandLineTool.run(
      ["replay", swept.recording, "--parameters", swept.path("best.yaml"), "--output", "digests:-", "--to", "1"])
    let tables = try searched("r.sqlite")
    #expect(tables.contains("matte.blur") && tables.contains("'budget', '900'"), "\(tables.prefix(400))")
    try CommandLineTool.run(["sweep", "report", swept.path("r.sqlite"), "-o", swept.path("r.html"), "--no-pictures"])
    #expect(try swept.text("r.html").contains("Searched"))
  }

  @Test func `it is the same on one thread and on two`() throws {
    let one = try swept.sweep(words + ["--threads", "1", "--memory", "8M"], to: "one.sqlite")
    let two = try swept.sweep(words + ["--threads", "2"], to: "two.sqlite")
    #expect(verdict(one.text) == verdict(two.text))
    try expectSame("one.sqlite", "two.sqlite", "threads")
  }

  @Test func `killed at random again and again, and started again, it ends with the same results`() throws {
    let start = ContinuousClock.now
    let undisturbed = try swept.sweep(words, to: "undisturbed.sqlite")
    let whole = start.duration(to: .now)
    let milliseconds = max(
      50, Int(whole.components.seconds * 1000 + whole.components.attoseconds / 1_000_000_000_000_000))
    var generator = SeededGenerator(seed: 22)
    var kills = 0
    for _ in 0..<Sample.count(of: 20, usual: 5) {
      let delay = generator.next(below: milliseconds)
      let child = try ChildProcess.run(
        Checkout.retake, ["sweep", swept.recording] + words + ["-o", swept.path("r.sqlite")]
      ) { process in
        usleep(UInt32(delay * 1000))
        kill(process, SIGKILL)
      }
      if child.status == -SIGKILL { kills += 1 }
    }
    let last = try swept.sweep(words)
    #expect(verdict(last.text) == verdict(undisturbed.text))
    try expectSame("undisturbed.sqlite", "r.sqlite", "\(kills) kills")
  }

  @Test func `the forecast says what it costs and writes nothing`() throws {
    let forecast = try swept.sweep(words + ["--dry-run"]).text
    for word in ["300", "budget", "900 frames", "searched", "cycles of 2 frames"] {
      #expect(forecast.contains(word), "\(forecast)")
    }
    #expect(!swept.has("r.sqlite"))
  }

  @Test func `where the least budget scores one setting on all frames, nothing claims a comparison`() throws {
    let small = ["--list", "matte.blur=1,8,4,2,16,32", "--best", "iou", "--search", "--budget"]
    let refused = try swept.sweep(small + ["1"], expecting: 64).errors
    let least = try #require(refused.firstMatch(of: #/--budget (\d+) or more/#)).output.1
    let result = try swept.sweep(small + [String(least)])
    #expect(result.text.hasPrefix("best by iou: setting 0 (of 1 setting scored on all frames)\n"), "\(result.text)")
    #expect(result.text.contains("\nno other was scored on all frames, so none was compared with it"), "\(result.text)")
    try CommandLineTool.run(["sweep", "report", swept.path("r.sqlite"), "-o", swept.path("r.html"), "--no-pictures"])
    #expect(!(try swept.text("r.html")).contains("no other is better"))
  }

  @Test func `where the budget pays for every setting, all are scored on all frames, as without --search`() throws {
    let grid = [
      "--preset", "truedepth-backdrop", "--list", "matte.blur=1,8,4", "--list", "matte.guided-epsilon=0.001,0.1,0.01",
      "--best", "iou",
    ]
    let forecast = try swept.sweep(grid + ["--search", "--dry-run"]).text
    #expect(forecast.contains("all 9: the budget pays for them"), "\(forecast)")
    let search = try swept.sweep(grid + ["--search"])
    #expect(search.errors.contains("all 9 settings scored on all frames: 270 of 300 frames"), "\(search.errors)")
    #expect(search.text.contains("\nno effect: matte.guided-epsilon\n"), "\(search.text)")
    // It may have tried more than it scored on all frames.
    #expect(!search.text.contains("at the end of what was tried"), "\(search.text)")
    let again = try CommandLineTool.run(["sweep", "best", swept.path("r.sqlite")]).text
    #expect(!again.contains("at the end of what was tried"), "\(again)")
    let whole = try swept.sweep(grid, to: "whole.sqlite").text
    #expect(whole.contains("values beyond may be better: matte.blur 1, the lowest\n"), "\(whole)")
    func scores(_ name: String) throws -> Set<String> {
      Set(
        try swept.rows(name).map { "\($0["matte.blur"] ?? "") \($0["matte.guided-epsilon"] ?? "") \($0["iou"] ?? "")" })
    }
    #expect(try scores("r.sqlite") == scores("whole.sqlite") && scores("r.sqlite").count == 9)
    let searched = try CommandLineTool.run(["sweep", "table", swept.path("r.sqlite"), "--searched", "--csv"]).text
    #expect(searched.split(whereSeparator: \.isNewline).count >= 10 && searched.contains("matte.blur"), "\(searched)")
  }

  @Test func `refine begins with the values of a file`() throws {
    let file = try swept.write("matte.blur: 9\nmask.offset: 0.5\n", "start.yaml")
    let text = try swept.sweep(Self.grid + ["--search", "refine", "--parameters", file]).text
    #expect(text.hasPrefix("best by iou"), "\(text)")
    let tables = try searched("r.sqlite")
    #expect(tables.contains("(0, 'matte.blur', '9')") && tables.contains("(0, 'mask.offset', '0.5')"), "\(tables)")
  }

  @Test(arguments: [
    (["--search"], "--best"), (["--search", "--best", "cost"], "cost is measured"),
    (["--search", "--best", "lag"], "whole recordings"), (["--search", "--best", "iuo"], "did you mean iou"),
    (["--search", "--best", "iou", "--budget", "10"], "too small"),
    (["--search", "--best", "iou", "--budget", "many"], "3%"),
    (["--search", "--best", "iou", "--random", "5"], "--random"),
    (["--search", "--best", "iou", "--shard", "1/2"], "--shard"), (["--budget", "3%"], "--search"),
    (["--search", "--best", "flicker<0.0000001,iou"], "no setting within"),
    (["--search", "sideways", "--best", "iou"], "sideways"),
  ])
  func `wrong arguments are answered with a sentence and the next step`(wrong: [String], word: String) throws {
    let result = try ChildProcess.run(
      Checkout.retake,
      [
        "sweep", swept.recording, "--scan", "matte.blur=1..9:1", "--scores", "iou,flicker", "-o",
        swept.path("w.sqlite"),
      ] + wrong)
    #expect(result.status == 64 || result.status == 1, "\(result.status)")
    #expect(result.errors.lowercased().contains(word.lowercased()), "\(result.errors)")
  }

  @Test func `what frames and recordings without the score say is nothing, not 0`() throws {
    try swept.shell(
      """
      retake export png a.retake --stream alpha -o e -q; mkdir -p one every/a.retake
      cp e/alpha/000000.png one; cp e/alpha/0000[0-2]0.png every/a.retake
      retake record --device 'simulated?pace=fast&frames=30&size=160x120&grain=2&seed=3&alpha=false' -o b.retake -q --keep-free 0
      """)
    let words = [
      "--preset", "truedepth-backdrop", "--list", "matte.blur=0,1,2", "--scores", "iou", "--search", "--best", "iou",
    ]
    // One frame has no error that could be told.
    let one = try swept.sweep(words + ["--truth", swept.path("one")], to: "one.sqlite")
    #expect(one.text.hasPrefix("best by iou: setting 0 ") && !one.text.contains(" ± "), "\(one.text)")
    let few = try swept.sweep(words + ["--truth", swept.path("every/a.retake")], to: "few.sqlite").text
    let error = try #require(few.firstMatch(of: Regex(#" ± ([0-9.]+) "#))?[1].substring.flatMap { Double($0) })
    let values = try swept.rows("few.sqlite").compactMap { $0["iou"] as? Double }
    #expect(error > 0 && error < 0.02 * (values.max() ?? 0), "\(few)")
    // The other recording has no truth: nothing could have been chosen without this one.
    let two = try swept.sweep([swept.path("b.retake")] + words, to: "two.sqlite").text
    let alone = try swept.sweep(words, to: "alone.sqlite").text
    let uncertainty = try #require(alone.firstMatch(of: Regex(#"uncertainty: .*"#))?.output[0].substring)
    #expect(two.contains("(of 1 of 2 recordings)") && two.contains(uncertainty), "\(alone) \(two)")
    #expect(!two.contains("a.retake  "), "\(two)")
  }

  @Test func `by the worst recording, the nearest setting is told with the worst's value`() throws {
    try swept.shell(
      "retake record --device 'simulated?pace=fast&frames=30&size=160x120&seed=3' -o b.retake -q --keep-free 0")
    let words = [
      "--preset", "truedepth-backdrop", "--list", "matte.blur=0,1,2", "--scores", "iou", "--search", "--over", "worst",
    ]
    let refused = try swept.sweep([swept.path("b.retake")] + words + ["--best", "iou>2,iou"], expecting: 1)
    let least = try swept.rows().filter { $0["setting"] as? Int == 0 }.compactMap { $0["iou"] as? Double }.min()
    #expect(refused.errors.contains("no setting within iou>2.0 on the worst recording."), "\(refused.errors)")
    let told = try #require(refused.errors.firstMatch(of: Regex(#"setting 0 with iou ([0-9.]+)"#))?[1].substring)
    #expect(abs((Double(told) ?? 0) - (least ?? 1)) < 1e-6, "\(refused.errors)")
    try swept.shell("retake sweep best r.sqlite --by iou | grep -q 'the search itself chose by the worst one'")
  }
}
