import ChunkFormat
import FrameModel
import Glibc
import Support

/// Collects a topic's packets in a temporary Matroska file, for ffmpeg to decode. A packet's time in the file is the
/// number of its message, in milliseconds, so that each picture names the message that it is from.
final class VideoPackets {
  let codec: VideoCodec
  let scratch: ScratchFolder
  var file: VideoFile { VideoFile(path: path, container: .matroska) }
  /// Nanoseconds of each message: its stamp, or its log time without one, and its log time. Nil for messages that
  /// cannot be read.
  private(set) var times: [(stamp: Int64, log: Int64)?] = []
  private(set) var packetCount = 0
  private let path: String
  private let descriptor: Int32
  private var room = 0

  /// More than 90 hours at 30 fps.
  private static let messageLimit = 10_000_000

  init(_ codec: VideoCodec) throws(RetakeError) {
    self.codec = codec
    scratch = try ScratchFolder(named: "retake-import")
    path = scratch.path("video.mkv")
    descriptor = try FileBytes.open("create", path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    try write(Self.head(codec))
  }

  deinit { close(descriptor) }

  /// Adds the message of a number, after the ones before it. Packets before the first that a decoder can begin with are
  /// left out.
  /// - Throws: errors of the disk.
  func add(
    _ packet: UnsafeRawBufferPointer, _ codec: VideoCodec, message: Int, times messageTimes: (stamp: Int64, log: Int64)
  ) throws(RetakeError) {
    guard message < Self.messageLimit, codec == self.codec, packet.count <= FrameLayout.largestByteCount,
      packetCount > 0 || codec.canStart(with: packet)
    else { return }
    while times.count < message { times.append(nil) }
    times.append(messageTimes)
    let number = UInt64(message).bigEndianBytes
    // A block of track 1 at the cluster's time, without flags.
    let block = Self.head("A3", packet.count + 4) + [0x81, 0, 0, 0]
    let time = Self.element("E7", number)
    try write(Self.head("1F43B675", time.count + block.count + packet.count) + time + block)
    try write(packet)
    packetCount += 1
  }

  private func write(_ bytes: [UInt8]) throws(RetakeError) {
    try bytes.withRawBytes { bytes throws(RetakeError) in try write(bytes) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(RetakeError) {
    if room < bytes.count { room = try Decompression.room(descriptor, path, "the video") }
    guard room >= bytes.count else { throw Decompression.noRoom("the video", path) }
    room -= bytes.count
    try FileBytes.writeAll(bytes, to: descriptor, path: path)
  }

  // MARK: Matroska (RFC 9559)

  private static func head(_ codec: VideoCodec) -> [UInt8] {
    let kind = element("4282", Array("matroska".utf8)) + element("4287", [4]) + element("4285", [2])
    let info =
      element("2AD7B1", [0x0F, 0x42, 0x40]) + element("4D80", Array("retake".utf8))
      + element("5741", Array("retake".utf8))
    let track =
      element("D7", [1]) + element("73C5", [1]) + element("83", [1]) + element("86", Array(codec.matroskaName.utf8))
    // The segment lasts to the end of the file.
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xFF, count: 7)
    return element("1A45DFA3", kind) + segment + element("1549A966", info)
      + element("1654AE6B", element("AE", track))
  }

  private static func element(_ identifier: String, _ contents: [UInt8]) -> [UInt8] {
    head(identifier, contents.count) + contents
  }

  /// - Parameter identifier: in hexadecimal.
  private static func head(_ identifier: String, _ byteCount: Int) -> [UInt8] {
    let digits = Array(identifier.utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
    }
    return bytes + (UInt64(byteCount) | 1 << 56).bigEndianBytes
  }
}

extension UInt64 {
  fileprivate var bigEndianBytes: [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
  }
}
