import Glibc
import Support

/// A pattern of file names in one folder, such as "depth/frame-*.png" or "depth/%06d.png": the star
/// stands for a text with the picture's number.
struct PicturePattern: Hashable, Sendable {
  let folder: String
  private let prefix: String
  private let suffix: String

  struct Picture: Hashable, Sendable {
    let number: Int
    let path: String
  }

  /// - Parameters:
  ///   - text: relative to `base`, unless it begins with a slash.
  ///   - option: for errors.
  /// - Throws: `.usage` for a pattern without exactly one star.
  init(_ text: String, in base: String, option: String) throws(RetakeError) {
    let text = Self.starred(text)
    let slash = text.lastIndex(of: "/")
    let name = slash.map { text[text.index(after: $0)...] } ?? text[...]
    let parts = name.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count == 2, slash.map({ !text[..<$0].contains("*") }) ?? true else {
      throw RetakeError(
        .usage, "\(option) '\(text.prefix(80))' is not a pattern of file names.",
        hint: "write one star for the number, in the file name: 'depth/*.png'")
    }
    (prefix, suffix) = (String(parts[0]), String(parts[1]))
    let within = slash.map { String(text[..<$0]) } ?? ""
    let isAbsolute = text.hasPrefix("/")
    folder = isAbsolute ? (within.isEmpty ? "/" : within) : within.isEmpty ? base : "\(base)/\(within)"
  }

  /// Replaces a number's format as in C's printf by a star.
  private static func starred(_ text: String) -> String {
    guard let percent = text.firstIndex(of: "%") else { return text }
    let rest = text[text.index(after: percent)...].drop { $0.isASCII && $0.isNumber }
    return rest.first == "d" ? text[..<percent] + "*" + rest.dropFirst() : text
  }

  static func isPattern(_ text: String) -> Bool { starred(text).contains("*") }

  var description: String { "\(folder)/\(prefix)*\(suffix)" }

  func matches(_ name: String) -> Bool {
    name.count > prefix.count + suffix.count && name.hasPrefix(prefix) && name.hasSuffix(suffix) && !name.hasPrefix(".")
  }

  private static let pictureLimit = 1_000_000

  /// The pictures in the order of their numbers.
  /// - Throws: `.notFound` for no picture; `.unsupported` for names without a number, or with equal ones.
  func pictures() throws(RetakeError) -> [Picture] {
    var pictures: [Picture] = []
    guard access(folder, F_OK) == 0 else {
      throw RetakeError(
        .notFound, "There is no folder \(folder).", hint: "a pattern names files in the source: '*.png' or 'rgb/*.png'")
    }
    var first: (name: String, words: [Substring])?
    for name in try Folder.names(in: folder) where matches(name) {
      let middle = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard let number = Self.number(middle) else {
        throw RetakeError(
          .unsupported, "The name of \(folder)/\(name) has no frame number of up to 18 digits in place of the star.",
          hint:
            "give a pattern that leaves it out, such as 'frame-*.png'; for times as names, list the pictures in rgb.txt "
            + "and depth.txt")
      }
      // Letters that differ mean that the digits are part of a name, not a number.
      let words = middle.split { $0.isASCII && $0.isNumber }
      if case (let other, let others)? = first, others != words {
        throw RetakeError(
          .unsupported, "\(folder)/\(other) and \(name) differ in more than numbers, so their order is unknown.",
          hint: "give a narrower pattern, or name the pictures by their numbers")
      }
      first = first ?? (name, words)
      pictures.append(Picture(number: number, path: "\(folder)/\(name)"))
    }
    guard !pictures.isEmpty else {
      throw RetakeError(.notFound, "There is no picture \(description).", hint: "check the pattern and the folder")
    }
    guard pictures.count <= Self.pictureLimit else {
      throw RetakeError(
        .unsupported, "\(description) has \(pictures.count) pictures; the limit is \(Self.pictureLimit).",
        hint: "import parts of the folder")
    }
    pictures.sort { ($0.number, $0.path) < ($1.number, $1.path) }
    for (one, next) in zip(pictures, pictures.dropFirst()) where one.number == next.number {
      throw RetakeError(
        .unsupported, "\(one.path) and \(next.path) have the same number \(one.number).",
        hint: "give a narrower pattern with --color or --depth")
    }
    return pictures
  }

  /// The last run of digits, at most 18; nil for the decimals of a time.
  private static func number(_ text: Substring) -> Int? {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let rest = text.utf8.reversed().drop { !isDigit($0) }
    let digits = rest.prefix { isDigit($0) }
    let before = rest.dropFirst(digits.count).prefix(2)
    guard (1...18).contains(digits.count), !(before.first == UInt8(ascii: ".") && before.last.map(isDigit) ?? false)
    else { return nil }
    return Int(String(decoding: Array(digits.reversed()), as: UTF8.self))
  }
}
