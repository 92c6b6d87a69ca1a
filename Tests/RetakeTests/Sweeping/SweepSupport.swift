import CommandTestSupport
import Foundation
import Sweeps
import TestSupport
import Testing

/// A small recording and what sweeps make of it.
struct SweptFolder {
  let folder: TemporaryFolder
  let recording: String

  init(_ options: String = "frames=20&size=160x120") throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", options)
  }

  func path(_ name: String) -> String { folder.path(name) }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func write(_ text: String, _ name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  /// Sweeps over the recording, into a file of that name.
  @discardableResult
  func sweep(
    _ words: [String], to name: String = "r.sqlite", expecting status: Int32 = 0,
    location: SourceLocation = #_sourceLocation, whileRunning: (Int32) throws -> Void = { _ in }
  ) throws -> ChildProcess {
    try CommandLineTool.run(
      ["sweep", recording] + words + ["-o", path(name)], expecting: status, location: location,
      whileRunning: whileRunning)
  }

  /// A line of a shell in this folder, where `retake` is the build's.
  @discardableResult
  func shell(_ line: String, expecting status: Int32 = 0, location: SourceLocation = #_sourceLocation) throws
    -> ChildProcess
  {
    let script = "set -e; cd \"$1\"; retake() { \"$RETAKE\" \"$@\"; }; eval \"$2\""
    let result = try ChildProcess.run(
      "/bin/bash", ["-c", script, "bash", folder.path, line], environment: ["RETAKE": Checkout.retake])
    #expect(result.status == status, "\(line) said: \(result.errors)", sourceLocation: location)
    return result
  }

  /// Rows of `sweep table --json`.
  func rows(_ name: String = "r.sqlite") throws -> [[String: Any]] {
    let text = try CommandLineTool.run(["sweep", "table", path(name), "--json"]).text
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
  }

  /// The digest of the parameters of a replay with a file of them.
  func parameterDigest(_ words: [String]) throws -> String {
    let lines = try CommandLineTool.run(["replay", recording, "--output", "digests:-", "--to", "1"] + words).text
    let header = try CommandLineTool.json(String(lines.prefix { $0 != "\n" }))
    return try #require(header["parameter_digest"] as? String)
  }
}

/// That two files of results say the same of their sweep, their runs and all frames; what runs cost is left out.
func expectSameContents(
  _ a: String, _ b: String, _ seen: String, location: SourceLocation = #_sourceLocation
) throws {
  let (first, second) = (try SweepResultsFile.open(a), try SweepResultsFile.open(b))
  #expect(first.identity.digest == second.identity.digest, "\(seen)", sourceLocation: location)
  let keys = try first.finishedRuns()
  #expect(try keys == second.finishedRuns(), "\(seen)", sourceLocation: location)
  let other = try keys.filter { try first.run($0)?.outcome != second.run($0)?.outcome }
  #expect(other.isEmpty, "\(seen)", sourceLocation: location)
}
