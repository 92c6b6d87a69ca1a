import Glibc

/// System calls, repeated while signals interrupt them. Results and `errno` are those of the C functions.
package enum SystemCall {
  /// Opens a file that programs started by this process do not inherit.
  package static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    retried { Glibc.open(path, flags | O_CLOEXEC, mode) }
  }

  package static func lock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    retried { flock(descriptor, operation) }
  }

  package static func mkdir(_ path: String, _ mode: mode_t) -> Int32 { retried { Glibc.mkdir(path, mode) } }

  package static func rename(_ path: String, _ newPath: String) -> Int32 { retried { Glibc.rename(path, newPath) } }

  package static func fsync(_ descriptor: Int32) -> Int32 { retried { Glibc.fsync(descriptor) } }

  package static func ftruncate(_ descriptor: Int32, _ byteCount: Int) -> Int32 {
    retried { Glibc.ftruncate(descriptor, off_t(byteCount)) }
  }

  /// Repeats a call of another function.
  package static func retried<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      guard result == -1 && errno == EINTR else { return result }
    }
  }
}
