import Kernels
import Support

// Finds chunks where record lengths are damaged: a chunk states its length twice.
extension MCAPRecordLoader {
  /// Opcode, length, start and end time, size, CRC, length of the compression name.
  private static var fixedByteCount: Int { MCAP.recordHeaderByteCount + 8 + 8 + 8 + 4 + 4 }
  private static var longestCompressionName: Int { 16 }

  /// - Returns: the length of a chunk record, header included, from its inner lengths; nil for no
  ///   chunk, or one that the file's end cuts short.
  mutating func chunkByteCount(at offset: Int) throws(RetakeError) -> Int? {
    Self.chunkByteCount(
      try bytes(at: offset, Self.fixedByteCount + Self.longestCompressionName + 8), left: byteCountLeft(at: offset))
  }

  private static func chunkByteCount(_ bytes: UnsafeRawBufferPointer, left: Int?) -> Int? {
    var reader = ByteReader(bytes)
    guard let left, (try? reader.fixed(UInt8.self)) == MCAP.Opcode.chunk.rawValue,
      (try? reader.take(UInt64(8 + 8 + 8))) != nil, let unpacked = try? reader.fixed(UInt64.self),
      (try? reader.fixed(UInt32.self)) != nil, let nameLength = try? reader.fixed(UInt32.self),
      nameLength <= longestCompressionName, (try? reader.take(UInt64(nameLength))) != nil,
      let recordLength = try? reader.fixed(UInt64.self), recordLength <= left
    else { return nil }
    let byteCount = fixedByteCount + Int(nameLength) + 8 + Int(recordLength)
    // An uncompressed chunk states the length of its records a third time.
    guard byteCount <= left, nameLength > 0 || unpacked == recordLength else { return nil }
    return byteCount
  }

  /// - Returns: the offset of the next chunk whose lengths all agree; nil if there is none.
  mutating func nextChunk(from start: Int) throws(RetakeError) -> Int? {
    guard let end = byteCount else { return nil }
    let headByteCount = Self.fixedByteCount + Self.longestCompressionName + 8
    var offset = start
    while offset < end {
      let block = try bytes(at: offset, min(1 << 20, end - offset))
      guard block.count > MCAP.recordHeaderByteCount else { return nil }
      for place in 0..<block.count where block[place] == MCAP.Opcode.chunk.rawValue {
        let head = UnsafeRawBufferPointer(rebasing: block[place..<min(block.count, place + headByteCount)])
        guard head.count == headByteCount || offset + block.count == end,
          let byteCount = Self.chunkByteCount(head, left: end - offset - place)
        else { continue }
        var length = ByteReader(UnsafeRawBufferPointer(rebasing: head.dropFirst()))
        let claimed = try length.fixed(UInt64.self)
        if claimed == UInt64(byteCount - MCAP.recordHeaderByteCount) { return offset + place }
      }
      // Blocks overlap by the length of a chunk's head, so that no head is split.
      if offset + block.count == end { return nil }
      offset += block.count - headByteCount
    }
    return nil
  }
}

extension Checksum {
  /// Locates a single wrong byte from its effect on the CRC-32. The effect depends only on the
  /// byte's place and wrong bits (Koopman, "32-bit cyclic redundancy codes", 2002).
  /// - Returns: the place and the wrong bits; nil if several bytes are wrong. Several are mistaken
  ///   for one with a probability of about `count` × 255 / 2³².
  static func wrongByte(in count: Int, found: UInt32, expected: UInt32) -> (place: Int, bits: UInt8)? {
    var table = [UInt32](repeating: 0, count: 256)
    for byte in table.indices {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
      table[byte] = crc
    }
    var byTopByte = [Int](repeating: 0, count: 256)
    for (byte, entry) in table.enumerated() { byTopByte[Int(entry >> 24)] = byte }
    var difference = found ^ expected
    guard difference != 0 else { return nil }
    for place in stride(from: count - 1, through: 0, by: -1) {
      let byte = byTopByte[Int(difference >> 24)]
      if table[byte] == difference { return (place, UInt8(byte)) }
      // Undoes the CRC step of one byte.
      difference = (difference ^ table[byte]) << 8 | UInt32(byte)
    }
    return nil
  }
}
