import FrameModel
import Glibc
import Support

/// Runs a site's own commands, such as sbatch, and reads what they print.
enum ShellCommand {
  struct Answer {
    let status: Int32
    /// Standard output and standard error.
    let text: String
    var isGood: Bool { status == 0 }
    /// For a message: the last line that is not empty.
    var lastLine: String { text.split(separator: "\n").last.map(String.init) ?? "" }
  }

  private static let byteLimit = 64 << 20

  static func exists(_ name: String) -> Bool {
    (try? run(text: "command -v \(ShellWord.quoted(name)) >/dev/null").isGood) == true
  }

  static func run(_ words: [String]) throws(RetakeError) -> Answer {
    try run(text: ShellWord.joined(words) + " 2>&1")
  }

  /// - Parameter text: for sh.
  static func run(text: String) throws(RetakeError) -> Answer {
    guard let pipe = popen(text, "re") else { throw FileBytes.failure("start", "sh") }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < byteLimit {
      let count = fread(&block, 1, block.count, pipe)
      if count == 0 { break }
      bytes += block[..<count]
    }
    let status = pclose(pipe)
    // Replaces wait.h's macros, which Swift does not import.
    return Answer(
      status: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
      text: String(decoding: bytes, as: UTF8.self))
  }
}
