/// What a USB camera says of one frame, from a buffer of its metadata node in the kernel's format `D4XX`.
///
/// A buffer holds packets: the host's time (8 bytes), a bus frame number (2), then a UVC payload header, which begins with
/// its length and flags. Behind the header's own fields, RealSense cameras add blocks, each with a number and a size. The
/// kernel documents both (V4L2_META_FMT_UVC, V4L2_META_FMT_D4XX). All numbers are little-endian. Every length comes from
/// the camera: what does not fit its surroundings ends the reading, and what came before it counts.
package struct UVCMetadata: Hashable, Sendable {
  /// The camera's clock, which wraps after 71.6 minutes.
  package private(set) var deviceMicroseconds: UInt32?
  package private(set) var frameCounter: UInt32?
  package private(set) var exposureMicroseconds: UInt32?

  private static let hostByteCount = 10
  /// Of a header's flags: whether the camera's time and its reference clock follow.
  private static let (hasTime, hasReference): (UInt8, UInt8) = (0x04, 0x08)
  private static let (depthControl, captureTiming): (UInt32, UInt32) = (0x8000_0000, 0x8000_0001)
  /// Packets in a buffer and blocks in a header; cameras have one packet and a few blocks.
  private static let largestCount = 64

  package init(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    for _ in 0..<Self.largestCount {
      guard rest.count >= Self.hostByteCount + 2 else { return }
      let length = Int(rest[rest.startIndex + Self.hostByteCount])
      guard length >= 2, length <= rest.count - Self.hostByteCount else { return }
      rest = rest.dropFirst(Self.hostByteCount)
      readHeader(UnsafeRawBufferPointer(rebasing: rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
  }

  private mutating func readHeader(_ header: UnsafeRawBufferPointer) {
    let flags = header[1]
    var offset = 2
    if flags & Self.hasTime != 0 {
      guard let time = Self.number(header, offset) else { return }
      deviceMicroseconds = deviceMicroseconds ?? time
      offset += 4
    }
    if flags & Self.hasReference != 0 { offset += 6 }
    for _ in 0..<Self.largestCount {
      guard let id = Self.number(header, offset), let size = Self.number(header, offset + 4),
        size >= 8, Int(size) <= header.count - offset
      else { return }
      readBlock(id, UnsafeRawBufferPointer(rebasing: header[offset..<offset + Int(size)]))
      offset += Int(size)
    }
  }

  /// A block's flags at 12 say which of its fields are valid.
  private mutating func readBlock(_ id: UInt32, _ block: UnsafeRawBufferPointer) {
    guard let flags = Self.number(block, 12) else { return }
    func field(_ flag: UInt32, _ offset: Int) -> UInt32? { flags & flag != 0 ? Self.number(block, offset) : nil }
    if id == Self.captureTiming {
      frameCounter = frameCounter ?? field(0x01, 16)
      exposureMicroseconds = field(0x08, 28) ?? exposureMicroseconds
    } else if id == Self.depthControl {
      exposureMicroseconds = exposureMicroseconds ?? field(0x02, 20)
    }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
