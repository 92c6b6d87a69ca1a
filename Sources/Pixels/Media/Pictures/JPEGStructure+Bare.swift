extension JPEGStructure {
  /// The picture alone, with the same pixels: without comments, thumbnails and the segments in which cameras and programs
  /// write places, names and serial numbers, and without bytes after its end. What no decoder reads any more,
  /// such as after a segment that is longer than the file, is left out.
  /// - Returns: nil if it does not begin as a JPEG.
  package static func bare(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var result: [UInt8] = [0xFF, 0xD8]
    var place = 2
    while place < bytes.count {
      guard let (mark, next) = mark(in: bytes, at: place) else {
        // Excess bytes, which decoders skip too.
        place = nextMark(bytes, after: place)
        continue
      }
      if mark == endMark { return result + [0xFF, mark] }
      if mark == 0x01 || restartMarks.contains(mark) {
        place = next
        continue
      }
      guard mark >= 0xC0, mark != 0xD8, next + 2 <= bytes.count else { return result }
      let end = next + (Int(bytes[next]) << 8 | Int(bytes[next + 1]))
      guard end >= next + 2, end <= bytes.count else { return result }
      place = mark == scanMark ? endOfScan(bytes, from: end, checksRestarts: false) ?? end : end
      switch mark {
      case 0xE0...0xFE: result += usedSegment(mark, UnsafeRawBufferPointer(rebasing: bytes[next + 2..<end]))
      default: result += [0xFF, mark] + bytes[next..<place]
      }
    }
    return result
  }

  /// The next byte that may begin a marker, after any that repeat this one.
  private static func nextMark(_ bytes: UnsafeRawBufferPointer, after place: Int) -> Int {
    var place = place
    while place < bytes.count, bytes[place] == 0xFF { place += 1 }
    while place < bytes.count, bytes[place] != 0xFF { place += 1 }
    return place
  }

  /// Of the segments of programs, those that decide how pixels are decoded: JFIF's, here without its thumbnail, and Adobe's.
  private static func usedSegment(_ mark: UInt8, _ contents: UnsafeRawBufferPointer) -> [UInt8] {
    switch mark {
    case 0xE0 where contents.count >= 14 && contents.starts(with: "JFIF\0".utf8):
      [0xFF, mark, 0, 16] + contents.prefix(12) + [0, 0]
    case 0xEE where contents.count >= 12 && contents.starts(with: "Adobe".utf8):
      [0xFF, mark, 0, 14] + contents.prefix(12)
    default: []
    }
  }
}
