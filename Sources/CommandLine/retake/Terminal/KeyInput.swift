import Dispatch
import Glibc
import Synchronization

/// Reads single keys, without Return and without echo. Create only one per process: Dispatch takes
/// over a signal once, and not again after `end`.
///
/// The terminal is restored by `end`, at any `exit`, at signals that end the process and can be
/// caught, at a trap or crash, and while Ctrl-Z stops the process. Ctrl-C, Ctrl-Z and a hung-up
/// terminal send their usual signals. After SIGKILL or a stack overflow the user needs 'stty sane'.
final class KeyInput: @unchecked Sendable {
  // Unchecked because of the sources: they are set in `init` and cancelled once.
  private var keys: (any DispatchSourceRead)?
  private var sources: [any DispatchSourceProtocol] = []
  private static let queue = DispatchQueue(label: "retake.keys")
  /// How soon to try a lost terminal again: a shell's 'fg' does not always send a signal.
  private static let lookMilliseconds = 250
  /// Signals that end a process by default, except those of `StopSignal`.
  private static let endingSignals = [SIGQUIT, SIGUSR1, SIGUSR2]

  /// Raised by a trap, a failed assertion or a bad access.
  private static let crashSignals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  /// Whether keys are read. This lock also guards `before` and `isChanged`: there is one terminal.
  private static let areWanted = Mutex(false)
  /// The terminal's modes before the first change. Allocated: `termios` holds an array, and the
  /// optimiser of Swift 6.3.1 reads an optional one behind the lock back as zeros.
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Whether the modes differ from `before`. Atomic, because a signal handler must not lock.
  private static let isChanged = Atomic(false)
  private static let exitHandler: Void = { _ = atexit { KeyInput.restore() } }()

  /// Previous actions of the crash signals, by signal number (at most 64).
  nonisolated(unsafe) private static let crashActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  /// Restores the terminal, then lets the process crash as before. Must not allocate or lock, since
  /// the crash may have interrupted either.
  private static let crashHandlers: Void = {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      if isChanged.load(ordering: .relaxed) && isForeground { set(before.pointee) }
      sigaction(number, crashActions + Int(number), nil)
      // Delivered when this handler returns.
      raise(number)
    }
    for number in crashSignals { sigaction(number, &action, crashActions + Int(number)) }
  }()

  /// Whether keys can be read: a background process would be stopped for reading.
  static var isPossible: Bool { isatty(STDIN_FILENO) != 0 && isForeground }
  private static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// - Parameter take: receives input on a dispatch queue.
  init?(_ take: @escaping @Sendable ([UInt8]) -> Void) {
    guard Self.isPossible else { return nil }
    _ = (Self.exitHandler, Self.crashHandlers)
    signal(SIGTTIN, SIG_IGN)
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: Self.queue)
    input.setEventHandler { @Sendable [weak self] in
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      let code = errno
      if count > 0 {
        take(Array(buffer[..<count]))
      } else if count == 0 {
        self?.end()
      } else if code != EINTR && code != EAGAIN {
        self?.rest()
      }
    }
    keys = input
    sources = [
      input,
      SignalSource.start(SIGTSTP, on: Self.queue) {
        Self.restore()
        kill(getpid(), SIGSTOP)
      },
      SignalSource.start(SIGCONT, on: Self.queue) { Self.apply() },
    ]
    sources += Self.endingSignals.map { number in
      SignalSource.start(number, on: Self.queue) { Self.die(of: number) }
    }
    Self.areWanted.withLock { $0 = true }
    input.resume()
    Self.apply()
  }

  deinit { end() }

  func end() {
    for source in sources { source.cancel() }
    Self.areWanted.withLock { $0 = false }
    Self.restore()
    for number in [SIGTSTP] + Self.endingSignals { signal(number, SIG_DFL) }
  }

  /// Pauses reading while the terminal is another's or gone: it would always be ready without data.
  private func rest() {
    keys?.suspend()
    // The closure retains self: a suspended source must not be released.
    let look = DispatchWorkItem { [self] in
      Self.apply()
      keys?.resume()
    }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds), execute: look)
  }

  /// Ends the process as the signal would have by default.
  private static func die(of number: Int32) {
    restore()
    signal(number, SIG_DFL)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, number)
    // Threads of a dispatch queue block signals.
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    raise(number)
  }

  /// Turns off line buffering and echo, unless another process has the terminal.
  private static func apply() {
    areWanted.withLock { areWanted in
      var now = termios()
      guard areWanted, isForeground, tcgetattr(STDIN_FILENO, &now) == 0 else { return }
      if !isChanged.load(ordering: .relaxed) {
        before.initialize(to: now)
        isChanged.store(true, ordering: .releasing)
      }
      now.c_lflag &= ~tcflag_t(ICANON | ECHO)
      withUnsafeMutableBytes(of: &now.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
        // Ctrl-\ would end the process in the middle of a picture.
        characters[Int(VQUIT)] = 0
      }
      set(now)
    }
  }

  private static func restore() {
    areWanted.withLock { _ in
      guard isChanged.load(ordering: .relaxed) else { return }
      // Another process that now has the terminal has set its own modes.
      if isForeground { set(before.pointee) }
      isChanged.store(false, ordering: .relaxed)
    }
  }

  /// Blocks SIGTTOU, which would stop the process if it is in the background by now.
  private static func set(_ modes: termios) {
    var modes = modes
    var (one, before) = (sigset_t(), sigset_t())
    sigemptyset(&one)
    sigaddset(&one, SIGTTOU)
    pthread_sigmask(SIG_BLOCK, &one, &before)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
