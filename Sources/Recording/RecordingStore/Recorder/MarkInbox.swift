import Foundation
import FrameModel
import Glibc
import Support

/// Lets another process set marks in a running recording.
///
/// Uses a Unix socket in Linux's abstract namespace, named after the folder's device and inode. It
/// leaves no file behind when the recorder is killed, and works on any file system. A request is
/// the line "NANOSECONDS LABEL", with the time on CLOCK_MONOTONIC; the answer is "ok".
package enum MarkInbox {
  static let lineByteLimit = 512
  private static let answer: [UInt8] = Array("ok\n".utf8)

  /// Sends a mark to the recorder of a folder.
  /// - Returns: false when no recorder is reachable or it did not accept the mark.
  /// - Throws: `.usage` for a label that is too long or not one line.
  package static func send(_ label: String, at time: MonotonicTime, to folder: RecordingFolder) throws(RetakeError)
    -> Bool
  {
    // Validates the label here, where the user can still see the error.
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    let descriptor = open(folder) { descriptor, address, length in
      // A slow recorder still sets the mark, so the timeout is long enough to hear its answer.
      limitWaiting(descriptor, seconds: 10)
      return connect(descriptor, address, length)
    }
    guard let descriptor else { return false }
    defer { close(descriptor) }
    // Another process may have bound the name first.
    guard let listener = peer(descriptor), isTrusted(listener, by: getuid(), folderOwner: owner(of: folder)) else {
      return false
    }
    let line = Array("\(time.nanoseconds) \(label)\n".utf8)
    // A line this short is sent in one piece. MSG_NOSIGNAL: a recorder that is just ending must not
    // raise SIGPIPE here.
    guard Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return false }
    return readLine(descriptor) == Array(answer.dropLast())
  }

  /// Accepts one request, and answers if `body` returns true. Only requests from the recorder's own
  /// user or root are accepted.
  static func receive(_ listener: Int32, _ body: (String, MonotonicTime) -> Bool) {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else {
      // The process may be out of descriptors; a pause avoids a busy loop.
      usleep(100_000)
      return
    }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard let sender = peer(descriptor), isTrusted(sender, by: getuid(), folderOwner: nil) else { return }
    limitWaiting(descriptor, seconds: 1)
    guard let line = readLine(descriptor) else { return }
    let parts = String(decoding: line, as: UTF8.self).split(
      separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let nanoseconds = Int64(parts[0]), nanoseconds.isPlausibleTime,
      Mark.isLabel(String(parts[1])), body(String(parts[1]), MonotonicTime(nanoseconds: nanoseconds))
    else { return }
    _ = answer.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Whether this process, running as `user`, may exchange marks with `peer`: the same user, or
  /// root as the peer. A root process accepts marks from root only.
  /// - Parameter folderOwner: when sending, root may also send to the folder owner's recorder.
  package static func isTrusted(_ peer: uid_t, by user: uid_t, folderOwner: uid_t?) -> Bool {
    peer == user || peer == 0 || user == 0 && peer == folderOwner
  }

  private static func peer(_ descriptor: Int32) -> uid_t? {
    // Linux's struct ucred: process, user, group.
    var peer: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 else { return nil }
    return peer[1]
  }

  private static func owner(of folder: RecordingFolder) -> uid_t? {
    var status = stat()
    return stat(folder.path, &status) == 0 ? status.st_uid : nil
  }

  static func listener(_ folder: RecordingFolder) -> Int32? {
    open(folder) { descriptor, address, length in
      bind(descriptor, address, length) == 0 ? Glibc.listen(descriptor, 8) : -1
    }
  }

  /// Sets timeouts, so a silent peer cannot block the recorder.
  private static func limitWaiting(_ descriptor: Int32, seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static func readLine(_ descriptor: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    // A line arrives in one or two pieces; the limit stops a peer that sends byte by byte.
    for _ in 0..<8 {
      var part = [UInt8](repeating: 0, count: lineByteLimit - line.count)
      let count = read(descriptor, &part, part.count)
      guard count > 0 else { return nil }
      line += part[..<count]
      if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return Array(line[..<end]) }
      guard line.count < lineByteLimit else { return nil }
    }
    return nil
  }

  private static func open(
    _ folder: RecordingFolder, _ join: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32? {
    var status = stat()
    guard stat(folder.path, &status) == 0 else { return nil }
    // A first byte of zero makes the name abstract.
    let name = [0] + Array("retake-marks-\(status.st_dev)-\(status.st_ino)".utf8)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path)! + name.count)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { join(descriptor, $0, length) }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

final class MarkInboxReader {
  private let source: any DispatchSourceRead

  /// Returns nil when no socket is available; marks can then only be set in the recorder's
  /// terminal.
  init?(_ folder: RecordingFolder, onMark: @escaping @Sendable (String, MonotonicTime) -> Bool) {
    guard let listener = MarkInbox.listener(folder) else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: DispatchQueue(label: "retake.marks"))
    source.setEventHandler { @Sendable in
      MarkInbox.receive(listener, onMark)
    }
    source.setCancelHandler { @Sendable in close(listener) }
    source.resume()
  }

  func end() { source.cancel() }
}
