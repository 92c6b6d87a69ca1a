import CommandTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

/// A replay that is ended, stopped and sent to the background by others leaves the terminal to them.
@Suite(.long) struct ReplayTerminalTests {
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

  /// Starts a replay that waits for keys at its first frame, and a report of the terminal after its end.
  private func pausedReplay() throws -> TerminalProcess {
    let player = try TerminalProcess(
      ["replay", recording, "--paused", "--output", "none"], after: "echo \"ended $?\"; stty -a")
    try player.wait(for: "1/3  frame 0")
    return player
  }

  @Test func `times of a later part count from its first frame`() throws {
    let path = folder.path("b.retake")
    try CommandLineTool.run([
      "record", "--device", "simulated?pace=fast&frames=60&size=32x24", "--split", "1s", "-o", path, "--keep-free", "0",
    ])
    let player = try TerminalProcess(
      ["replay", folder.path("b-001.retake"), "--paused", "--output", "none"], columns: 120)
    try player.wait(for: "frame 0  0.000 s")
    try player.type("q")
    #expect(try player.end() == 0, "\(player.output)")
  }

  private func expectEnd(_ player: TerminalProcess, _ status: Int32) throws {
    _ = try player.end()
    #expect(player.output.contains("ended \(status)\r\n"), "\(player.output)")
    #expect(player.hasUsualModes(after: "ended \(status)"), "\(player.output)")
  }

  /// The last five are what traps and other crashes raise. SIGABRT is not sent: a test runner may have it ignored, which
  /// children inherit, and only a real abort() ends them then.
  @Test(arguments: [SIGUSR1, SIGUSR2, SIGQUIT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE])
  func `a signal that ends it leaves the terminal as it was`(number: Int32) throws {
    let player = try pausedReplay()
    #expect(kill(try replayProcess(), number) == 0)
    try expectEnd(player, 128 + number)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal that asks it to end leaves the terminal as it was`(number: Int32) throws {
    let player = try pausedReplay()
    #expect(kill(try replayProcess(), number) == 0)
    try expectEnd(player, 1)
  }

  @Test func `its end leaves the terminal as it was`() throws {
    let player = try pausedReplay()
    try player.type(" ")
    try expectEnd(player, 0)
  }

  @Test func `Ctrl-Z gives the terminal to the shell, and fg takes it back`() throws {
    let program = try Checkout.retake
    let player = try TerminalProcess(["--version"], after: "PS1='ready: ' TERM=dumb bash --norc --noprofile -i")
    try player.wait(for: "ready: ")
    try player.type("TERM=xterm '\(program)' replay '\(recording)' --paused --output none\n")
    try player.wait(for: "1/3  frame 0")
    let process = try replayProcess()
    defer { if Self.commandLine(process).contains(recording) { kill(process, SIGKILL) } }
    try player.type("\u{1A}")
    try player.wait(for: "Stopped")
    try player.type("stty -a; echo $((6 * 7))-stopped\n")
    try player.wait(for: "42-stopped")
    #expect(player.hasUsualModes(after: "Stopped"), "\(player.output)")
    try player.type("fg\n")
    // A key is taken once the replay has the terminal again.
    for _ in 0..<100 where !player.output.contains("2/3  frame 1") {
      try player.type(".")
      usleep(100_000)
    }
    try player.wait(for: "2/3  frame 1")
    try player.type("q")
    try player.wait(for: "stopped before the end")
    try player.type("stty -a; exit\n")
    _ = try player.end()
    #expect(player.hasUsualModes(after: "stopped before the end"), "\(player.output)")
  }

  @Test func `stopped and gone on with in the background it can be ended there`() throws {
    let program = try Checkout.retake
    let player = try TerminalProcess(["--version"], after: "PS1='ready: ' TERM=dumb bash --norc --noprofile -i")
    try player.wait(for: "ready: ")
    try player.type("TERM=xterm '\(program)' replay '\(recording)' --paused --output none\n")
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
