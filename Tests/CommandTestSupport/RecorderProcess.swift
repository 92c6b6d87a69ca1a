import Foundation
import Glibc
import TestSupport
import Testing

/// A recorder at work on a live simulated camera, for tests that do something to it meanwhile. Whatever a test throws, it
/// ends with its owner.
package final class RecorderProcess {
  /// Of the recording.
  package let path: String
  private let process = Process()
  private let logs: TemporaryFolder
  private let keyboard = Pipe()
  /// Generous: what a loaded machine needs, and never waited for by a test that passes.
  private static let limitSeconds = 60

  /// - Parameter hasTerminal: whether it runs in a terminal of its own, which `type` reaches.
  package init(_ path: String, _ options: [String] = [], hasTerminal: Bool = false) throws {
    self.path = path
    logs = try TemporaryFolder()
    for name in ["out", "err"] { try Data().write(to: URL(fileURLWithPath: logs.path(name))) }
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: logs.path("out")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: logs.path("err")))
    let arguments =
      [
        "record", "--device", "simulated?size=160x120&backlog=1000", "--queue", "10000", "--output", path,
        "--keep-free", "0",
      ] + options
    if hasTerminal {
      // A shell that stays would get the terminal's Ctrl-C too, and end with an exit code of its own.
      let words = "exec " + (try ([Checkout.retake] + arguments).map { "'\($0)'" }.joined(separator: " "))
      process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
      process.arguments = ["-qefc", words, "/dev/null"]
      process.standardInput = keyboard
    } else {
      process.executableURL = URL(fileURLWithPath: try Checkout.retake)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    // A zombie would hide the ends of tests that run in processes of their own.
    process.waitUntilExit()
  }

  package var output: String { (try? String(contentsOfFile: logs.path("out"), encoding: .utf8)) ?? "" }
  /// In a terminal both come there, and are `output`.
  package var errors: String { (try? String(contentsOfFile: logs.path("err"), encoding: .utf8)) ?? "" }

  package func type(_ text: String) throws { try keyboard.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for something that this recorder brings about.
  package func wait(for what: String, _ condition: () throws -> Bool) throws {
    for _ in 0..<Self.limitSeconds * 100 {
      if try condition() { return }
      guard process.isRunning else { break }
      usleep(10_000)
    }
    if try condition() { return }
    throw ChildProcess.Missing(
      description: "\(what) never came of \(path); the recorder said: \(output)\(errors)")
  }

  /// Waits until frame sets have reached the disk.
  package func waitForFrames() throws {
    try wait(for: "A frame") { try chunkFiles().values.contains { $0 > 60_000 } }
  }

  /// Waits until a text of a mark is in a chunk file.
  package func waitForMark(_ label: String) throws {
    try wait(for: "The mark '\(label)'") {
      try chunkFiles().keys.contains {
        (FileManager.default.contents(atPath: "\(path)/chunks/\($0)") ?? Data()).range(of: Data(label.utf8)) != nil
      }
    }
  }

  /// Names of the chunk files and their bytes.
  package func chunkFiles() throws -> [String: Int] {
    let folder = path + "/chunks"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(into: [:]) { sizes, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      sizes[name] = attributes?[.size] as? Int
    }
  }

  /// Waits for the end.
  /// - Returns: the exit code, or minus the signal that ended it.
  package func end() throws -> Int32 {
    for _ in 0..<Self.limitSeconds * 100 where process.isRunning { usleep(10_000) }
    guard !process.isRunning else {
      signal(SIGKILL)
      throw ChildProcess.Missing(description: "The recorder of \(path) hangs; it said: \(output)\(errors)")
    }
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
  }
}
