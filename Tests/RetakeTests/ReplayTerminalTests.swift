import Foundation
import Glibc
import TestSupport
import Testing

/// A replay that is ended, stopped and sent to the background by others leaves the terminal to them.
@Suite struct ReplayTerminalTests {
  private let folder: TemporaryFolder
  private let recording: String

  init() throws {
    folder = try TemporaryFolder()
    recording = try CommandLineTool.recordSimulated(folder, "a.retake", "frames=3&size=32x24")
  }

  /// The replay's own process, not the shell's that began it.
  private func replayProcess() throws -> Int32 {
    let program = try Checkout.retake
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let process = Int32(name) else { continue }
      let words = Self.commandLine(process)
      if words.first == program && words.contains(recording) { return process }
    }
    throw ChildProcess.Missing(description: "There is no replay of \(recording).")
  }

  /// Empty for a process that is gone.
  private static func commandLine(_ process: Int32) -> [String] {
    let file = open("/proc/\(process)/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [SIGUSR1, SIGUSR2])
  func `a signal that ends it leaves the terminal as it was`(number: Int32) throws {
    let player = try TerminalProcess(
      ["replay", recording, "--paused", "--output", "none"], after: "echo \"ended $?\"; stty -a")
    try player.wait(for: "1/3  frame 0")
    #expect(kill(try replayProcess(), number) == 0)
    _ = try player.end()
    #expect(player.output.contains("ended \(128 + number)"), "\(player.output)")
    let modes = try #require(player.output.split(separator: "ended").last).split { " ;\r\n".contains($0) }
    #expect(modes.contains("icanon") && modes.contains("echo"), "\(player.output)")
  }

  @Test func `stopped and gone on with in the background it can be ended there`() throws {
    let program = try Checkout.retake
    let player = try TerminalProcess(["--version"], after: "PS1='ready: ' TERM=dumb bash --norc --noprofile -i")
    try player.wait(for: "ready: ")
    try player.type("'\(program)' replay '\(recording)' --paused --output none\n")
    try player.wait(for: "1/3  frame 0")
    let process = try replayProcess()
    // Not Ctrl-Z, at which it would give the terminal back by itself.
    #expect(kill(process, SIGSTOP) == 0)
    try player.wait(for: "Stopped")
    try player.type("bg; kill %1; wait %1; echo \"ended $?\"; exit\n")
    // A replay that changes the shell's terminal is stopped for it, and the shell's wait ends with that.
    defer { if Self.commandLine(process).contains(recording) { kill(process, SIGKILL) } }
    try player.wait(for: "ended 1\r\n")
    #expect(Self.commandLine(process).isEmpty)
    _ = try player.end()
  }
}
