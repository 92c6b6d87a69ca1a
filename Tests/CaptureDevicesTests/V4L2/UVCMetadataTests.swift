import CaptureDevices
import Support
import TestSupport
import Testing

/// Metadata of RealSense cameras as the kernel's documents lay it out, and what hostile cameras make of it.
@Suite struct UVCMetadataTests {
  private static func bytes(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  /// - Parameter body: what follows the header's length and flags.
  static func packet(flags: UInt8 = 0x8C, length: Int? = nil, _ body: [UInt8]) -> [UInt8] {
    [UInt8](repeating: 0x11, count: 10) + [UInt8(length ?? body.count + 2), flags] + body
  }

  static func timing(counter: UInt32, exposure: UInt32, valid: UInt32 = 0x3F, size: UInt32 = 40) -> [UInt8] {
    bytes([0x8000_0001, size, 1, valid, counter, 500, 8000, exposure, 33_333, 40_000])
  }
  private static func control(exposure: UInt32, valid: UInt32 = 0xFF) -> [UInt8] {
    bytes([0x8000_0000, 60, 1, valid, 16, exposure, 150, 1] + [UInt32](repeating: 0, count: 7))
  }
  static func standard(time: UInt32) -> [UInt8] { bytes([time]) + [1, 2, 3, 4, 5, 6] }

  private func read(_ bytes: [UInt8]) -> [UInt32?] {
    let facts = bytes.withUnsafeBytes { UVCMetadata($0) }
    return [facts.deviceMicroseconds, facts.frameCounter, facts.exposureMicroseconds]
  }

  @Test func `the camera's time, frame counter and exposure are read from its blocks`() {
    let time: UInt32 = 4_294_967_000
    let all = Self.standard(time: time) + Self.control(exposure: 8500) + Self.timing(counter: 77, exposure: 8400)
    #expect(read(Self.packet(all)) == [time, 77, 8400])
    #expect(read(Self.packet(Self.standard(time: time) + Self.control(exposure: 8500))) == [time, nil, 8500])
    // Without a reference clock the blocks follow the time, without both the flags.
    #expect(read(Self.packet(flags: 0x84, Self.bytes([9]) + Self.timing(counter: 5, exposure: 3))) == [9, 5, 3])
    #expect(read(Self.packet(flags: 0x80, Self.timing(counter: 5, exposure: 3))) == [nil, 5, 3])
    // Fields that the camera marks as invalid, and blocks that are not known.
    let unknown = Self.bytes([3, 16, 1, 2])
    #expect(
      read(Self.packet(Self.standard(time: 1) + unknown + Self.timing(counter: 6, exposure: 2, valid: 0x08)))
        == [1, nil, 2])
    // The first packet of a frame counts.
    let two =
      Self.packet(Self.standard(time: 1) + Self.timing(counter: 6, exposure: 2)) + Self.packet([])
      + Self.packet(Self.standard(time: 2))
    #expect(read(two) == [1, 6, 2])
    #expect(read([]) == [nil, nil, nil])
  }

  @Test func `lengths that do not fit end the reading and keep what came before`() {
    let good = Self.standard(time: 7) + Self.timing(counter: 8, exposure: 9)
    for size: UInt32 in [0, 4, 7, 41, 1000, 0x7FFF_FFFF, .max] {
      let after = Self.packet(Self.standard(time: 7) + Self.timing(counter: 8, exposure: 9, size: size))
      #expect(read(after) == [7, nil, nil], "a block of \(size) bytes")
      #expect(read(Self.packet(good + Self.bytes([0x8000_0001, size, 1, 0x3F]))) == [7, 8, 9], "\(size)")
    }
    // A block that is too short for its fields has none.
    #expect(read(Self.packet(Self.standard(time: 7) + Self.bytes([0x8000_0001, 16, 1, 0x3F]))) == [7, nil, nil])
    for length in [0, 1, 255] { #expect(read(Self.packet(length: length, good)) == [nil, nil, nil], "\(length)") }
    #expect(read(Self.packet(length: 5, Self.standard(time: 7))) == [nil, nil, nil])
  }

  @Test func `whatever is cut off or turned, nothing outside the buffer is read`() {
    let whole = Self.packet(
      Self.standard(time: 7) + Self.control(exposure: 5) + Self.timing(counter: 8, exposure: 9))
    for count in 0..<whole.count {
      // A cut header has no valid length.
      #expect(read(Array(whole[..<count])) == [nil, nil, nil])
    }
    // Every byte with every value; a precondition of the bounds would trap.
    for place in whole.indices {
      for value in UInt8.min...UInt8.max {
        var turned = whole
        turned[place] = value
        _ = read(turned)
      }
    }
  }
}
