import FrameModel
import Glibc
import Support

/// A program that runs beside, and whose output is read as it comes: a full pipe makes it wait, so memory is bounded.
package final class ChildReader {
  /// How a child ended.
  package struct End {
    /// That ended it; nil where it ended by itself.
    package let signal: Int32?
    package let status: Int32
    /// What it complained about last; nil where it was content.
    package let complaint: String?

    package var isGood: Bool { signal == nil && status == 0 }
  }

  private let name: String
  private let process: ChildProgram
  private let output: ChildPipe
  private let messages: ChildMessages

  /// - Parameter missing: what is said where the program is not installed.
  /// - Throws: `.childProcess` when the program is not there.
  package init(_ name: String, _ arguments: [String], missing: String) throws(RetakeError) {
    self.name = name
    let program = try ChildProgram.path(name, missing: missing)
    messages = try ChildMessages()
    output = try ChildPipe(name)
    process = try ChildProgram(
      program, arguments, input: nil, output: output.writing, errors: messages.descriptor)
    // The child's end: while this process holds it, the end of the child's output does not show.
    output.closeWriting()
  }

  deinit {
    guard process.isRunning else { return }
    // First, so that a child which waits for room in the pipe does not wait for ever.
    output.closeReading()
    process.signal(SIGTERM)
    process.wait()
  }

  /// Fills the buffer.
  /// - Returns: bytes read, fewer than asked for only at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(RetakeError) -> Int {
    let descriptor = output.reading
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
  package func end() -> End {
    switch process.wait() {
    case .status(let status): End(signal: nil, status: status, complaint: messages.lastLine)
    case .signal(let number): End(signal: number, status: number, complaint: messages.lastLine)
    }
  }

  /// The same, of a child that should have ended well.
  /// - Returns: what it complained about last; nil where it was content.
  /// - Throws: `.childProcess` with the reason that it gave for failing.
  package func finish() throws(RetakeError) -> String? {
    let end = end()
    guard end.isGood else {
      throw RetakeError(.childProcess, "\(name) failed: \(end.complaint ?? "it said nothing")")
    }
    return end.complaint
  }
}

extension ChildReader {
  /// Everything that a child prints.
  /// - Throws: `.corrupt` for more than `limit` bytes.
  package func readAll(limit: Int) throws(RetakeError) -> [UInt8] {
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
  package func readLines(_ body: (Substring) throws(RetakeError) -> Void) throws(RetakeError) {
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
