import Foundation
import FrameModel
import Glibc

/// A program that runs beside, and whose output is read as it comes: a full pipe makes it wait, so memory is bounded.
final class ChildReader {
  private let name: String
  private let process = Process()
  private let output = Pipe()
  private let messages: URL
  private var isEnded = false
  private static let longestMessageByteCount = 1 << 16

  /// - Throws: `.childProcess` when the program is not there.
  init(_ name: String, _ arguments: [String]) throws(RetakeError) {
    self.name = name
    guard let program = Self.findProgram(name) else {
      throw RetakeError(
        .childProcess, "Matroska files are read with \(name), which is not installed.", hint: "apt-get install ffmpeg")
    }
    // A file and not a pipe: a child that complains a lot must not wait for somebody to listen.
    messages = FileManager.default.temporaryDirectory.appendingPathComponent("retake-\(name)-\(UUID().uuidString).log")
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    do {
      try Data().write(to: messages)
      process.standardError = try FileHandle(forWritingTo: messages)
      try process.run()
    } catch {
      try? FileManager.default.removeItem(at: messages)
      throw RetakeError(.childProcess, "\(name) could not be started: \(error.localizedDescription).")
    }
    // The child's end: while this process holds it, the end of the child's output does not show.
    try? output.fileHandleForWriting.close()
  }

  deinit {
    if !isEnded {
      process.terminate()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: messages)
  }

  /// Fills the buffer.
  /// - Returns: bytes read, fewer than asked for only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    let descriptor = output.fileHandleForReading.fileDescriptor
    var done = 0
    while done < buffer.count {
      let n = Glibc.read(descriptor, buffer.baseAddress! + done, buffer.count - done)
      if n < 0 && errno == EINTR { continue }
      guard n >= 0 else { throw FileBytes.failure("read", "the output of \(name)") }
      if n == 0 { break }
      done += n
    }
    return done
  }

  /// Waits for the end of a child whose output was read to its end.
  /// - Returns: what it complained about last; nil where it was content.
  /// - Throws: `.childProcess` with the reason that it gave for failing.
  func finish() throws(RetakeError) -> String? {
    process.waitUntilExit()
    isEnded = true
    let complaint = lastComplaint
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw RetakeError(.childProcess, "\(name) failed: \(complaint ?? "it said nothing")")
    }
    return complaint
  }

  private var lastComplaint: String? {
    let file = try? FileHandle(forReadingFrom: messages)
    let said = (try? file?.read(upToCount: Self.longestMessageByteCount)) ?? Data()
    guard let line = String(decoding: said, as: UTF8.self).split(separator: "\n").last else { return nil }
    // ffmpeg names the part that speaks by its address, which is another in every run.
    guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return String(line) }
    return String(line[line.index(after: end)...].drop { $0 == " " })
  }

  private static func findProgram(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

extension ChildReader {
  /// Everything that a child prints.
  /// - Throws: `.corrupt` for more than `limit` bytes.
  func readAll(limit: Int) throws(RetakeError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try block.withMutableRawBytes { buffer throws(RetakeError) in try read(into: buffer) }
      bytes += block[..<count]
      guard bytes.count <= limit else {
        throw RetakeError(.corrupt, "\(name) prints more than \(limit) bytes about the file.")
      }
      if count < block.count { return bytes }
    }
  }

  /// Calls `body` with each line, without its end.
  func readLines(_ body: (Substring) throws(RetakeError) -> Void) throws(RetakeError) {
    var rest: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = try block.withMutableRawBytes { buffer throws(RetakeError) in try read(into: buffer) }
      rest += block[..<count]
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      // What follows the last end of line is a line once its own end has come.
      let tail = lines.popLast() ?? []
      for line in lines { try body(Substring(decoding: line, as: UTF8.self)) }
      rest = Array(tail)
      guard rest.count <= 1 << 20 else { throw RetakeError(.corrupt, "\(name) prints a line without an end.") }
      if count < block.count {
        if !rest.isEmpty { try body(Substring(decoding: rest, as: UTF8.self)) }
        return
      }
    }
  }
}
