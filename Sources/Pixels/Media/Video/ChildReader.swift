import Glibc
import Support

/// A child process whose output is read as it comes. A full pipe blocks it, which bounds memory.
package final class ChildReader {
  private let name: String
  private let process: ChildProgram
  private let output: ChildPipe
  private let messages: ChildMessages

  /// - Parameter missing: the error's message if the program is not installed.
  /// - Throws: `.childProcess` if the program is not installed.
  package init(_ name: String, _ arguments: [String], missing: String) throws(RetakeError) {
    self.name = name
    messages = try ChildMessages()
    output = try ChildPipe(name)
    process = try ChildProgram(
      name, missing: missing, arguments, input: nil, output: output.writing, errors: messages.descriptor)
    // The child's end: the end of output is not seen while this process has it open.
    output.closeWriting()
  }

  deinit {
    guard process.isRunning else { return }
    // First, or a child that waits for room in the pipe would wait forever.
    output.closeReading()
    process.signal(SIGTERM)
    process.wait()
  }

  /// - Returns: bytes read; fewer than the buffer holds only at the end of output.
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

  /// Waits for a child whose output has been read to its end.
  package func end() -> ChildEnd { process.wait() }

  /// The last line of its standard error; nil if it is empty.
  package var complaint: String? { messages.lastLine }

  /// Waits for a child that should have succeeded; returns the last line of its standard error.
  /// - Throws: `.childProcess` with that line if it failed.
  package func finish() throws(RetakeError) -> String? {
    guard end().isGood else {
      throw RetakeError(.childProcess, "\(name) failed: \(complaint ?? "it gave no reason")")
    }
    return complaint
  }
}

extension ChildReader {
  /// - Throws: `.corrupt` for more than `limit` bytes.
  package func readAll(limit: Int) throws(RetakeError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readBlocks(of: 1 << 16) { block throws(RetakeError) in
      bytes += block
      guard bytes.count <= limit else {
        throw RetakeError(.corrupt, "\(name) printed more than \(limit) bytes about the file.")
      }
    }
    return bytes
  }

  /// Calls `body` with each line, without its newline.
  package func readLines(_ body: (Substring) throws(RetakeError) -> Void) throws(RetakeError) {
    var rest: [UInt8] = []
    try readBlocks(of: 1 << 12) { block throws(RetakeError) in
      rest += block
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      // The last element is an incomplete line, kept for the next block.
      let tail = lines.popLast() ?? []
      for line in lines { try body(Substring(decoding: line, as: UTF8.self)) }
      rest = Array(tail)
      guard rest.count <= 1 << 20 else { throw RetakeError(.corrupt, "\(name) printed a line that is too long.") }
    }
    if !rest.isEmpty { try body(Substring(decoding: rest, as: UTF8.self)) }
  }

  private func readBlocks(
    of byteCount: Int, _ body: (ArraySlice<UInt8>) throws(RetakeError) -> Void
  ) throws(RetakeError) {
    var block = [UInt8](repeating: 0, count: byteCount)
    var count = byteCount
    while count == byteCount {
      count = try block.withMutableRawBytes { buffer throws(RetakeError) in try read(into: buffer) }
      try body(block[..<count])
    }
  }
}
