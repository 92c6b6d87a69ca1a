/// OpenNI's codec `16zT` for depth: a table of the values that occur, then positions in it, as steps of half a byte.
///
/// A byte below 0xE0 is two steps, each −6 to 6 after 6 is taken off, downwards. 0xE1 to 0xEF repeat the last
/// position twice as often as their low half says. A low half of 0xF, and the byte 0xFF, announce a larger step in the next
/// byte (192 is taken off), or a position in the next two, whose highest bit is 0. A low half of 0xD fills the byte of the last
/// step, behind which repeats may still follow.
enum OniDepthCodec {
  /// - Parameter samples: room for a whole frame.
  /// - Returns: whether the bytes gave a whole frame. They may come from anybody.
  static func decode(_ bytes: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<UInt16>) -> Bool {
    guard bytes.count >= 4, !samples.isEmpty else { return false }
    let tableCount = number(bytes, 0)
    var place = 2 + 2 * tableCount
    guard tableCount > 0, place + 2 <= bytes.count else { return false }
    var (position, done, isValid) = (number(bytes, place), 0, true)
    place += 2

    func put() {
      guard done < samples.count else { return }
      guard (0..<tableCount).contains(position) else {
        isValid = false
        return
      }
      samples[done] = UInt16(number(bytes, 2 + 2 * position))
      done += 1
    }
    put()
    while isValid, place < bytes.count, done < samples.count {
      let byte = Int(bytes[place])
      place += 1
      var isLarge = byte == 0xFF
      if byte < 0xE0 {
        position -= byte >> 4 - 6
        put()
        isLarge = byte & 0xF == 0xF
        if !isLarge && byte & 0xF != 0xD {
          position -= byte & 0xF - 6
          put()
        }
      } else if !isLarge {
        for _ in 0..<2 * (byte - 0xE0) { put() }
      }
      guard isLarge else { continue }
      guard place < bytes.count else { return false }
      let next = Int(bytes[place])
      if next & 0x80 != 0 {
        position -= next - 192
        place += 1
      } else {
        guard place + 2 <= bytes.count else { return false }
        position = next << 8 | Int(bytes[place + 1])
        place += 2
      }
      put()
    }
    return isValid && done == samples.count
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }
}
