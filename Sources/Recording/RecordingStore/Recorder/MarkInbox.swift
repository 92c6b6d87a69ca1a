import Foundation
import FrameModel
import Glibc
import Support

/// How another process sets a mark in a recording that is being made.
///
/// A socket in Linux's abstract name space, named after the recording's folder: no file lies in the folder, none is left
/// behind by a recorder that is killed, and any disk will do. A request is the line "NANOSECONDS LABEL", the time on
/// CLOCK_MONOTONIC; the answer is "ok".
package enum MarkInbox {
  static let lineByteLimit = 512
  private static let answer: [UInt8] = Array("ok\n".utf8)

  /// Hands a mark to the recorder that is at work on a folder.
  /// - Returns: false when none can be reached.
  /// - Throws: `.usage` for a label that is too long or not one line.
  package static func send(_ label: String, at time: MonotonicTime, to folder: RecordingFolder) throws(RetakeError)
    -> Bool
  {
    // The rules for labels hold here, where the user still sees what is wrong.
    _ = try Mark(label: label, presentation: PresentationTime(nanoseconds: 0))
    let descriptor = open(folder) { descriptor, address, length in
      // A recorder that the machine holds up sets the mark nevertheless: who asked is to know.
      limitWaiting(descriptor, seconds: 10)
      return connect(descriptor, address, length)
    }
    guard let descriptor else { return false }
    defer { close(descriptor) }
    // Any process may have taken the name first.
    guard let listener = peer(descriptor), isTrusted(listener, by: getuid(), folderOwner: owner(of: folder)) else {
      return false
    }
    let line = Array("\(time.nanoseconds) \(label)\n".utf8)
    // A line this short goes whole. A recorder that ends right now is none, and no reason to be killed.
    guard Glibc.send(descriptor, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return false }
    return readLine(descriptor) == Array(answer.dropLast())
  }

  /// Takes one request, and answers when `body` took it. Only from the recorder's own user, or from root.
  static func receive(_ listener: Int32, _ body: (String, MonotonicTime) -> Bool) {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else {
      // No descriptor may be left; asking again at once would not change that.
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

  /// Whether marks may pass between this process and `peer`: the same user, or root as the peer. A process of root takes marks
  /// from root alone.
  /// - Parameter folderOwner: when sending: root may send to the recorder of the folder's owner.
  static func isTrusted(_ peer: uid_t, by user: uid_t, folderOwner: uid_t?) -> Bool {
    peer == user || peer == 0 || user == 0 && peer == folderOwner
  }

  /// The user of the process at the other end.
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

  /// A socket that hears what is sent to a folder's recorder.
  static func listener(_ folder: RecordingFolder) -> Int32? {
    open(folder) { descriptor, address, length in
      bind(descriptor, address, length) == 0 ? Glibc.listen(descriptor, 8) : -1
    }
  }

  /// Who never sends and never reads is not waited for.
  private static func limitWaiting(_ descriptor: Int32, seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static func readLine(_ descriptor: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    // A line comes whole, or nearly: who sends byte by byte is not waited for.
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

/// The recorder's end.
final class MarkInboxReader {
  private let source: any DispatchSourceRead

  /// Nil where no socket can be had: marks can then be set in the recorder's own terminal only.
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
