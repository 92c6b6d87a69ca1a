/// Base64 encoding (RFC 4648), for pictures embedded in a page.
package enum Base64 {
  private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func text(_ bytes: [UInt8]) -> String {
    var result = [UInt8]()
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    var place = 0
    while place < bytes.count {
      let left = bytes.count - place
      let first = UInt32(bytes[place])
      let second = left > 1 ? UInt32(bytes[place + 1]) : 0
      let third = left > 2 ? UInt32(bytes[place + 2]) : 0
      let group = first << 16 | second << 8 | third
      result.append(alphabet[Int(group >> 18)])
      result.append(alphabet[Int(group >> 12 & 63)])
      result.append(left > 1 ? alphabet[Int(group >> 6 & 63)] : padding)
      result.append(left > 2 ? alphabet[Int(group & 63)] : padding)
      place += 3
    }
    return String(decoding: result, as: UTF8.self)
  }
}
