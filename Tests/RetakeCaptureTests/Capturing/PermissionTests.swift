import Foundation
import TestSupport
import Testing

/// Recordings and bundles show people: who may read them.
@Suite(.long) struct PermissionTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String], umask: String) throws {
    let result = try ChildProcess.run(
      "/bin/sh", ["-c", "umask \(umask); exec \"$0\" \"$@\"", Checkout.retake] + arguments)
    #expect(result.status == 0, "\(result.errors)")
  }

  private func permissions(_ path: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  /// Of a folder and all that is in it: those of folders, and those of files.
  private func all(_ path: String) throws -> [Set<Int>] {
    var (folders, files): (Set<Int>, Set<Int>) = ([try permissions(path)], [])
    for name in FileManager.default.enumerator(atPath: path)! {
      let inner = "\(path)/\(name)"
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: inner, isDirectory: &isFolder)
      if isFolder.boolValue { folders.insert(try permissions(inner)) } else { files.insert(try permissions(inner)) }
    }
    return [folders, files]
  }

  private func record(_ name: String, _ more: [String] = [], umask: String) throws -> String {
    let path = folder.path(name)
    let device = "simulated?pace=fast&frames=6&faces=0"
    try run(["record", "--device", device, "-o", path, "--keep-free", "0"] + more, umask: umask)
    return path
  }

  @Test func `a recording is its owner's alone, and stays so with what is added to it`() throws {
    let path = try record("a.retake", umask: "022")
    #expect(try all(path) == [[0o700], [0o600]])
    try run(["mark", path, "--label", "fall", "--at", "0.1s"], umask: "022")
    try run(["faces", path], umask: "022")
    try run(["recover", path], umask: "022")
    #expect(try all(path) == [[0o700], [0o600]])
    let part = folder.path("part.retake")
    try run(["trim", path, "--from", "0", "--to", "3", "-o", part], umask: "022")
    #expect(try all(part) == [[0o700], [0o600]])
    let packed = folder.path("packed.retake")
    try run(["pack", path, "-o", packed], umask: "022")
    #expect(try all(packed) == [[0o700], [0o600]])
    // An empty folder that is there is no wider.
    try FileManager.default.createDirectory(atPath: folder.path("b.retake"), withIntermediateDirectories: true)
    #expect(try all(record("b.retake", umask: "022")) == [[0o700], [0o600]])
  }

  @Test func `a recording that is to be shared is as the umask says, and stays so with what others add to it`() throws {
    let path = try record("a.retake", ["--shared"], umask: "022")
    #expect(try all(path) == [[0o755], [0o644]])
    try run(["mark", path, "--label", "fall", "--at", "0.1s"], umask: "077")
    try run(["faces", path], umask: "077")
    try run(["recover", path], umask: "077")
    #expect(try all(path) == [[0o755], [0o644]])
    #expect(try all(record("b.retake", ["--shared"], umask: "027")) == [[0o750], [0o640]])
    #expect(try all(record("c.retake", ["--shared"], umask: "077")) == [[0o700], [0o600]])
  }

  @Test func `a bundle is its owner's alone, and what is unpacked of it, unless they are to be shared`() throws {
    let path = try record("a.retake", umask: "022")
    let bundle = folder.path("a.retake-bundle")
    try run(["bundle", path, "--from", "0", "--to", "3", "-o", bundle], umask: "022")
    #expect(try permissions(bundle) == 0o600)
    try run(["reproduce", bundle, "--keep", folder.path("kept")], umask: "022")
    #expect(try all(folder.path("kept")) == [[0o700], [0o600]])
    let shared = folder.path("shared.retake-bundle")
    try run(["bundle", path, "--from", "0", "--to", "3", "-o", shared, "--shared"], umask: "022")
    #expect(try permissions(shared) == 0o644)
    try run(["reproduce", shared, "--keep", folder.path("open"), "--shared"], umask: "022")
    #expect(try all(folder.path("open")) == [[0o755], [0o644]])
  }
}
