import Glibc
import Support

/// Reads lines of a possibly untrusted file, block by block, with a length limit.
final class BoundedLines {
  let name: String
  /// Number of the last line read, from 1.
  private(set) var number = 0
  private(set) var isEnded = true
  private var descriptor: Int32?
  private let ownsDescriptor: Bool
  private var block: [UInt8]
  private var rest: Range<Int>
  private static let blockLength = 1 << 16

  /// - Parameter path: "-" for standard input.
  init(path: String, name: String? = nil) throws(RetakeError) {
    rest = 0..<0
    block = [UInt8](repeating: 0, count: Self.blockLength)
    ownsDescriptor = path != "-"
    self.name = name ?? (path == "-" ? "standard input" : path)
    if let wrong = PathKind.mismatch(path, wanted: .digests, code: .unsupported) { throw wrong }
    let opened = path == "-" ? STDIN_FILENO : try FileBytes.open("open", path, O_RDONLY)
    descriptor = opened
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw RetakeError(
        .unsupported, "\(self.name) is a folder, not a file of digests.",
        hint: "'retake replay REC --output digests:FILE' writes one")
    }
  }

  init(name: String, bytes: [UInt8]) {
    self.name = name
    ownsDescriptor = false
    block = bytes
    rest = bytes.indices
  }

  deinit { if let descriptor, ownsDescriptor { close(descriptor) } }

  /// The next line without its newline; nil after the last.
  /// - Throws: `.corrupt` for a line of more than `limit` bytes, `.inputOutput`.
  func next(limit: Int) throws(RetakeError) -> [UInt8]? {
    var line: [UInt8] = []
    isEnded = false
    while !isEnded {
      if rest.isEmpty, !(try fill()) { break }
      let end = block[rest].firstIndex(of: UInt8(ascii: "\n"))
      let part = rest.lowerBound..<(end ?? rest.upperBound)
      guard line.count + part.count <= limit else {
        throw RetakeError(
          .corrupt, "\(name), line \(number + 1) is longer than \(limit) bytes, the limit for a line of digests.",
          hint: "check that this is a file of digests; 'retake replay REC --output digests:FILE' writes one")
      }
      line += block[part]
      isEnded = end != nil
      rest = (end.map { $0 + 1 } ?? rest.upperBound)..<rest.upperBound
    }
    guard isEnded || !line.isEmpty else { return nil }
    number += 1
    return line
  }

  private func fill() throws(RetakeError) -> Bool {
    guard let descriptor else { return false }
    let count = SystemCall.retried { block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) } }
    guard count >= 0 else { throw FileBytes.failure("read", name) }
    rest = 0..<count
    return count > 0
  }
}
