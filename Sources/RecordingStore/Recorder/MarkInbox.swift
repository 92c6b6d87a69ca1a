import Foundation
import FrameModel
import Glibc

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
    guard let descriptor = open(folder, connect) else { return false }
    defer { close(descriptor) }
    limitWaiting(descriptor)
    do throws(RetakeError) {
      try Array("\(time.nanoseconds) \(label)\n".utf8).withRawBytes { bytes throws(RetakeError) in
        try FileBytes.writeAll(bytes, to: descriptor, path: "the recorder")
      }
    } catch {
      return false
    }
    return readLine(descriptor) == Array(answer.dropLast())
  }

  /// Takes one request. Only from the recorder's own user, or from root.
  static func receive(_ listener: Int32) -> (label: String, time: MonotonicTime)? {
    let descriptor = accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Linux's struct ucred: process, user, group.
    var peer: [UInt32] = [0, 0, 0]
    var length = socklen_t(12)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0, peer[1] == getuid() || peer[1] == 0
    else { return nil }
    limitWaiting(descriptor)
    guard let line = readLine(descriptor) else { return nil }
    let parts = String(decoding: line, as: UTF8.self).split(
      separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let nanoseconds = Int64(parts[0]), nanoseconds.isPlausibleTime,
      Mark.isLabel(String(parts[1]))
    else { return nil }
    _ = answer.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    return (String(parts[1]), MonotonicTime(nanoseconds: nanoseconds))
  }

  /// A socket that hears what is sent to a folder's recorder.
  static func listener(_ folder: RecordingFolder) -> Int32? {
    open(folder) { descriptor, address, length in
      bind(descriptor, address, length) == 0 ? Glibc.listen(descriptor, 8) : -1
    }
  }

  /// Who never sends and never reads is not waited for.
  private static func limitWaiting(_ descriptor: Int32) {
    var limit = timeval(tv_sec: 1, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static func readLine(_ descriptor: Int32) -> [UInt8]? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count < lineByteLimit, read(descriptor, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
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
  init?(_ folder: RecordingFolder, onMark: @escaping @Sendable (String, MonotonicTime) -> Void) {
    guard let listener = MarkInbox.listener(folder) else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: DispatchQueue(label: "retake.marks"))
    source.setEventHandler { @Sendable in
      if let mark = MarkInbox.receive(listener) { onMark(mark.label, mark.time) }
    }
    source.setCancelHandler { @Sendable in close(listener) }
    source.resume()
  }

  func end() { source.cancel() }
}
