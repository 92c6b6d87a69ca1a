import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// The list of a folder finds what 'retake find' prints: see browse_find.py.
@Suite(.long) struct StudioFindTests {
  private struct Answers: Decodable {
    var found: [String: [String]]
    var problems: [String: String]
    /// Of the last query's rows.
    var tags: [String]
    var times: [String]
    var kept: String
    var faint: [String]
    var end: Int
  }

  private let folder: TemporaryFolder
  private let shots: TemporaryFolder

  init() throws { (folder, shots) = (try TemporaryFolder(), try TemporaryFolder()) }

  private func browse(_ place: String, _ queries: [String]) throws -> Answers {
    let script = Checkout.root + "/Tests/RetakeStudioTests/browse_find.py"
    let result = try ChildProcess.run(
      Checkout.python, [script, Checkout.chromium, Checkout.retake, shots.path, place] + queries)
    try #require(result.status == 0, "\(result.errors.suffix(1500))")
    return try JSONDecoder().decode(Answers.self, from: result.output)
  }

  @Test
  func `the list finds words of paths, and what 'retake find' finds by marks, tags and numbers`() throws {
    try FileManager.default.createDirectory(atPath: folder.path("anna"), withIntermediateDirectories: true)
    for name in ["anna/a.retake", "b.retake"] {
      _ = try CommandLineTool.recordSimulated(folder, name, "frames=3&size=160x120")
    }
    try CommandLineTool.run([
      "record", "--device", "simulated?size=160x120", "--duration", "300ms", "-o", folder.path("c.retake"), "--quiet",
    ])
    try CommandLineTool.run(["mark", folder.path("anna/a.retake"), "--at", "1", "--label", "hand vanishes"])
    try CommandLineTool.run(["tag", folder.path("c.retake"), "dark", "take=3"])
    let queries = ["mark:vanishes", "vanishes", "tag:take=3", "!tag:dark", "frames=3 marks=0", "started>2020-01-01"]
    let answers = try browse(folder.path + "/", queries + ["ann", "drop>0", "tag:dark"])
    for query in queries {
      let found = try CommandLineTool.run(["find", folder.path, query]).text
      let paths = found.split(separator: "\n").map { String($0.dropFirst(folder.path.count + 1)) }
      #expect(!paths.isEmpty && answers.found[query] == paths && answers.problems[query] == "", "\(query)")
    }
    // Parts of words are looked for in paths.
    #expect(answers.found["ann"] == ["anna/a.retake"])
    // What was shown stays beside what is wrong with a query.
    #expect(answers.found["drop>0"] == ["anna/a.retake"])
    let problem = try CommandLineTool.run(["find", folder.path, "drop>0"], expecting: 64).errors
    let told = try #require(answers.problems["drop>0"])
    #expect(told.hasPrefix("'drop>0' is no term of a query") && problem.contains("'drop>0' is no term of a query"))
    #expect(answers.tags == ["dark", "take=3"] && answers.kept == "tag:dark" && answers.faint.isEmpty)
    #expect(answers.times.count == 1 && answers.times[0].wholeMatch(of: /20\d\d-\d\d-\d\d \d\d:\d\d/) != nil)
    #expect(answers.end == 0)
    // Recordings that were named one by one are found as well.
    let places = [folder.path("b.retake"), folder.path("c.retake") + "/"]
    let named = try browse(places.joined(separator: ","), ["tag:dark"])
    #expect(named.found["tag:dark"]?.count == 1)
  }
}
