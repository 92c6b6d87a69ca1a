import BugBundles
import Foundation
import FrameModel
import Support
import TestSupport
import Testing

/// Where a bundle is written: nothing that is there is touched.
@Suite struct BundleOutputTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("b.retake-bundle")
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func make(_ text: String) throws(RetakeError) {
    let output = try BundleOutput(path: path)
    try Array(text.utf8).withRawBytes { bytes throws(RetakeError) in try output.write(bytes) }
    try output.publish()
  }

  private func failure(_ body: () throws(RetakeError) -> Void) -> RetakeError? {
    do throws(RetakeError) { try body() } catch { return error }
    return nil
  }

  @Test func `a file gets its name and its bytes, and leaves nothing beside it`() throws {
    try write("mine", to: path + ".partial")
    try make("bundle")
    #expect(try text(path) == "bundle")
    #expect(try text(path + ".partial") == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test func `what a killed process left beside a bundle goes with the next one, and nothing else does`() throws {
    let manager = FileManager.default
    let abandoned = folder.path("other.retake-bundle.work-aB3dE6")
    try manager.createDirectory(atPath: abandoned + "/recording.retake", withIntermediateDirectories: true)
    try write("part", to: abandoned + "/bundle")
    // Other names, a file, and a folder that is in use.
    let kept = ["a.retake-bundle.work-aB3dE", "a.retake-bundle.work-aB3dE_", "x.work-aB3dE6", "retake-bundle"]
    for name in kept { try manager.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true) }
    try write("mine", to: folder.path("b.retake-bundle.work-123456"))
    try manager.createSymbolicLink(
      atPath: folder.path("c.retake-bundle.work-123456"), withDestinationPath: folder.path("retake-bundle"))
    let used = try ScratchFolder(prefix: folder.path("u.retake-bundle.work-"), family: ".retake-bundle.work-")
    try make("bundle")
    #expect(!manager.fileExists(atPath: abandoned))
    for path in [used.path, folder.path("b.retake-bundle.work-123456"), folder.path("c.retake-bundle.work-123456")] {
      #expect(manager.fileExists(atPath: path), "\(path)")
    }
    for name in kept { #expect(manager.fileExists(atPath: folder.path(name)), "\(name)") }
    withExtendedLifetime(used) {}
  }

  @Test func `a bundle is its owner's alone unless it is to be shared`() throws {
    try make("bundle")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    let shared = folder.path("s.retake-bundle")
    let output = try BundleOutput(path: shared, isShared: true)
    try output.publish()
    let other = folder.path("other")
    close(open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
    let permissions = try [shared, other].map {
      try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
    }
    #expect(permissions[0] == permissions[1])
  }

  @Test func `a symbolic link that leads nowhere is something, too`() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path("none"))
    let error = failure { () throws(RetakeError) in try make("bundle") }
    #expect(error?.message == "\(path) already exists.", "\(String(describing: error))")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == folder.path("none"))
  }

  @Test func `what was made while the bundle was written stays`() throws {
    let output = try BundleOutput(path: path)
    try write("mine", to: path)
    let error = failure { () throws(RetakeError) in try output.publish() }
    #expect(error?.message == "\(path) already exists.", "\(String(describing: error))")
    #expect(try text(path) == "mine")
  }

  @Test func `a file in the place of the folder is named`() throws {
    try write("mine", to: folder.path("file"))
    let error = failure { () throws(RetakeError) in
      try BundleOutput.checkIsFree(folder.path("file/new/b.retake-bundle"))
    }
    let message = "\(folder.path("file")) is not a folder"
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(try text(folder.path("file")) == "mine")
  }
}
