import Glibc

/// Checks a JPEG's markers without decoding, cheaply enough for every frame of a camera.
package enum JPEGStructure {
  case whole
  /// The end marker is missing.
  case endless
  /// Markers are out of order, as when data was lost in transfer.
  case broken

  static let endMark: UInt8 = 0xD9
  static let scanMark: UInt8 = 0xDA
  static let restartMarks: ClosedRange<UInt8> = 0xD0...0xD7

  package init(_ bytes: UnsafeRawBufferPointer) { self = Self.structure(of: bytes) }

  private static func structure(of bytes: UnsafeRawBufferPointer) -> JPEGStructure {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return .broken }
    var place = 2
    while let (mark, next) = mark(in: bytes, at: place) {
      if mark == endMark { return .whole }
      guard mark >= 0xC0, mark != 0xD8, !restartMarks.contains(mark) else { return .broken }
      // A segment's length counts its own two bytes.
      guard next + 2 <= bytes.count else { return .endless }
      let length = Int(bytes[next]) << 8 | Int(bytes[next + 1])
      guard length >= 2 else { return .broken }
      place = next + length
      guard place <= bytes.count else { return .endless }
      guard mark == scanMark else { continue }
      guard let end = endOfScan(bytes, from: place) else { return .broken }
      place = end
    }
    // Only the beginning of a marker may remain.
    return bytes.dropFirst(place).allSatisfy { $0 == 0xFF } ? .endless : .broken
  }

  /// The marker at this position and the position after it. Fill bytes (0xFF) may come before it.
  static func mark(in bytes: UnsafeRawBufferPointer, at place: Int) -> (mark: UInt8, next: Int)? {
    var place = place
    guard place < bytes.count, bytes[place] == 0xFF else { return nil }
    while place < bytes.count, bytes[place] == 0xFF { place += 1 }
    return place < bytes.count && bytes[place] != 0 ? (bytes[place], place + 1) : nil
  }

  /// The end of a scan's coded data: a marker other than a restart, or the end of the bytes.
  /// - Parameter checksRestarts: false to take restart markers in any sequence.
  /// - Returns: nil if restart markers are out of sequence, so data between them was lost.
  static func endOfScan(_ bytes: UnsafeRawBufferPointer, from start: Int, checksRestarts: Bool = true) -> Int? {
    guard let base = bytes.baseAddress else { return start }
    var place = start
    var restartCount: UInt8 = 0
    while place + 1 < bytes.count, let found = memchr(base + place, 0xFF, bytes.count - place - 1) {
      let at = UnsafeRawPointer(found) - base
      let next = bytes[at + 1]
      if next == 0 {
        place = at + 2
      } else if next == 0xFF {
        place = at + 1
      } else if restartMarks.contains(next) {
        guard !checksRestarts || next == restartMarks.lowerBound + restartCount % 8 else { return nil }
        restartCount &+= 1
        place = at + 2
      } else {
        return at
      }
    }
    return bytes.count
  }
}

/// Detects damaged JPEG frames of a camera. The check applies once the camera has sent a whole
/// frame, since some cameras never send an end marker.
package struct JPEGWatch: Sendable {
  private var hasBeenWhole = false
  package init() {}

  package mutating func isDamaged(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return true }
    if case .whole = JPEGStructure(bytes) {
      hasBeenWhole = true
      return false
    }
    return hasBeenWhole
  }
}
