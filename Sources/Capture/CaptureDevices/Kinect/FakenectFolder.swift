import Glibc
import Support

/// A session on disk for fakenect to replay, validated first: fakenect calls exit() for a missing
/// file, reads past the end of a short one, and prints to standard output at the end of the index.
package struct FakenectFolder: Hashable, Sendable {
  package enum Kind: Character, Sendable {
    case color = "r"
    case depth = "d"
    case motion = "a"

    /// How a file starts, and how many bytes follow its first line; of motion, the whole file.
    fileprivate var contents: (header: String, payloadByteCount: Int) {
      switch self {
      case .color: ("P6 640 480 ", 640 * 480 * 3)
      case .depth: ("P5 640 480 ", 640 * 480 * 2)
      case .motion: ("", 12)
      }
    }
  }

  package let path: String
  /// Kinds of the index's lines, in order. Fakenect replays one line per call.
  package let lines: [Kind]
  package let motionRate: Int

  /// Fakenect sleeps between two lines and cannot be interrupted.
  private static let longestGapSeconds = 60.0
  private static let hint = "set FAKENECT_PATH to a folder written by fakenect-record"

  package static func fromEnvironment() throws(RetakeError) -> FakenectFolder {
    guard let path = getenv("FAKENECT_PATH"), path.pointee != 0 else {
      throw RetakeError(.notFound, "fakenect is loaded, but FAKENECT_PATH is not set.", hint: hint)
    }
    return try FakenectFolder(path: String(cString: path))
  }

  package init(path: String) throws(RetakeError) {
    self.path = path
    let index = "\(path)/INDEX.txt"
    guard access(index, R_OK) == 0 else {
      throw RetakeError(.notFound, "There is no fakenect session in \(path): INDEX.txt is missing.", hint: Self.hint)
    }
    var names = try FileBytes.read(index, limit: 1 << 28)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if names.last?.isEmpty == true { names.removeLast() }
    guard !names.isEmpty else { throw Self.bad("\(index) is empty") }

    var lines: [Kind] = []
    var motionTimes: [Double] = []
    var earlier: Double?
    for (number, bytes) in names.enumerated() {
      let name = String(decoding: bytes, as: UTF8.self)
      guard let (kind, seconds) = Self.parse(name) else {
        throw Self.bad("\(index), line \(number + 1), is not a valid frame file name: '\(name.prefix(80))'")
      }
      if let earlier, seconds - earlier > Self.longestGapSeconds {
        throw Self.bad("\(index), line \(number + 1), comes \(Int(seconds - earlier)) s after the previous line")
      }
      earlier = seconds
      try Self.checkFile("\(path)/\(name)", kind)
      lines.append(kind)
      if kind == .motion { motionTimes.append(seconds) }
    }
    self.lines = lines
    motionRate = Self.rate(motionTimes)
  }

  /// `<r|d|a>-<unix seconds>-<ticks>.<ppm|pgm|dump>`
  private static func parse(_ name: String) -> (Kind, seconds: Double)? {
    let words = name.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count == 3, words[0].count == 1, let kind = words[0].first.flatMap(Kind.init) else {
      return nil
    }
    let isDecimal = words[1].utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }
    let last = words[2].split(separator: ".", omittingEmptySubsequences: false)
    guard isDecimal, let seconds = Double(words[1]), seconds < 1e11, last.count == 2,
      UInt32(last[0]) != nil, ["ppm", "pgm", "dump"].contains(last[1])
    else { return nil }
    return (kind, seconds)
  }

  private static func checkFile(_ path: String, _ kind: Kind) throws(RetakeError) {
    let descriptor = SystemCall.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw bad("\(path) is in the index but cannot be read") }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 64)
    let count = SystemCall.retried { read(descriptor, &start, start.count) }
    let size = lseek(descriptor, 0, SEEK_END)
    let (header, payloadByteCount) = kind.contents
    if kind == .motion {
      // Older recorders wrote other sizes, for which fakenect prints a warning to standard output.
      guard size == payloadByteCount else { throw bad("\(path) is not 12 bytes long") }
      return
    }
    guard count > 0, start.starts(with: header.utf8),
      let end = start[..<count].firstIndex(of: UInt8(ascii: "\n"))
    else { throw bad("\(path) does not start with '\(header)…' and a newline") }
    guard size >= end + 1 + payloadByteCount else { throw bad("\(path) is truncated") }
  }

  private static func rate(_ seconds: [Double]) -> Int {
    guard let first = seconds.first, let last = seconds.last, last - first >= 0.001 else { return 10 }
    return max(1, min(1000, Int(((Double(seconds.count) - 1) / (last - first)).rounded())))
  }

  private static func bad(_ what: String) -> RetakeError {
    RetakeError(.corrupt, "The fakenect session is damaged: \(what).", hint: hint)
  }
}
