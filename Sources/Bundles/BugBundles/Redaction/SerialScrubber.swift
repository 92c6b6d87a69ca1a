import FrameModel

/// Takes serial numbers of cameras out of texts that say more, such as an Azure Kinect's calibration in JSON.
///
/// In JSON, what belongs to a key with "serial" in its name becomes "0", as does every text that has a known serial number
/// or that word in it. Its time grows with the text alone.
package struct SerialScrubber {
  /// Of other settings and of devices.
  private let known: [[UInt8]]
  /// Shorter ones are found in places where they mean something else.
  private static let shortest = 6
  /// More than cameras have; a stranger's recording may name any number.
  private static let mostKnown = 32
  /// Of a longer one its beginning is looked for.
  private static let longest = 64
  private static let word = Array("serial".utf8)
  private static let nothing = Array("\"0\"".utf8)

  package init(known: [String]) {
    var taken: [[UInt8]] = []
    for text in known where text.utf8.count >= Self.shortest {
      let bytes = Array(text.utf8.prefix(Self.longest))
      if !taken.contains(bytes) && taken.count < Self.mostKnown { taken.append(bytes) }
    }
    self.known = taken
  }

  /// - Returns: nil for a text that is no JSON and has the word: what to leave of it is unknown.
  package func scrubbed(_ text: String) -> String? {
    let bytes = Array(text.utf8)[...]
    guard mayName(bytes) else { return text }
    guard let first = bytes.first(where: { !Self.isSpace($0) }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return Self.contains(bytes, Self.word) ? nil : withoutKnown(bytes) }
    var result: [UInt8] = []
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let end = Self.end(of: bytes, from: place)
      let part = bytes[place..<end]
      place = end
      let value = Self.valueAfterKey(bytes, at: end)
      if bytes[part.startIndex] == UInt8(ascii: "\""), let value, Self.contains(part, Self.word) {
        result += part + bytes[end..<value] + Self.nothing
        place = Self.endOfValue(bytes, from: value)
      } else {
        let isText = bytes[part.startIndex] == UInt8(ascii: "\"")
        let names = known.contains { Self.contains(part, $0) } || isText && Self.contains(part, Self.word)
        result += names ? Self.nothing[...] : part
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private func mayName(_ text: ArraySlice<UInt8>) -> Bool {
    Self.contains(text, Self.word) || known.contains { Self.contains(text, $0) }
  }

  private func withoutKnown(_ text: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var place = text.startIndex
    while place < text.endIndex {
      if let found = known.first(where: { Self.begins(text[place...], $0) }) {
        result.append(UInt8(ascii: "0"))
        place += found.count
      } else {
        result.append(text[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The end of what begins here: a text in quotes, a number or name, or a single mark.
  private static func end(of bytes: ArraySlice<UInt8>, from start: Int) -> Int {
    var place = start + 1
    if bytes[start] == UInt8(ascii: "\"") {
      while place < bytes.endIndex, bytes[place] != UInt8(ascii: "\"") {
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      return min(place + 1, bytes.endIndex)
    }
    guard isOfWord(bytes[start]) else { return place }
    while place < bytes.endIndex, isOfWord(bytes[place]) { place += 1 }
    return place
  }

  /// Where the value of a key that ended here begins; nil if no colon follows.
  private static func valueAfterKey(_ bytes: ArraySlice<UInt8>, at end: Int) -> Int? {
    var place = end
    while place < bytes.endIndex, isSpace(bytes[place]) { place += 1 }
    guard place < bytes.endIndex, bytes[place] == UInt8(ascii: ":") else { return nil }
    place += 1
    while place < bytes.endIndex, isSpace(bytes[place]) { place += 1 }
    return place
  }

  /// The end of a value, with all that is in a list or an object.
  private static func endOfValue(_ bytes: ArraySlice<UInt8>, from start: Int) -> Int {
    var (place, depth) = (start, 0)
    while place < bytes.endIndex {
      let byte = bytes[place]
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        // The end of what the key is in.
        guard depth > 0 else { return place }
        depth -= 1
      }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      place = end(of: bytes, from: place)
      if depth == 0 && !isSpace(byte) { return place }
    }
    return place
  }

  /// Whether a word is in a text, of any case.
  private static func contains(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    guard let first = word.first.map(lowered), text.count >= word.count else { return false }
    for start in text.startIndex...(text.endIndex - word.count) where lowered(text[start]) == first {
      if begins(text[start...], word) { return true }
    }
    return false
  }

  private static func begins(_ text: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
    text.count >= word.count && word.indices.allSatisfy { lowered(text[text.startIndex + $0]) == lowered(word[$0]) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
  private static func isOfWord(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(lowered(byte)) || byte >= 0x80 || "+-._".utf8.contains(byte)
  }
}
