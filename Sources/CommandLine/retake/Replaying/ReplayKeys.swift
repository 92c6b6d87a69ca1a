import Replay
import Synchronization

final class ReplayKeys: Sendable {
  static let help = "space pauses and resumes, . or → shows one picture, + and - change the speed, q quits"

  private let input: KeyInput

  /// Whether there is a terminal for keys and for feedback.
  static func isPossible(isQuiet: Bool) -> Bool { !isQuiet && Terminal.errorIsTerminal && KeyInput.isPossible }

  /// - Parameter changed: called on another thread after each read of keys.
  init?(_ controls: PlayControls, changed: @escaping @Sendable () -> Void) {
    let reader = Mutex(KeyReader())
    let input = KeyInput { bytes in
      for key in reader.withLock({ $0.keys(in: bytes) }) {
        switch key {
        case .command(let command): controls.take(command)
        case .help: Terminal.say(Self.help)
        }
      }
      changed()
    }
    guard let input else { return nil }
    self.input = input
  }

  /// Restores the terminal.
  func end() { input.end() }
}

/// Parses terminal input. Arrow keys are three bytes, which may arrive separately.
struct KeyReader {
  enum Key: Hashable {
    case command(PlayCommand)
    case help
  }

  /// The bytes of an incomplete arrow key.
  private var pending: [UInt8] = []

  mutating func keys(in bytes: [UInt8]) -> [Key] { bytes.compactMap { key($0) } }

  private mutating func key(_ byte: UInt8) -> Key? {
    let escape: UInt8 = 0x1B
    if byte == escape {
      pending = [byte]
      return nil
    }
    if pending == [escape], byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") {
      pending.append(byte)
      return nil
    }
    defer { pending = [] }
    if pending.count == 2 { return byte == UInt8(ascii: "C") ? .command(.step) : nil }
    switch byte {
    case UInt8(ascii: " "): return .command(.pauseOrResume)
    case UInt8(ascii: "."): return .command(.step)
    // On many keyboards, = is + without Shift.
    case UInt8(ascii: "+"), UInt8(ascii: "="): return .command(.faster)
    case UInt8(ascii: "-"): return .command(.slower)
    case UInt8(ascii: "q"), UInt8(ascii: "Q"): return .command(.end)
    case UInt8(ascii: "?"), UInt8(ascii: "h"), UInt8(ascii: "H"): return .help
    default: return nil
    }
  }
}
