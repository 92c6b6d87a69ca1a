import BugBundles
import ChunkFormat
import CommandTestSupport
import Foundation
import FrameModel
import Kernels
import RecordingStore
import Support
import TestSupport
import Testing

/// What `retake reproduce` says and returns, of good bundles and of bad ones.
@Suite(.long) struct ReproduceCommandTests {
  private let folder: TemporaryFolder
  private let bundle: String

  init() throws {
    folder = try TemporaryFolder()
    let recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=20&size=64x48")
    bundle = folder.path("b.retake-bundle")
    try CommandLineTool.run(
      ["bundle", recording, "--from", "5", "--to", "14", "--preset", "video-depth-maps", "-o", bundle, "--quiet"])
    try FileManager.default.removeItem(atPath: recording)
  }

  /// The bundle with another value for a parameter in what it describes and expects, and its checksums set right: as if
  /// another version had made it, whose output was another.
  private func changed(_ name: String, _ from: String, _ to: String, version: String? = "0.0.1") throws -> String {
    try rewritten { text in
      let (old, new) = ("\"\(name)\":\"\(from)\"", "\"\(name)\":\"\(to)\"")
      #expect(text.contains(old))
      let changed = text.replacing(old, with: new)
      return version.map { changed.replacing("\"version\":\"", with: "\"version\":\"\($0)-once-") } ?? changed
    }
  }

  /// The bundle with another header in what it describes and expects, and without so many of the last lines.
  private func rewritten(withoutLines cutCount: Int = 0, _ change: (String) throws -> String = { $0 }) throws -> String
  {
    let path = folder.path("changed-\(UUID().uuidString)")
    var parts = try parts()
    let old = try #require(parts[.expectation])
    let cut = try #require(old.firstIndex(of: UInt8(ascii: "\n")))
    var lines = old[(cut + 1)...].split(separator: UInt8(ascii: "\n"))
    lines.removeLast(cutCount)
    var new = Array(try change(String(decoding: old[..<cut], as: UTF8.self)).utf8) + [UInt8(ascii: "\n")]
    for line in lines { new += Array(line) + [UInt8(ascii: "\n")] }
    let digests = [old, new].map { $0.withUnsafeBytes { Checksum.xxh3Hex128($0) } }
    let description = try change(String(decoding: try #require(parts[.description]), as: UTF8.self))
    parts[.expectation] = new
    parts[.description] = Array(description.replacing(digests[0], with: digests[1]).utf8)
    try write(parts, to: path)
    return path
  }

  private func parts() throws -> [BundlePart: [UInt8]] {
    var parts: [BundlePart: [UInt8]] = [:]
    _ = try BundleReader.read(FileSource(path: bundle), name: bundle) { part, bytes in parts[part] = Array(bytes) }
    return parts
  }

  private func write(_ parts: [BundlePart: [UInt8]], to path: String) throws {
    let sink = MemorySink()
    let writer = try BundleWriter(to: sink)
    for part in [BundlePart.description, .note, .parameters, .expectation, .chunkFile(0)] {
      try writer.add(part, try #require(parts[part]))
    }
    _ = try writer.finish()
    try Data(sink.bytes).write(to: URL(fileURLWithPath: path))
  }

  private var leftovers: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp"))
    }
  }

  private func reproduce(
    _ arguments: [String], expecting status: Int32, whileRunning: (Int32) throws -> Void = { _ in }
  ) throws -> ChildProcess {
    try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
    let result = try CommandLineTool.run(
      ["reproduce"] + arguments, expecting: status, environment: ["TMPDIR": folder.path("tmp")],
      whileRunning: whileRunning)
    let left = try leftovers
    #expect(left.isEmpty, "\(arguments) left \(left)")
    return result
  }

  @Test func `the same output is said to be so, on any number of threads`() throws {
    for threads in [[], ["--threads", "1"], ["--threads", "5"]] {
      let result = try reproduce([bundle] + threads, expecting: 0)
      #expect(result.text == "\(bundle): reproduced: 10 frames are as expected.\n")
    }
    let json = try CommandLineTool.json(reproduce([bundle, "--json"], expecting: 0).text)
    #expect(json["is_reproduced"] as? Bool == true && json["frames"] as? Int == 10)
    #expect(json["first_difference"] == nil && json["differing_frames"] as? Int == 0)
    #expect(try reproduce([bundle, "--quiet"], expecting: 0).text.isEmpty)
  }

  @Test func `commands on the recording in a bundle are advised where it is kept, not on a temporary folder`() throws {
    let plain = try CommandLineTool.recordSimulated(folder, "plain.retake", "frames=6&size=64x48&faces=0")
    let (path, kept) = (folder.path("plain.retake-bundle"), folder.path("plain"))
    try CommandLineTool.run(["bundle", plain, "-o", path])
    let errors = try reproduce([path], expecting: 0).errors
    #expect(!errors.contains("retake faces") && !errors.contains("/retake-reproduce"), "\(errors)")
    let advice = try reproduce([path, "--keep", kept], expecting: 0).errors
    #expect(advice.contains("'retake faces \(kept)/recording.retake'"), "\(advice)")
  }

  @Test func `another output fails, and names the first frame and stage`() throws {
    let other = try changed("matte.gamma", "1", "1.5")
    let result = try reproduce([other], expecting: 1)
    #expect(result.text.contains("Frame 5 differs, first in matte"), "\(result.text)\(result.errors)")
    #expect(result.errors.contains("--keep"))
    #expect(try reproduce([other, "--quiet"], expecting: 1).text.contains("first in matte"))
    let json = try CommandLineTool.json(reproduce([other, "--json"], expecting: 1).text)
    #expect(json["frame"] as? Int == 5 && json["stage"] as? String == "matte")
    #expect(json["differing_frames"] as? Int == 10 && json["is_as_expected"] as? Bool == false)
  }

  @Test func `a parameter that has no effect with the bundle's others is said to have none`() throws {
    let idle = try reproduce([bundle, "--set", "fault.color-burst=3"], expecting: 0)
    #expect(idle.text.contains("nothing changes"), "\(idle.text)")
    #expect(idle.errors.contains("fault.color-burst has no effect here: it needs"), "\(idle.errors)")
    // As the README shows it.
    let other = try reproduce([bundle, "--set", "depth.rate=1/3"], expecting: 1)
    #expect(!other.errors.contains("no effect"), "\(other.errors)")
  }

  @Test func `a wrong output that is documented is to become another`() throws {
    let same = try reproduce([bundle, "--expect-different"], expecting: 1)
    #expect(same.text.contains("an output that the bundle documents as wrong"))
    let other = try changed("matte.gamma", "1", "1.5")
    let result = try reproduce([other, "--expect-different"], expecting: 0)
    #expect(result.text.contains("Frame 5 differs, first in matte"))
    #expect(try reproduce([other, "--expect-different", "--quiet"], expecting: 0).text.isEmpty)
  }

  @Test func `a bundle of another version whose output is another is said to be one`() throws {
    let old = try changed("matte.gamma", "1", "1.5", version: "0.0.7")
    let result = try reproduce([old], expecting: 1)
    #expect(
      result.text.contains("first in matte") && result.errors.contains("made by Retake 0.0.7"), "\(result.errors)")
    // Whose output is the same has nothing to be said of it.
    let good = try changed("matte.gamma", "1", "1", version: "0.0.7")
    #expect(!(try reproduce([good], expecting: 0)).errors.contains("0.0.7"))
  }

  @Test func `parameters of this version that are not those of the digest are told from another output`() throws {
    let result = try reproduce([changed("matte.gamma", "1", "1.5", version: nil)], expecting: 1)
    #expect(result.text.isEmpty && result.errors.contains("digest of parameters"), "\(result.errors)")
  }

  @Test func `an expectation that was cut off is no difference`() throws {
    let cut = try rewritten(withoutLines: 1)
    let shorter = try rewritten(withoutLines: 4)
    for path in [cut, shorter] {
      for words in [[path], [path, "--expect-different"]] {
        let result = try reproduce(words, expecting: 1)
        #expect(result.errors.contains("\(path): expected.jsonl ends after frame"), "\(result.errors)")
        #expect(result.text.isEmpty)
      }
    }
  }

  @Test func `a replay ends where nothing more is expected of it`() throws {
    let path = try rewritten {
      $0.replacing(
        "\"parameters\":", with: "\"order\":{\"span\":10,\"every\":1,\"reversed\":false,\"passes\":100},\"parameters\":"
      )
    }
    let kept = folder.path("kept")
    let result = try reproduce([path, "--keep", kept], expecting: 1)
    #expect(result.text.contains("Frame 5 is present, but was not expected."), "\(result.text)\(result.errors)")
    let found = try String(contentsOfFile: kept + "/found.jsonl", encoding: .utf8)
    #expect(found.split(separator: "\n").count < 100, "it went on for all of its passes")
  }

  @Test func `a bundle that is kept has what came out beside what was expected, where it is another`() throws {
    let (kept, good) = (folder.path("kept"), folder.path("good"))
    let result = try reproduce([changed("matte.gamma", "1", "1.5"), "--keep", kept], expecting: 1)
    let (expected, found) = (kept + "/expected.jsonl", kept + "/found.jsonl")
    #expect(result.errors.contains("'retake compare \(expected) \(found)'"), "\(result.errors)")
    let compared = try CommandLineTool.run(["compare", expected, found], expecting: 1)
    #expect(compared.text.contains("frame 5, stage matte") && compared.text.contains("10 of 10"), "\(compared.text)")
    _ = try reproduce([bundle, "--keep", good], expecting: 0)
    #expect(!FileManager.default.fileExists(atPath: good + "/found.jsonl"))
  }

  @Test func `a stranger's words do not fill the screen, nor pass for what Retake says`() throws {
    let path = folder.path("talking")
    var parts = try parts()
    let removed = (0..<500).map { _ in "\"x\\nerror: \(String(repeating: "y", count: 1000))\"" }.joined(separator: ",")
    let note = "all is well\nerror: it is not"
    let description = String(decoding: try #require(parts[.description]), as: UTF8.self)
      .replacing("\"removed\":[]", with: "\"removed\":[\(removed)]")
      .replacing("\"note\":\"\"", with: "\"note\":\"\(note.replacing("\n", with: "\\n"))\"")
    parts[.description] = Array(description.utf8)
    parts[.note] = Array(note.utf8)
    try write(parts, to: path)
    let result = try reproduce([path], expecting: 0)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count < 30 && lines.allSatisfy { $0.count < 300 }, "\(lines.count) lines")
    #expect(lines.contains("  error: it is not") && !lines.contains { $0.hasPrefix("error:") })
    #expect(result.errors.contains("480 more"))
  }

  @Test func `several bundles are all tried`() throws {
    let other = try changed("matte.gamma", "1", "1.5")
    try Data("nothing".utf8).write(to: URL(fileURLWithPath: folder.path("none")))
    let result = try reproduce([folder.path("none"), other, bundle], expecting: 1)
    #expect(result.text.contains("first in matte") && result.text.contains("reproduced: 10 frames"))
    #expect(result.errors.contains("not a complete bug bundle"))
    let lines = try CommandLineTool.jsonLines(
      reproduce([folder.path("none"), bundle, "--json"], expecting: 1).text)
    #expect(lines.count == 2 && lines[0]["error"] != nil && lines[1]["is_reproduced"] as? Bool == true)
    _ = try reproduce([bundle, bundle], expecting: 0)
    let alone = try CommandLineTool.json(reproduce([folder.path("none"), "--json"], expecting: 1).text)
    #expect((alone["error"] as? String)?.contains("not a complete bug bundle") == true)
  }

  @Test func `what is no bundle gets one sentence and the next step`() throws {
    let cut = folder.path("cut")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: bundle))
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: cut))
    for (words, status, said) in [
      ([cut], 1, "it is truncated"), ([folder.path("none")], 1, "none"),
      ([folder.path], 1, "is not a bug bundle: it is a folder"),
      ([], 64, "bundle"),
      (["/dev/null"], 1, "is not a regular file"), ([bundle, bundle, "--keep", folder.path("k")], 64, "--keep"),
      ([bundle, "--threads", "0"], 64, "--threads"), ([bundle, "--keep", folder.path], 1, "not empty"),
    ] as [([String], Int32, String)] {
      let result = try reproduce(words, expecting: status)
      #expect(result.errors.contains(said), "\(words): \(result.errors)")
      #expect(result.text.isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("k")))
  }

  @Test func `a recording in it that is damaged is not replayed`() throws {
    let path = folder.path("damaged")
    var parts = try parts()
    let middle = try #require(parts[.chunkFile(0)]).count / 2
    parts[.chunkFile(0)]?[middle] ^= 255
    try write(parts, to: path)
    let result = try reproduce([path], expecting: 1)
    #expect(result.errors.contains("damaged"), "\(result.errors)")
  }

  @Test func `PyPI's mcap reads it`() throws {
    let script = """
      import sys
      from mcap.reader import make_reader
      with open(sys.argv[1], "rb") as f:
          reader = make_reader(f, validate_crcs=True)
          assert reader.get_header().profile == "retake-bundle"
          print(*[a.name for a in reader.iter_attachments()])
      """
    let result = try ChildProcess.run(Checkout.python, ["-c", script, bundle])
    #expect(
      result.text == "bundle.json note.txt parameters.yaml expected.jsonl chunks/000000.mcap\n", "\(result.errors)")
  }

  @Test func `Ctrl-C leaves nothing behind`() throws {
    let recording = try CommandLineTool.recordSimulated(folder, "long.retake", "frames=400&size=320x240")
    let long = folder.path("long.retake-bundle")
    try CommandLineTool.run(["bundle", recording, "-o", long, "--quiet"])
    let result = try reproduce([long, "--threads", "1"], expecting: 1) { process in
      // Once it has something to leave behind.
      for _ in 0..<60_000 {
        if try !leftovers.isEmpty { break }
        usleep(1000)
      }
      kill(process, SIGINT)
    }
    #expect(result.errors.contains("Stopped"), "\(result.errors)")
  }
}
