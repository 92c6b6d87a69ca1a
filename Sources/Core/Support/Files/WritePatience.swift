import Glibc
import Synchronization

/// How long a write to a pipe waits for its reader: forever, until an end is requested. After that,
/// only while the reader still takes bytes.
package final class WritePatience: Sendable {
  private let hasEnded = Atomic<Bool>(false)
  private let graceMilliseconds: Int
  private let isWished: @Sendable () -> Bool
  /// Timeout of one poll.
  private static let lookMilliseconds = 20

  /// - Parameters:
  ///   - graceMilliseconds: how long a reader may take nothing after an end is requested.
  ///   - isWished: whether an end is requested by other means, such as a signal.
  package init(graceMilliseconds: Int = 2000, until isWished: @escaping @Sendable () -> Bool = { false }) {
    self.graceMilliseconds = graceMilliseconds
    self.isWished = isWished
  }

  package var isOver: Bool { hasEnded.load(ordering: .relaxed) || isWished() }

  /// Requests the end of all writes.
  package func end() { hasEnded.store(true, ordering: .relaxed) }

  /// Writes everything to a descriptor that may block: a pipe, a socket, a child process's input.
  /// - Throws: `.inputOutput` if the reader is gone, or takes nothing during the grace period.
  package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(RetakeError) {
    var done = 0
    while done < bytes.count {
      try wait(path) { Self.isReady(descriptor) }
      // A pipe that is ready has room for PIPE_BUF bytes, so this write cannot block.
      let n = Glibc.write(descriptor, bytes.baseAddress! + done, min(bytes.count - done, Int(PIPE_BUF)))
      if n < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard n > 0 else { throw FileBytes.failure("write", path) }
      done += n
    }
  }

  /// Opens a file for writing; a named pipe once it has a reader.
  package func open(_ path: String) throws(RetakeError) -> Int32 {
    var descriptor: Int32 = -1
    try wait(path) {
      descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
      guard descriptor < 0, errno == ENXIO, Self.isPipe(path) else { return true }
      usleep(UInt32(Self.lookMilliseconds * 1000))
      return false
    }
    guard descriptor >= 0 else { throw FileBytes.failure("write", path) }
    return descriptor
  }

  /// - Parameter isReady: takes `lookMilliseconds` each time it returns false.
  package func wait(_ path: String, until isReady: () -> Bool) throws(RetakeError) {
    var waited = 0
    while !isReady() {
      guard isOver else { continue }
      guard waited < graceMilliseconds else {
        throw RetakeError(
          .inputOutput, "No program is reading from \(path).",
          hint: "start the reading program first")
      }
      waited += Self.lookMilliseconds
    }
  }

  /// Also true for a failed descriptor: the write then reports the cause.
  package static func isReady(_ descriptor: Int32) -> Bool {
    var look = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&look, 1, Int32(lookMilliseconds)) > 0
  }

  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
