import Glibc
import Support

extension Decompression {
  /// What stays free on the disk that a file is decompressed to.
  private static let reserveByteCount = 1 << 30

  /// Decompresses a file into a new one.
  /// - Parameters:
  ///   - source: bytes of the compressed file.
  ///   - name: the compressed file's path, for errors.
  ///   - progress: bytes read so far and in all; returns false to end.
  /// - Returns: an error if the file is damaged or cut short; what comes before is written. Nil if it is whole.
  /// - Throws: errors of the files; `.inputOutput` if the disk has too little room, or if `progress` ends it.
  package func expand<Source: ByteSource>(
    _ source: inout Source, name: String, to path: String, progress: (_ done: Int, _ total: Int) -> Bool
  ) throws(RetakeError) -> RetakeError? {
    let decoder = try decoder()
    let descriptor = try FileBytes.open("create", path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    defer { close(descriptor) }
    let (input, output) = (ByteStore(), ByteStore())
    let target = output.bytes(1 << 20)
    var (offset, room, isAtEnd, mayHaveMore) = (0, 0, false, false)
    while true {
      let buffer = input.bytes(1 << 18)
      let count = try source.readAll(at: offset, into: buffer)
      // An end of the file inside of a frame, or between frames.
      if count == 0 && !mayHaveMore { return isAtEnd ? nil : damaged(name, offset) }
      guard let step = decoder.step(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: target) else {
        return damaged(name, offset)
      }
      offset += step.consumed
      if step.produced > 0 {
        if room < step.produced { room = try Self.room(descriptor, path, name) }
        guard room >= step.produced else { throw Self.noRoom(name, path) }
        room -= step.produced
        try FileBytes.writeAll(UnsafeRawBufferPointer(rebasing: target[..<step.produced]), to: descriptor, path: path)
      }
      isAtEnd = step.isAtEnd
      mayHaveMore = step.produced == target.count && !isAtEnd
      if step.consumed == 0 && step.produced == 0 && !isAtEnd { return damaged(name, offset) }
      guard progress(offset, source.byteCount ?? offset) else {
        throw RetakeError(.inputOutput, "Reading \(name) was stopped.", hint: "start it again")
      }
    }
  }

  private func damaged(_ name: String, _ offset: Int) -> RetakeError {
    RetakeError(.corrupt, "\(name) does not decompress as \(rawValue) beyond byte \(offset).")
  }

  /// Bytes that may be written before the disk is asked again.
  package static func room(_ descriptor: Int32, _ path: String, _ name: String) throws(RetakeError) -> Int {
    var status = statvfs()
    guard fstatvfs(descriptor, &status) == 0 else { throw FileBytes.failure("write", path) }
    let free = Int(clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
    return min(1 << 28, free - reserveByteCount)
  }

  package static func noRoom(_ name: String, _ path: String) -> RetakeError {
    RetakeError(
      .inputOutput, "There is too little room in \(Folder.parent(of: path)) for \(name).",
      hint: "set TMPDIR to a folder on a larger disk")
  }
}
