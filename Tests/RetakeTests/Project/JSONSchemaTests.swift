import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What commands print with --json is what the schemas in Sources/CommandLine/Schemas document, to the last member.
@Suite(.long) struct JSONSchemaTests {
  private let folder: TemporaryFolder
  private let recording: String
  private static let camera = "simulated?pace=fast&frames=12&size=64x48"
  private static let schemas = Checkout.root + "/Sources/CommandLine/Schemas"

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=12&size=64x48")
  }

  private func path(_ name: String) -> String { folder.path(name) }

  /// What the checker finds wrong; empty if the text is as documented.
  private func problems(_ text: String, _ schema: String, _ more: [String] = []) throws -> String {
    let file = path("text.json")
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    let script = Checkout.root + "/Tests/RetakeTests/Project/check_json.py"
    let result = try ChildProcess.run(Checkout.python, [script, "\(Self.schemas)/\(schema).json", file] + more)
    #expect(result.status == (result.text.isEmpty ? 0 : 1), "\(schema): \(result.errors)")
    return result.text + result.errors
  }

  private func expectDocumented(
    _ schema: String, _ arguments: [String], expecting status: Int32 = 0, lines: Bool = false,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let text = try CommandLineTool.run(arguments, expecting: status, location: location).text
    let found = try problems(text, schema, lines ? ["--lines"] : [])
    #expect(found.isEmpty, "\(arguments): \(found)", sourceLocation: location)
  }

  @Test func `recordings`() throws {
    try expectDocumented(
      "info", ["record", "--device", Self.camera, "--keep-free", "0", "-o", path("b.retake"), "--json"])
    try expectDocumented(
      "record-split",
      [
        "record", "--device", "simulated?pace=fast&frames=40&size=64x48", "--keep-free", "0", "--split", "1s", "-o",
        path("c.retake"), "--json",
      ])
    try CommandLineTool.run(["mark", recording, "--at", "0.2s", "--label", "fall"])
    try expectDocumented("mark", ["mark", recording, "--list", "--json"])
    try expectDocumented("info", ["faces", recording, "--replace", "--json"])
    try expectDocumented("calibrate", ["calibrate", recording, "--json"])
    let empty = try CommandLineTool.recordSimulated(folder, "empty.retake", "frames=6&size=64x48&person=false")
    try expectDocumented("plate", ["plate", empty, "-o", path("room.retake-plate"), "--json"])
    try CommandLineTool.run(["trim", recording, "--from", "0", "-o", path("lens.retake")])
    let lens = "color:\n  fx: 60\n  fy: 60\n  cx: 32\n  cy: 24\n"
    try lens.write(toFile: path("lens.yaml"), atomically: false, encoding: .utf8)
    try CommandLineTool.run(["calibrate", path("lens.retake"), "--calibration", path("lens.yaml")])
    try expectDocumented("info", ["info", path("lens.retake"), "--json"])
    try expectDocumented("tag", ["tag", recording, "light=dark", "--json"])
    try expectDocumented("list", ["list", folder.path(""), "--json"])
    try expectDocumented("list", ["find", folder.path(""), "tag:light", "--json"])
    try expectDocumented("info", ["info", recording, "--json"])
    try expectDocumented("info", ["trim", recording, "--from", "3", "-o", path("d.retake"), "--json"])
    try expectDocumented("info", ["info", path("d.retake"), "--json"])
    try expectDocumented("info", ["join", recording, recording, "--gap", "1s", "-o", path("j.retake"), "--json"])
    try expectDocumented("info", ["pack", recording, "-o", path("p.retake"), "--json"])
    try expectDocumented("info", ["unpack", path("p.retake"), "-o", path("u.retake"), "--json"])
    try expectDocumented("verify", ["verify", recording, "--json"])
    try expectDocumented("recover", ["recover", recording, "--json"])
    for (verb, text) in try ["recover", "tag"].map({
      ($0, try CommandLineTool.run([$0, recording, path("lens.retake"), "--json"]).text)
    }) {
      let list = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      #expect(list.count == 2)
      for entry in list {
        let own = String(decoding: try JSONSerialization.data(withJSONObject: entry), as: UTF8.self)
        #expect(try problems(own, verb).isEmpty, "\(own)")
      }
    }
    for (kind, name) in [("png", "pictures"), ("tum", "tum"), ("mcap", "e.mcap"), ("video", "e.mkv")] {
      try expectDocumented("export", ["export", kind, recording, "-o", path(name), "--json"])
    }
    try expectDocumented("info", ["import", path("e.mcap"), "-o", path("f.retake"), "--json"])
  }

  @Test func `recordings with losses and damage`() throws {
    let lossy = folder.path("lossy.retake")
    let camera = "simulated?pace=fast&frames=40&size=64x48&seed=3&drop=0.1&damage=0.1"
    let result = try CommandLineTool.run(
      ["record", "--device", camera, "--keep-free", "0", "-o", lossy, "--json"], expecting: 3)
    #expect(try !#require(CommandLineTool.json(result.text)["events"] as? [Any]).isEmpty)
    #expect(try problems(result.text, "info") == "")
    let chunks = lossy + "/chunks"
    let file = try chunks + "/" + #require(FileManager.default.contentsOfDirectory(atPath: chunks).sorted().first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    bytes[bytes.count / 2] ^= 0xFF
    try bytes.write(to: URL(fileURLWithPath: file))
    try expectDocumented("verify", ["verify", lossy, "--json"], expecting: 1)
  }

  @Test func `replays, comparisons and bundles`() throws {
    let replay = ["replay", recording, "--preset", "truedepth-backdrop", "--json", "-o"]
    try expectDocumented("replay", replay + [path("a.jsonl")])
    try expectDocumented("replay", replay + [path("b.jsonl"), "--set", "matte.blur=2", "--speed", "10"])
    try expectDocumented(
      "live", ["live", "--device", Self.camera, "-o", "none", "--record", path("l.retake"), "--json"])
    let compare = ["compare", path("a.jsonl"), path("b.jsonl"), "--json"]
    try expectDocumented("compare", compare, expecting: 1)
    try expectDocumented("compare", compare + ["--recording", recording], expecting: 1)
    try expectDocumented("compare", ["compare", path("a.jsonl"), path("a.jsonl"), "--json"])
    let bundle = path("a.retake-bundle")
    try expectDocumented(
      "bundle", ["bundle", recording, "--preset", "truedepth-backdrop", "-o", bundle, "--drop-serials", "--json"])
    let reproduce = ["reproduce", bundle, "--json"]
    try expectDocumented("reproduce", reproduce, lines: true)
    try expectDocumented("reproduce", reproduce + ["--set", "matte.blur=2"], expecting: 1, lines: true)
    try expectDocumented("reproduce", ["reproduce", path("none"), "--json"], expecting: 1, lines: true)
  }

  @Test func `sweeps`() throws {
    let (results, other, search) = (folder.path("a.sqlite"), folder.path("b.sqlite"), folder.path("c.sqlite"))
    let sweep = ["sweep", recording, "--preset", "truedepth-backdrop"]
    try expectDocumented(
      "sweep-table", sweep + ["--list", "matte.blur=1,6", "--best", "iou", "-o", results, "--json", "-"])
    try CommandLineTool.run(sweep + ["--list", "matte.blur=1,9", "-o", other])
    try CommandLineTool.run(sweep + ["--scan", "matte.blur=1..9:1", "--search", "--best", "iou", "-o", search])
    try expectDocumented("sweep-table", ["sweep", "table", results, "--json"])
    try expectDocumented("sweep-table-frames", ["sweep", "table", results, "--json", "--frames"], lines: true)
    try expectDocumented("sweep-table-searched", ["sweep", "table", search, "--json", "--searched"])
    try expectDocumented("sweep-best", ["sweep", "best", results, "--by", "iou", "--json"])
    try expectDocumented("sweep-compare", ["sweep", "compare", results, other, "--json"], expecting: 1)
    try expectDocumented("sweep-merge", ["sweep", "merge", results, "-o", folder.path("m.sqlite"), "--json"])
    let shared = folder.path("shared")
    try CommandLineTool.run(["sweep", "submit", recording, "-o", shared, "--template", "true {part}"])
    try expectDocumented("sweep-status", ["sweep", "status", shared, "--json"], expecting: 75)
  }

  @Test func `the machine and the parameters`() throws {
    try expectDocumented("devices", ["devices", "--json"])
    try expectDocumented("devices-probe", ["devices", "--probe", Self.camera, "--seconds", "200ms", "--json"])
    try expectDocumented("parameters", ["parameters", "--json"])
    // Exits 1 where a camera is there without permission.
    let doctor = try ChildProcess.run(Checkout.retake, ["doctor", "--json"])
    #expect(try problems(doctor.text, "doctor") == "")
  }

  @Test func `the checker finds what is missing, undocumented or of another type`() throws {
    let text = try CommandLineTool.run(["verify", recording, "--json"]).text
    #expect(try problems(text, "verify") == "")
    for (old, new, words) in [
      ("\"format_version\":1", "\"format_version\":2", "format_version is 2"),
      ("\"is_whole\":true", "\"is_whole\":1", "is_whole is 1, not boolean"),
      ("\"is_whole\":true,", "", "has no is_whole"), ("\"is_whole\"", "\"is_hole\"", "undocumented member is_hole"),
    ] {
      #expect(try problems(text.replacing(old, with: new), "verify").contains(words), "\(words)")
    }
  }

  @Test func `every schema is tested here`() throws {
    // Of what needs a driver, a case of the VM checks the real output.
    let source =
      try String(contentsOfFile: #filePath, encoding: .utf8)
      + String(contentsOfFile: Checkout.root + "/Tools/rigs/vm-test/cases/vivid_raw.py", encoding: .utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.schemas) where name.hasSuffix(".json") {
      let isNamed = source.contains("\"\(name.dropLast(5))\"") || source.contains("/Schemas/\(name)")
      #expect(isNamed, "\(name) is not tested")
    }
  }
}
