import Foundation
import FrameModel
import RecordingStore
import Support
import TestSupport
import Testing

/// A stranger's recording may have symbolic links into another recording.
@Suite struct LinkedRecordingTests {
  private let folder: TemporaryFolder
  private let mine: String
  private let linked: String

  init() throws {
    folder = try TemporaryFolder()
    mine = folder.path("mine.retake")
    linked = folder.path("linked.retake")
    try SmallRecording.copy(to: mine)
    try SmallRecording.copy(to: linked)
  }

  private func link(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(linked)/\(name)")
    try FileManager.default.createSymbolicLink(atPath: "\(linked)/\(name)", withDestinationPath: "\(mine)/\(name)")
  }

  @Test(arguments: [["index.sqlite"], ["chunks"], ["index.sqlite", "chunks"]])
  func `nothing is changed through a link to another recording's files`(names: [String]) throws {
    let before = try SmallRecording.files(mine)
    for name in names { try link(name) }
    let recording = try Recording(path: linked)
    let mark = try Mark(label: "planted", presentation: PresentationTime(nanoseconds: 0))
    let changes: [() throws -> Void] = [
      { try MarkEditor.add([mark], to: recording) },
      { _ = try FaceEditor.run(recording, StubObserver("other"), replaces: true) },
      { _ = try TagFile(recording.folder).change { tags throws(RetakeError) in try tags.set("planted") } },
      { _ = try Repair.run(path: linked) },
    ]
    for change in changes {
      let error = #expect(throws: RetakeError.self) { try change() }
      #expect(error?.message.contains(" is a symbolic link, so \(linked) is not changed.") == true)
      #expect(error?.hint.isEmpty == false)
    }
    #expect(try SmallRecording.files(mine) == before)
  }

  @Test func `a recording is changed under a link to its folder`() throws {
    let other = folder.path("other.retake")
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: mine)
    try MarkEditor.add(
      [Mark(label: "late", presentation: PresentationTime(nanoseconds: 0))], to: Recording(path: other))
    #expect(try Recording(path: mine).marks().map(\.label) == ["late"])
    #expect(try Verification.run(Recording(path: mine)).isWhole)
  }

  @Test(arguments: ["-wal", "-shm"])
  func `a link in place of the index's log is named with what to do`(suffix: String) throws {
    let path = "\(mine)/index.sqlite\(suffix)"
    try FileBytes.write(Array("junk".utf8), to: folder.path("junk"))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("junk"))
    let error = #expect(throws: RetakeError.self) { _ = try Recording(path: mine) }
    #expect(error?.message == "\(path) is not a regular file.")
    #expect(error?.hint.hasPrefix("move it away") == true)
    let refused = #expect(throws: RetakeError.self) { _ = try Repair.run(path: mine) }
    #expect(refused?.message == "\(path) is a symbolic link, so \(mine) is not changed.")
    #expect(refused?.hint.hasPrefix("move the link away") == true)
    try FileManager.default.removeItem(atPath: path)
    #expect(try Repair.run(path: mine).isLossless)
  }

  @Test(arguments: ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm", "index.sqlite.rebuilding"])
  func `a folder in place of a file of the index is named with what to do`(name: String) throws {
    let path = "\(mine)/\(name)"
    if name == "index.sqlite" { try FileManager.default.removeItem(atPath: path) }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let error = #expect(throws: RetakeError.self) { _ = try Repair.run(path: mine) }
    #expect(error?.message == "\(path) is not a regular file.")
    #expect(error?.hint.hasPrefix("move it away") == true)
    try FileManager.default.removeItem(atPath: path)
    #expect(try Repair.run(path: mine).isLossless)
  }
}
