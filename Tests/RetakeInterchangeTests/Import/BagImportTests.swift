import CommandTestSupport
import Foundation
import FrameModel
import RecordingStore
import TestSupport
import Testing

/// What PyPI's rosbags wrote as ROS 1 and ROS 2 do, `retake import` records, pixel for pixel.
@Suite(.long) struct BagImportTests {
  private let folder: TemporaryFolder
  private var source: String { folder.path("bag") }
  private var recording: String { folder.path("imported.retake") }
  init() throws { folder = try TemporaryFolder() }

  private func expectEqual(
    _ container: String, _ name: String, location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try ForeignFiles.writeBag(source, container, name)
    #expect(expected.count >= 24)
    try ForeignFiles.importFile(source, to: recording, location: location)
    let found = try ForeignFiles.read(recording)
    let (left, right) = (try ForeignFiles.byTopic(found), try ForeignFiles.byTopic(expected))
    for topic in right.keys { #expect(left[topic] == right[topic], "\(topic)", sourceLocation: location) }
    #expect(left.count == right.count, sourceLocation: location)
    // Arrivals are the bag's times, counted from the first.
    let logs = expected.compactMap { $0["log"] as? Int }
    #expect(
      found.compactMap { $0["arrival"] as? Int }.sorted() == logs.map { $0 - logs[0] }.sorted(),
      sourceLocation: location)
    try CommandLineTool.run(["verify", recording])
  }

  @Test(arguments: [
    "bag", "bag-bz2", "bag-lz4", "db3", "db3-message", "db3-file", "db3-split", "mcap", "mcap-message", "mcap-file",
    "mcap-split",
  ])
  func `every encoding comes over from every container`(container: String) throws {
    try expectEqual(container, "encodings")
  }

  @Test(arguments: ["bag", "db3-message", "mcap"])
  func `compressedDepth comes over as PNG, RVL and quantised`(container: String) throws {
    try expectEqual(container, "depths")
  }

  @Test(arguments: ["bag", "bag-lz4", "db3-message"])
  func `depth of RealSense's SDK keeps its counts and their unit`(container: String) throws {
    try expectEqual(container, "realsense")
    let opened = try Recording(path: recording)
    #expect(opened.streams.map(\.kind) == [.color, .depth, .infrared])
    #expect(opened.streams[1].settings[StreamDescription.depthUnit] == "100")
    // Shown and exported in millimetres.
    let pictures = folder.path("png")
    try CommandLineTool.run(["export", "png", recording, "-o", pictures])
    let script = """
      import cv2, glob, hashlib, sys
      import numpy as np
      for path in sorted(glob.glob(sys.argv[1] + "/depth/*.png")):
          print(int(cv2.imread(path, cv2.IMREAD_UNCHANGED).max()))
      """
    let maxima = try ChildProcess.run(Checkout.python, ["-c", script, pictures]).text.split(separator: "\n")
    // 10399 counts at most, of a tenth of a millimetre.
    #expect(maxima.count == 8 && maxima.allSatisfy { (1000...1040).contains(Int($0) ?? 0) }, "\(maxima)")
  }

  @Test func `a bag that was not closed is read without its index`() throws {
    let expected = try ForeignFiles.writeBag(source, "bag-lz4", "depths")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    // The field's name, "=", and the offset of the index, which ROS writes at the end.
    let field = try #require(bytes.range(of: Data("index_pos=".utf8)))
    let digits = bytes[field.upperBound..<field.upperBound + 8]
    let position = digits.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
    bytes.replaceSubrange(field.upperBound..<field.upperBound + 8, with: Data(count: 8))
    try bytes.prefix(position).write(to: URL(fileURLWithPath: source))
    let result = try ForeignFiles.importFile(source, to: recording)
    #expect(result.errors.contains("was not closed"))
    #expect(try ForeignFiles.byTopic(ForeignFiles.read(recording)) == ForeignFiles.byTopic(expected))
  }

  @Test func `a database with a write-ahead log is read, and stays as it is`() throws {
    let expected = try ForeignFiles.writeBag(source, "db3", "depths")
    let script = """
      import os, shutil, sqlite3, sys
      path = sys.argv[1]
      database = sqlite3.connect(path)
      database.execute("PRAGMA journal_mode = WAL")
      database.execute("PRAGMA wal_autocheckpoint = 0")
      rows = list(database.execute("SELECT id, topic_id, timestamp, data FROM messages ORDER BY id DESC LIMIT 10"))
      with database:
          database.execute("DELETE FROM messages WHERE id >= ?", (rows[-1][0],))
      database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      with database:
          database.executemany("INSERT INTO messages VALUES (?, ?, ?, ?)", rows)
      # As a kill leaves it.
      for end in ["", "-wal"]:
          shutil.copy(path + end, path + end + ".copy")
      database.close()
      for end in ["", "-wal"]:
          os.replace(path + end + ".copy", path + end)
      """
    let database = source + "/bag.db3"
    let made = try ChildProcess.run(Checkout.python, ["-c", script, database])
    try #require(made.status == 0, "\(made.errors)")
    let before = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: database + $0)) }
    #expect(before[1].count > 10_000)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: source)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: source) }
    try ForeignFiles.importFile(database, to: recording)
    #expect(try ForeignFiles.byTopic(ForeignFiles.read(recording)) == ForeignFiles.byTopic(expected))
    #expect(try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: database + $0)) } == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: source).sorted()
    #expect(names == ["bag.db3", "bag.db3-wal", "metadata.yaml"])
  }

  @Test func `of a split bag, a file that is missing is named and its frames are counted`() throws {
    let expected = try ForeignFiles.writeBag(source, "db3-split", "depths")
    try FileManager.default.removeItem(atPath: source + "/bag_1.db3")
    let result = try ForeignFiles.importFile(source, to: recording, expecting: 3)
    #expect(result.errors.contains("bag_1.db3 is missing"), "\(result.errors)")
    let losses = try Recording(path: recording).summary().losses.filter { $0.reason == "dropped" }
    #expect(losses.reduce(0) { $0 + $1.count } == expected.count / 2)
    #expect(try ForeignFiles.read(recording).count == expected.count / 2)
  }

  @Test func `a database that is no bag, and a bag of another version, are refused`() throws {
    let text = folder.path("a.db3")
    func expect(_ words: [String], location: SourceLocation = #_sourceLocation) throws {
      let result = try ForeignFiles.importFile(text, to: recording, expecting: 1, location: location)
      for word in words + ["error: ", "hint: "] {
        #expect(result.errors.contains(word), "no '\(word)' in: \(result.errors)", sourceLocation: location)
      }
    }
    let other = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    let views = "CREATE TABLE topics(id, name, type, serialization_format); CREATE VIEW messages AS SELECT 1 AS id"
    for sql in ["CREATE TABLE a(b)", views] {
      try? FileManager.default.removeItem(atPath: text)
      _ = try ChildProcess.run(Checkout.python, ["-c", other, text, sql])
      try expect(["no table '\(sql == views ? "messages" : "topics")'"])
    }
    try Data("#ROSBAG V1.2\n".utf8).write(to: URL(fileURLWithPath: text))
    try expect(["version other than 2.0"])
    try Data("SQLite format 3\0".utf8).write(to: URL(fileURLWithPath: text))
    try expect(["a.db3"])
  }
}
