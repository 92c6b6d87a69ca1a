import FrameModel
import Support

/// Reads a file of digests, a line at a time: however long the replay was, it takes no more memory. The file may come from a
/// stranger: every line has a limit, and what is no line of digests is an error that names file and line.
package final class DigestFileReader {
  package static let headerLimit = 1 << 20
  package static let lineLimit = 1 << 16

  package let header: DigestHeader
  /// Known after the last line; nil where the file was cut off.
  package private(set) var footer: DigestFooter?
  /// Of the line that `next` gave last.
  package private(set) var lastFrame: Int?
  private let lines: BoundedLines
  private var roll = DigestRoll()
  private var isAtEnd = false

  /// As people know the file.
  package var name: String { lines.name }

  /// What there is to say of a file that was cut off, after its last line; nil of a whole one.
  package var cutSentence: String? {
    guard isAtEnd && footer == nil else { return nil }
    let place = lastFrame.map { "after frame \($0)" } ?? "before its first frame"
    return "\(name) ends \(place) without its last line: it was cut off."
  }

  /// - Parameters:
  ///   - path: "-" for standard input.
  ///   - name: as people know the file; nil for its path.
  /// - Throws: `.notFound`, `.inputOutput`; `.corrupt` for what is no file of digests, `.unsupported` for one of another format.
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
  /// - Throws: `.corrupt` for what is no such line, and for a last line that is not of the lines before it.
  package func next() throws(RetakeError) -> DigestLine? {
    guard !isAtEnd else { return nil }
    guard let bytes = try lines.next(limit: Self.lineLimit) else {
      isAtEnd = true
      return nil
    }
    guard let record = DigestRecord(bytes) else {
      // What was being written when the writer was killed.
      guard lines.isEnded else {
        isAtEnd = true
        return nil
      }
      throw failure("is no line of digests.")
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
      throw failure("speaks of \(last.frames) frames, where \(roll.frames) lines precede it.")
    }
    guard last.all == roll.hex else {
      throw failure("has a digest that is not that of the lines before it: one of them was changed.")
    }
    guard try lines.next(limit: Self.lineLimit) == nil else { throw failure("follows the last line.") }
  }

  private func failure(_ what: String) -> RetakeError {
    RetakeError(
      .corrupt, "\(name), line \(lines.number) \(what)",
      hint: "write it anew with 'retake replay REC --output digests:FILE'")
  }
}
