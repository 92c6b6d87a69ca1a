import Foundation
import Glibc
import Support
import Synchronization

/// How a child process ended.
package struct ChildEnd {
  /// The signal that ended it; nil if it exited.
  package let signal: Int32?
  package let status: Int32

  package var isGood: Bool { signal == nil && status == 0 }
}

/// A child process in its own process group, so that Ctrl-C in a terminal does not end it before
/// this process. Not Foundation's `Process`, which traps when no more files can be opened.
final class ChildProgram {
  /// Prevents spawning while a new pipe is not yet close-on-exec: the child would keep it open.
  fileprivate static let lock = Mutex(())

  static let ffmpegIsMissing = "Video files need ffmpeg, which is not installed."

  /// Where a program is found in PATH; nil if it is not installed.
  static func path(of name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private let identifier: pid_t
  private var knownEnd: ChildEnd?

  /// Starts one of ffmpeg's programs, found in PATH. `input`, `output` and `errors` become its
  /// standard streams; nil connects /dev/null.
  /// - Parameter missing: the error's message if it is not installed.
  /// - Throws: `.childProcess` if it is not installed; `.inputOutput` if the system can start no more
  ///   programs or open no more files.
  init(
    _ name: String, missing: String, _ arguments: [String], input: Int32?, output: Int32?, errors: Int32
  ) throws(RetakeError) {
    guard let path = Self.path(of: name) else {
      throw RetakeError(.childProcess, missing, hint: "install it with 'apt-get install ffmpeg'")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, target) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, target)
      } else {
        posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    // Dispatch's threads block signals, and a child would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // A child would also inherit ignored signals, but must end when its reader is gone.
    var ignored = none
    for number in [SIGPIPE, SIGXFSZ, SIGUSR1, SIGTTIN] { sigaddset(&ignored, number) }
    posix_spawnattr_setsigdefault(&attributes, &ignored)
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + environment { free(word) } }
    var identifier = pid_t()
    let code = Self.lock.withLock { _ in
      posix_spawn(&identifier, path, &actions, &attributes, words, environment)
    }
    guard code == 0 else { throw FileBytes.failure("start", path, errno: code) }
    self.identifier = identifier
  }

  var isRunning: Bool { end(WNOHANG) == nil }

  func signal(_ number: Int32) { if isRunning { kill(identifier, number) } }

  @discardableResult
  func wait() -> ChildEnd { end(0) ?? ChildEnd(signal: nil, status: -1) }

  private func end(_ options: Int32) -> ChildEnd? {
    if let knownEnd { return knownEnd }
    var status: Int32 = 0
    let found = SystemCall.retried { waitpid(identifier, &status, options) }
    guard found != 0 else { return nil }
    // Replaces wait.h's macros, which Swift does not import.
    let signal = found < 0 ? 0 : status & 0x7F
    knownEnd = ChildEnd(signal: signal == 0 ? nil : signal, status: found < 0 ? -1 : status >> 8 & 0xFF)
    return knownEnd
  }
}

final class ChildPipe {
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1

  /// - Parameter name: of the child, for errors.
  init(_ name: String) throws(RetakeError) {
    var ends: [Int32] = [-1, -1]
    let result = ChildProgram.lock.withLock { _ in
      let result = pipe(&ends)
      if result == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
      return result
    }
    guard result == 0 else { throw FileBytes.failure("start", name) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeReading() { Self.close(&reading) }
  func closeWriting() { Self.close(&writing) }

  private static func close(_ descriptor: inout Int32) {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
