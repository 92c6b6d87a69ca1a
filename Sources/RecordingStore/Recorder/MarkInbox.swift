import Foundation
import FrameModel
import Glibc

/// How another process sets a mark in a recording that is being made: a named pipe in its folder takes lines
/// "NANOSECONDS LABEL", the time on CLOCK_MONOTONIC. Lines shorter than PIPE_BUF arrive whole.
package enum MarkInbox {
  static let fileName = "marks.pipe"

  static func path(_ folder: RecordingFolder) -> String { folder.path + "/" + fileName }

  /// Hands a mark to the recorder that is at work on a folder.
  /// - Returns: false when there is none.
  package static func send(_ label: String, at time: MonotonicTime, to folder: RecordingFolder) throws(RetakeError) -> Bool
  {
    // Its rules for labels hold here, where the user still sees what is wrong.
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    // A pipe that nobody reads cannot be opened this way: its recorder is gone.
    let descriptor = open(path(folder), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENXIO || errno == ENOENT || errno == ENOTDIR { return false }
      throw FileBytes.failure("open", path(folder))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return false }
    try Array("\(time.nanoseconds) \(label)\n".utf8).withRawBytes { bytes throws(RetakeError) in
      try FileBytes.writeAll(bytes, to: descriptor, path: path(folder))
    }
    return true
  }
}

/// The recorder's end of the pipe.
final class MarkInboxReader: @unchecked Sendable {
  // Unchecked because of the source and the line: both belong to one serial queue.
  private let path: String
  private let source: any DispatchSourceRead
  private var line: [UInt8] = []
  private let onMark: @Sendable (String, MonotonicTime) -> Void
  private static let lineLimit = 4096

  /// Nil where the disk has no named pipes: marks can then be set in the recorder's own terminal only.
  init?(_ folder: RecordingFolder, onMark: @escaping @Sendable (String, MonotonicTime) -> Void) {
    path = MarkInbox.path(folder)
    self.onMark = onMark
    guard mkfifo(path, 0o622) == 0 else { return nil }
    // Opened for writing too, so that it does not end when a writer goes.
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      unlink(path)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "retake.marks"))
    source.setEventHandler { [weak self] in self?.read(descriptor) }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  func end() {
    source.cancel()
    unlink(path)
  }

  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: Self.lineLimit)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return }
    for byte in buffer[..<count] {
      if byte != UInt8(ascii: "\n") {
        // Whoever writes without end is not heard.
        if line.count < Self.lineLimit { line.append(byte) }
        continue
      }
      let text = String(decoding: line, as: UTF8.self)
      line.removeAll()
      let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard let nanoseconds = Int64(parts[0]), nanoseconds.isPlausibleTime else { continue }
      let label = parts.count > 1 ? String(parts[1]) : ""
      if Mark.isLabel(label) { onMark(label, MonotonicTime(nanoseconds: nanoseconds)) }
    }
  }
}
