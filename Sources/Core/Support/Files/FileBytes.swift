import Glibc

/// Reads and writes whole files, with errors that name the path.
package enum FileBytes {
  /// - Parameter limit: bytes; a longer file is rejected before it is read.
  package static func read(_ path: String, limit: Int = 1 << 30) throws(RetakeError) -> [UInt8] {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer.
    let descriptor = try open("open", path, O_RDONLY | O_NONBLOCK)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RetakeError(
        .unsupported, "\(path) is not a regular file.", hint: "give a regular file, not a folder, pipe or device")
    }
    guard status.st_size <= limit else {
      throw RetakeError(
        .unsupported, "\(path) is too large: \(status.st_size) bytes; the limit is \(limit).",
        hint: "check that this is the file you meant")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var done = 0
    while done < bytes.count {
      let n = SystemCall.retried {
        bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, $0.count - done) }
      }
      guard n >= 0 else { throw failure("read", path) }
      if n == 0 { break }
      done += n
    }
    bytes.removeLast(bytes.count - done)
    return bytes
  }

  /// Writes a file atomically: an existing file stays unchanged until the last byte is written.
  /// Devices and pipes are written in place.
  package static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(RetakeError) {
    if let file = try FileReplacement.begin(path) {
      try writeAll(bytes, to: file.descriptor, path: path)
      return try file.publish()
    }
    let descriptor = try open("write", path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    defer { close(descriptor) }
    try writeAll(bytes, to: descriptor, path: path)
  }

  package static func write(_ bytes: [UInt8], to path: String) throws(RetakeError) {
    try bytes.withRawBytes { bytes throws(RetakeError) in try write(bytes, to: path) }
  }

  /// Writes everything, with retries after short writes and interruptions.
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String)
    throws(RetakeError)
  {
    var done = 0
    while done < bytes.count {
      let n = SystemCall.retried { Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done) }
      guard n > 0 else { throw failure("write", path) }
      done += n
    }
  }

  /// Opens a file that programs started by this process do not inherit. The caller closes it.
  /// - Parameter verb: for the error, as in `failure`.
  package static func open(_ verb: String, _ path: String, _ flags: Int32, _ mode: mode_t = 0) throws(RetakeError)
    -> Int32
  {
    let descriptor = SystemCall.open(path, flags, mode)
    guard descriptor >= 0 else { throw failure(verb, path) }
    return descriptor
  }

  /// The error for an `errno` and a path, with a next step.
  package static func failure(_ verb: String, _ path: String, errno code: Int32 = errno) -> RetakeError {
    let reason = String(cString: strerror(code))
    switch code {
    case ENOENT, ENOTDIR:
      return RetakeError(.notFound, "There is no \(path).", hint: "check the path")
    case ENOSPC, EDQUOT:
      return RetakeError(
        .diskFull, "The disk is full: \(path) could not be written.",
        hint: "free some space, or write to another disk")
    case EROFS:
      return RetakeError(
        .inputOutput, "Could not \(verb) \(path): \(reason).",
        hint: "this disk or folder is mounted to be read only; use a copy on another, or give another path")
    case EACCES, EPERM:
      return RetakeError(
        .inputOutput, "Could not \(verb) \(path): \(reason).",
        hint: "check the permissions, or give another path")
    case EPIPE:
      return RetakeError(
        .readerGone, "Could not \(verb) \(path): \(reason).", hint: "the program that reads it has exited")
    case EMFILE:
      return RetakeError(
        .inputOutput, "Could not \(verb) \(path): too many files are open.",
        hint: "raise the limit with 'ulimit -n 1024' and run the command again")
    case ENFILE:
      return RetakeError(
        .inputOutput, "Could not \(verb) \(path): too many files are open on this machine.",
        hint: "close other programs and run the command again")
    default:
      return RetakeError(.inputOutput, "Could not \(verb) \(path): \(reason).")
    }
  }

  /// The error for a file that SQLite could not open or write. SQLite reports no errno, so this looks
  /// for the cause. It does not open the file: closing a descriptor would release the locks that this
  /// process's other connections hold on it.
  package static func databaseFailure(_ path: String, isWriting: Bool) -> RetakeError {
    let verb = isWriting ? "write" : "open"
    guard access(path, isWriting ? W_OK : R_OK) == 0 else { return failure(verb, path) }
    // As many as SQLite needs: a database, its log, its index and a journal.
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for _ in 0..<4 {
      let descriptor = SystemCall.open("/dev/null", O_RDONLY)
      guard descriptor >= 0 else { return failure(verb, path) }
      descriptors.append(descriptor)
    }
    // SQLite creates its log beside the database.
    return failure(verb, path, errno: access(Folder.parent(of: path), W_OK) == 0 ? EIO : errno)
  }
}
