import Foundation
import TestSupport
import Testing

/// `Tools/test` in a clone that has no real data beside it.
@Suite(.long) struct TestCommandTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Runs the script where nothing but itself is there.
  private func run(_ environment: [String: String], _ arguments: [String] = []) throws -> ChildProcess {
    let tools = folder.path("clone/Tools")
    try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Checkout.root + "/Tools/test", toPath: tools + "/test")
    return try ChildProcess.run(tools + "/test", arguments, environment: environment)
  }

  @Test func `a clone without fixtures is told at once that their tests are left out`() throws {
    let result = try run(["CI": ""])
    let lines = result.errors.split(separator: "\n")
    #expect(lines.first?.contains("left out: the tests that need ../shared/fixtures") == true, "\(result.errors)")
    // It goes on, to a set-up that this clone does not have.
    #expect(result.errors.contains("Tools/setup"), "\(result.errors)")
  }

  @Test func `CI without fixtures fails at once`() throws {
    let result = try run(["CI": "true"])
    #expect(result.status == 1 && result.text.isEmpty)
    #expect(result.errors == "Tools/test: ../shared/fixtures is missing, and CI requires it.\n")
  }

  @Test func `a room without tests is refused with its exit code, and no file is left`() throws {
    let temporary = folder.path("temporary")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let result = try run(["CI": "", "TMPDIR": temporary], ["--quick", "NoSuchRoom"])
    #expect(result.status == 64 && result.errors.contains("there is no Tests/NoSuchRoomTests"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
  }
}
