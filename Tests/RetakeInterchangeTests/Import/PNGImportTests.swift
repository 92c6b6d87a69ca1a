import CommandTestSupport
import Foundation
import RecordingStore
import TestSupport
import Testing

/// Folders of pictures: what `retake export png` made comes back, and what a folder does not say is asked for.
@Suite(.long) struct PNGImportTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func export(_ recording: String, _ name: String, _ options: [String] = []) throws -> String {
    let path = folder.path(name)
    try CommandLineTool.run(["export", "png", recording, "-o", path, "--quiet"] + options)
    return path
  }

  /// Every file of a folder by its path within.
  private func files(_ path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try #require(FileManager.default.subpaths(atPath: path)) where name.contains(".") {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    }
    return files
  }

  private func times(_ recording: String) throws -> [[String]] {
    let recording = try Recording(path: recording)
    return try recording.streams.indices.map { stream in
      try recording.frameRows(stream: stream, from: 0, limit: 100).map { "\($0.timestamps) \($0.flags)" }
    }
  }

  @Test func `exported PNGs come back with equal pixels, times and streams`() throws {
    let source = try CommandLineTool.recordSimulated(
      folder, "a.retake",
      "frames=14&size=65x48&depth-size=64x48&depth-fps=10&jitter=4000&drift=120&late=0.1&duplicate=0.1")
    let imported = folder.path("b.retake")
    try ForeignFiles.importFile(try export(source, "png"), to: imported)
    #expect(try times(imported) == times(source))
    for stream in ["color", "depth", "alpha"] {
      #expect(
        areSame(try RecordedFrames.bytes(of: stream, in: imported), try RecordedFrames.bytes(of: stream, in: source)))
    }
    let (before, after) = (try Recording(path: source), try Recording(path: imported))
    #expect(after.streams == before.streams)
    #expect(try after.frameSetCount() == before.frameSetCount())
    #expect(try Verification.run(after).isWhole)
  }

  @Test(arguments: ["mm", "raw"]) func `a Kinect's depth comes back as it was exported`(depth: String) throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=64x48&depth=raw11&format=GRBG8")
    let exported = try export(source, "png", ["--depth", depth])
    let imported = folder.path("b.retake")
    try ForeignFiles.importFile(exported, to: imported)
    // Exported again, every file is the same.
    let again = try export(imported, "again", ["--depth", depth])
    #expect(areSame(try files(again), try files(exported)))
  }

  @Test func `frames that an export lacks, or whose files are damaged, are counted`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=6&size=64x48&alpha=0")
    let exported = try export(source, "png")
    try Data("no picture".utf8).write(to: URL(fileURLWithPath: exported + "/color/000003.png"))
    try FileManager.default.removeItem(atPath: exported + "/depth/000001.png")
    try FileManager.default.createDirectory(atPath: exported + "/more", withIntermediateDirectories: false)
    let imported = folder.path("b.retake")
    let result = try ForeignFiles.importFile(exported, to: imported, expecting: 3)
    #expect(result.errors.contains("left out \(exported)/more"))
    #expect(result.errors.contains("/depth/000001.png") || result.errors.contains("/color/000003.png"))
    let summary = try Recording(path: imported).summary()
    #expect(summary.streams.map(\.frameCount) == [5, 5])
    let lost = summary.losses.filter { $0.reason == "dropped" }
    #expect(lost.map { "\($0.stream) \($0.count)" } == ["0 1", "1 1"])
  }

  @Test func `what no export wrote is refused with its place`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=2&size=64x48&alpha=0")
    let exported = try export(source, "png")
    func expectError(_ words: [String], status: Int32 = 1, options: [String] = []) throws {
      let result = try ForeignFiles.importFile(exported, to: folder.path("no.retake"), options, expecting: status)
      for word in words + ["hint: "] { #expect(result.errors.contains(word), "no '\(word)' in: \(result.errors)") }
      #expect(!FileManager.default.fileExists(atPath: folder.path("no.retake")))
    }
    try expectError(["--scale"], status: 64, options: ["--scale", "1000"])
    let (streams, list) = (exported + "/streams.json", exported + "/color/frames.csv")
    let (json, lines) = (
      try String(contentsOfFile: streams, encoding: .utf8), try String(contentsOfFile: list, encoding: .utf8)
    )
    try lines.replacingOccurrences(of: "000001.png", with: "../x.png").write(
      toFile: list, atomically: true, encoding: .utf8)
    try expectError(["frames.csv, line 3"])
    try lines.write(toFile: list, atomically: true, encoding: .utf8)
    for (old, new) in [
      ("\"name\":\"color\"", "\"name\":\"../color\""), ("RGB24", "MJPG"), ("\"width\":64", "\"width\":\"\""),
    ] {
      try json.replacingOccurrences(of: old, with: new).write(toFile: streams, atomically: true, encoding: .utf8)
      try expectError(["streams.json"])
    }
    try json.replacingOccurrences(of: "\"version\":1", with: "\"version\":2").write(
      toFile: streams, atomically: true, encoding: .utf8)
    try expectError(["version 2"])
    // As earlier versions exported.
    try FileManager.default.removeItem(atPath: streams)
    try expectError(["streams.json is missing"])
  }

  @Test func `a scale that no list states is asked for, and what was not taken is named`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=64x48&alpha=0")
    let dataSet = folder.path("set")
    try CommandLineTool.run(["export", "tum", source, "-o", dataSet, "--scale", "1000"])
    try FileManager.default.createDirectory(atPath: dataSet + "/color", withIntermediateDirectories: false)
    // The list says 1000.
    let stated = folder.path("stated.retake")
    let result = try ForeignFiles.importFile(dataSet, to: stated)
    #expect(result.errors.contains("left out \(dataSet)/color"))
    #expect(
      areSame(try RecordedFrames.bytes(of: "depth", in: stated), try RecordedFrames.bytes(of: "depth", in: source)))

    let list = dataSet + "/depth.txt"
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    try lines.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
    let asked = try ForeignFiles.importFile(dataSet, to: folder.path("no.retake"), expecting: 64)
    #expect(asked.errors.contains("--scale") && asked.errors.contains("hint: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("no.retake")))
    let given = folder.path("given.retake")
    try ForeignFiles.importFile(dataSet, to: given, ["--scale", "1000"])
    #expect(areSame(try ForeignFiles.chunkFiles(given), try ForeignFiles.chunkFiles(stated)))
  }

  @Test func `frame numbers are not taken for seconds`() throws {
    let source = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=64x48&alpha=0")
    let exported = try export(source, "png")
    try FileManager.default.removeItem(atPath: exported + "/streams.json")
    for stream in ["color", "depth"] { try FileManager.default.removeItem(atPath: "\(exported)/\(stream)/frames.csv") }
    let result = try ForeignFiles.importFile(
      exported, to: folder.path("no.retake"), ["--scale", "1000"], expecting: 64)
    #expect(result.errors.contains("named by number") && result.errors.contains("hint: "))
  }
}
