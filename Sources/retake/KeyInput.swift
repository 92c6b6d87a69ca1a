import Dispatch
import Glibc
import Synchronization

/// Keys as they are pressed, without Return and without showing them.
///
/// The terminal is as it was before whenever the process is not the one that reads it: after `end`, at an `exit` from anywhere,
/// and while Ctrl-Z has it stopped. Ctrl-C, Ctrl-Z and a hung-up terminal send their signals as ever.
final class KeyInput: @unchecked Sendable {
  // Unchecked because of the sources: they are set in `init` and cancelled once.
  private var sources: [any DispatchSourceProtocol] = []
  private static let queue = DispatchQueue(label: "retake.keys")

  /// How the terminal was; nil while it is so.
  private static let before = Mutex<termios?>(nil)
  /// One process has one terminal.
  private static let exitHandler: Void = { _ = atexit { KeyInput.restore() } }()

  /// Whether somebody can press keys here: a process in the background would be stopped for reading.
  static var isPossible: Bool { isatty(STDIN_FILENO) != 0 && isForeground }
  private static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// - Parameter take: is given what was typed, on a thread of its own.
  init?(_ take: @escaping @Sendable ([UInt8]) -> Void) {
    guard Self.isPossible else { return nil }
    _ = Self.exitHandler
    signal(SIGTTIN, SIG_IGN)
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: Self.queue)
    input.setEventHandler { @Sendable [weak self] in
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else {
        // In the background, or the terminal is gone.
        if count == 0 { self?.end() }
        return
      }
      take(Array(buffer[..<count]))
    }
    sources = [
      input,
      Self.source(SIGTSTP) {
        Self.restore()
        kill(getpid(), SIGSTOP)
      },
      Self.source(SIGCONT) { Self.apply() },
    ]
    input.resume()
    Self.apply()
  }

  deinit { end() }

  func end() {
    for source in sources { source.cancel() }
    Self.restore()
    signal(SIGTSTP, SIG_DFL)
  }

  private static func source(_ number: Int32, _ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    // A process goes on at SIGCONT also where it ignores it.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: DispatchWorkItem(block: body))
    source.resume()
    return source
  }

  /// A key at a time, and no echo. Only of a terminal that is ours now: another program's is not to be changed.
  private static func apply() {
    before.withLock { before in
      var modes = termios()
      guard before == nil, isForeground, tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
      before = modes
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      withUnsafeMutableBytes(of: &modes.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
        // It would leave a terminal that shows nothing of what is typed.
        characters[Int(VQUIT)] = 0
      }
      tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    }
  }

  private static func restore() {
    before.withLock { before in
      guard var modes = before else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &modes)
      before = nil
    }
  }
}
