import Foundation
import TestSupport
import Testing

/// A picture as a writer gave it, or as an independent reader found it in a recording.
package struct ForeignFrame: Hashable {
  package var format: String
  package var tick: Int?
  package var sha256: String
  package var flags: Int

  package init(_ line: [String: Any]) throws {
    format = try #require(line["format"] as? String)
    tick = line["tick"] as? Int
    sha256 = try #require(line["sha256"] as? String)
    flags = try #require(line["flags"] as? Int)
  }
}

/// Files that other programs write, and recordings that they read.
package enum ForeignFiles {
  /// - Returns: what is in the file, a line for each picture in the file's order.
  package static func writeMCAP(_ path: String, _ name: String, compression: String = "zstd") throws -> [[String: Any]]
  {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_foreign_mcap.py"
    let result = try ChildProcess.run(Checkout.python, [script, path, name, compression])
    #expect(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text)
  }

  /// A bag that PyPI's rosbags writes.
  /// - Returns: what is in it, a line for each picture in its order.
  package static func writeBag(_ path: String, _ container: String, _ name: String) throws -> [[String: Any]] {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/write_ros_bags.py"
    let result = try ChildProcess.run(Checkout.python, [script, path, container, name])
    #expect(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text)
  }

  /// - Returns: what ffmpeg wrote to its standard output.
  @discardableResult
  package static func ffmpeg(_ arguments: [String], location: SourceLocation = #_sourceLocation) throws -> String {
    let result = try ChildProcess.run("/usr/bin/env", ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments)
    try #require(result.status == 0, "\(result.errors)", sourceLocation: location)
    return result.text
  }

  /// Every frame of a recording, read with Python.
  package static func read(_ recording: String) throws -> [[String: Any]] {
    let script = Checkout.root + "/Tests/RetakeInterchangeTests/read_imported.py"
    let result = try ChildProcess.run(Checkout.python, [script, recording])
    #expect(result.status == 0, "\(result.errors)")
    return try CommandLineTool.jsonLines(result.text)
  }

  package static func byTopic(_ lines: [[String: Any]]) throws -> [String: [ForeignFrame]] {
    try Dictionary(grouping: lines) { $0["topic"] as? String ?? "" }.mapValues { try $0.map { try ForeignFrame($0) } }
  }

  @discardableResult
  package static func importFile(
    _ path: String, to recording: String, _ options: [String] = [], expecting status: Int32 = 0,
    location: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess {
    try CommandLineTool.run(
      ["import", path, "-o", recording, "--keep-free", "0"] + options, expecting: status, location: location)
  }

  /// Every file of a recording but the index, whose pages SQLite lays out; its contents follow from them.
  package static func chunkFiles(_ recording: String) throws -> [String: Data] {
    let folder = recording + "/chunks"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0))) })
  }
}
