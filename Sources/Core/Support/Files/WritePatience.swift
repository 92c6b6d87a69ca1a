import Glibc
import Synchronization

/// How long somebody who writes to a pipe waits for whoever reads it: for ever, until all is to end; from then on only while
/// bytes are still taken.
package final class WritePatience: Sendable {
  private let hasEnded = Atomic<Bool>(false)
  private let graceMilliseconds: Int
  private let isWished: @Sendable () -> Bool
  /// What one look takes.
  private static let lookMilliseconds = 20

  /// - Parameters:
  ///   - graceMilliseconds: how long after the end a reader may take nothing.
  ///   - isWished: whether somebody wishes the end, as by a signal.
  package init(graceMilliseconds: Int = 2000, until isWished: @escaping @Sendable () -> Bool = { false }) {
    self.graceMilliseconds = graceMilliseconds
    self.isWished = isWished
  }

  package var isOver: Bool { hasEnded.load(ordering: .relaxed) || isWished() }

  /// All is to end.
  package func end() { hasEnded.store(true, ordering: .relaxed) }

  /// Writes everything to what can make a writer wait: a pipe, a socket, a program's input.
  /// - Throws: `.inputOutput` when whoever reads it is gone, or takes nothing after the end.
  package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws(RetakeError) {
    var done = 0
    while done < bytes.count {
      try wait(path) { Self.isReady(descriptor) }
      // A pipe that has room at all has room for so many bytes: the write cannot wait.
      let n = Glibc.write(descriptor, bytes.baseAddress! + done, min(bytes.count - done, Int(PIPE_BUF)))
      if n < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard n > 0 else { throw FileBytes.failure("write", path) }
      done += n
    }
  }

  /// Opens a file to write, a named pipe as soon as it has a reader.
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

  /// - Parameter isReady: looks for so long as one look takes.
  package func wait(_ path: String, until isReady: () -> Bool) throws(RetakeError) {
    var waited = 0
    while !isReady() {
      guard isOver else { continue }
      guard waited < graceMilliseconds else {
        throw RetakeError(.inputOutput, "Nobody reads \(path).", hint: "start the program that is to read it first")
      }
      waited += Self.lookMilliseconds
    }
  }

  /// Also when it has failed: the write then says why.
  package static func isReady(_ descriptor: Int32) -> Bool {
    var look = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&look, 1, Int32(lookMilliseconds)) > 0
  }

  private static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
