import Support

/// Reads a file of digests line by line, in constant memory. The file may be untrusted, so lines
/// have a limit.
package final class DigestFileReader {
  package static let headerLimit = 1 << 20
  package static let lineLimit = 1 << 16

  package let header: DigestHeader
  /// Set after the last line; nil for a truncated file.
  package private(set) var footer: DigestFooter?
  package private(set) var lastFrame: Int?
  private let lines: BoundedLines
  private var roll = DigestRoll()
  private var isAtEnd = false

  package var name: String { lines.name }

  /// Error message once the end of a truncated file has been read; nil otherwise.
  package var cutSentence: String? {
    guard isAtEnd && footer == nil else { return nil }
    let place = lastFrame.map { "after frame \($0)" } ?? "before its first frame"
    return "\(name) ends \(place) without its last line: it was cut off."
  }

  /// - Parameter path: "-" for standard input.
  /// - Throws: `.notFound`, `.inputOutput`; `.corrupt` for an invalid header, `.unsupported` for
  ///   another format.
  package convenience init(path: String, name: String? = nil) throws(RetakeError) {
    try self.init(BoundedLines(path: path, name: name))
  }

  package convenience init(name: String, bytes: [UInt8]) throws(RetakeError) {
    try self.init(BoundedLines(name: name, bytes: bytes))
  }

  private init(_ lines: BoundedLines) throws(RetakeError) {
    self.lines = lines
    guard let first = try lines.next(limit: Self.headerLimit) else {
      throw RetakeError(
        .corrupt, "\(lines.name) is empty, not a file of digests.",
        hint: "'retake replay REC --output digests:FILE' writes one")
    }
    header = try DigestHeader(line: first, of: lines.name)
  }

  /// The next frame's digests; nil after the last.
  /// - Throws: `.corrupt` for an invalid line, or a footer that does not match the lines.
  package func next() throws(RetakeError) -> DigestLine? {
    guard !isAtEnd else { return nil }
    guard let bytes = try lines.next(limit: Self.lineLimit) else {
      isAtEnd = true
      return nil
    }
    guard let record = DigestRecord(bytes) else {
      // The writer was killed while it wrote this line.
      guard lines.isEnded else {
        isAtEnd = true
        return nil
      }
      throw failure("is not a line of digests.")
    }
    switch record {
    case .line(let line):
      roll.add(line)
      lastFrame = line.frame
      return line
    case .footer(let last):
      try check(last)
      footer = last
      isAtEnd = true
      return nil
    }
  }

  private func check(_ last: DigestFooter) throws(RetakeError) {
    guard last.frames == roll.frames else {
      throw failure("states \(last.frames) frames, but \(roll.frames) lines precede it.")
    }
    guard last.all == roll.hex else {
      throw failure("has a digest that does not match the lines before it: one of them was changed.")
    }
    guard try lines.next(limit: Self.lineLimit) == nil else { throw failure("follows the last line.") }
  }

  private func failure(_ what: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(name), line \(lines.number) \(what)",
      hint: "write it again with 'retake replay REC --output digests:FILE'")
  }
}
