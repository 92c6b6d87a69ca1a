import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Checksums of a recording's files, which sha256sum reads and writes too.
@Suite(.long) struct VerifyManifestTests {
  private let folder: TemporaryFolder
  private let recording: String
  private var manifest: String { folder.path("a.sha256") }

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=4&size=64x48")
    try CommandLineTool.run(["tag", recording, "dark"])
  }

  private func shell(_ command: String) throws -> ChildProcess {
    try ChildProcess.run("/bin/sh", ["-c", "cd '\(recording)' && \(command)"])
  }

  @Test func `sha256sum accepts what is written, and verify what sha256sum writes`() throws {
    try CommandLineTool.run(["verify", recording, "--write-manifest", manifest])
    let checked = try shell("sha256sum -c --strict '\(manifest)'")
    #expect(checked.status == 0, "\(checked.errors)")
    #expect(checked.text.contains("chunks/000000.mcap: OK") && checked.text.contains("tags.json: OK"))
    try CommandLineTool.run(["verify", recording, "--manifest", manifest])
    // In the folder itself, and with names as find gives them.
    #expect(try shell("find . -type f ! -name SUMS -exec sha256sum -b {} + > SUMS").status == 0)
    try CommandLineTool.run(["verify", recording, "--manifest", recording + "/SUMS"])
  }

  @Test func `a file that was changed, added or removed is named`() throws {
    try CommandLineTool.run(["verify", recording, "--write-manifest", manifest])
    let replaced = recording + "/tags.json"
    let text = try String(contentsOfFile: replaced, encoding: .utf8)
    try Data(text.replacing("dark", with: "lamp").utf8).write(to: URL(fileURLWithPath: replaced))
    try Data("x".utf8).write(to: URL(fileURLWithPath: recording + "/chunks/note.txt"))
    let result = try CommandLineTool.run(["verify", recording, "--manifest", manifest], expecting: 1)
    #expect(result.text.contains("tags.json: The file differs from the manifest."), "\(result.text)")
    #expect(result.text.contains("chunks/note.txt: The file is not in the manifest."))
    try FileManager.default.removeItem(atPath: replaced)
    let missing = try CommandLineTool.run(["verify", recording, "--manifest", manifest, "--json"], expecting: 1)
    #expect(missing.text.contains("The file is in the manifest, but not there."))
  }

  @Test func `a manifest is not replaced without being asked, and not written of damage`() throws {
    try CommandLineTool.run(["verify", recording, "--write-manifest", manifest])
    let refused = try CommandLineTool.run(["verify", recording, "--write-manifest", manifest], expecting: 1)
    #expect(refused.errors.contains("already exists"))
    try CommandLineTool.run(["verify", recording, "--write-manifest", manifest, "--force"])
    let chunk = recording + "/chunks/000000.mcap"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: chunk))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: chunk))
    let other = folder.path("b.sha256")
    let result = try CommandLineTool.run(["verify", recording, "--write-manifest", other], expecting: 1)
    #expect(result.errors.contains("was not written"))
    #expect(!FileManager.default.fileExists(atPath: other))
    let found = try CommandLineTool.run(["verify", recording, "--manifest", manifest], expecting: 1)
    #expect(found.text.contains("chunks/000000.mcap: The file differs from the manifest."))
  }

  @Test(arguments: [
    "", "hello\n", String(repeating: "0", count: 64) + "  ../secret\n", String(repeating: "g", count: 64) + "  a\n",
  ])
  func `what is no manifest is one sentence`(text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: manifest))
    let result = try CommandLineTool.run(["verify", recording, "--manifest", manifest], expecting: 1)
    #expect(result.errors.contains("a.sha256") && result.errors.contains("hint: "), "\(result.errors)")
    try CommandLineTool.run(["verify", recording, recording, "--manifest", manifest], expecting: 64)
  }
}
