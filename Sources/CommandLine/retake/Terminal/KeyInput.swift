import Dispatch
import Glibc
import Synchronization

/// Keys as they are pressed, without Return and without showing them.
///
/// The terminal is as it was before whenever the process is not the one that reads it: after `end`, at an `exit` from anywhere,
/// at the signals that end a process by their nature and can be caught, at a trap or another crash, and while Ctrl-Z has it
/// stopped. Ctrl-C, Ctrl-Z and a hung-up terminal send their signals as ever. What SIGKILL or a stack overflow leaves is for
/// 'stty sane'.
///
/// One in a process's life: Dispatch takes a signal over once, and what `end` gives back to the system it would not take again.
final class KeyInput: @unchecked Sendable {
  // Unchecked because of the sources: they are set in `init` and cancelled once.
  private var keys: (any DispatchSourceRead)?
  private var sources: [any DispatchSourceProtocol] = []
  private static let queue = DispatchQueue(label: "retake.keys")
  /// How soon a terminal that was another's is looked at again: a shell's 'fg' does not always send a signal.
  private static let lookMilliseconds = 250
  /// What ends a process that does nothing about it, beside those that `StopSignal` takes.
  private static let endingSignals = [SIGQUIT, SIGUSR1, SIGUSR2]

  /// What a trap, a failed assertion or a bad access raises.
  private static let crashSignals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE]

  /// Whether the caller waits for keys. One process has one terminal: the lock guards `before` and `isChanged` too.
  private static let areWanted = Mutex(false)
  /// The terminal's modes before the first change. Allocated, and not an optional behind the lock: the optimiser of Swift
  /// 6.3.1 reads such an optional back as zeros, because `termios` holds an array.
  nonisolated(unsafe) private static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Whether the terminal's modes are not those of `before`. Atomic, because a signal handler cannot lock.
  private static let isChanged = Atomic(false)
  private static let exitHandler: Void = { _ = atexit { KeyInput.restore() } }()

  /// What crash signals did before `crashHandlers`, by their number; there are 64.
  nonisolated(unsafe) private static let crashActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  /// Restores the terminal, and then crashes as before. Calls nothing that allocates or locks: the crash may have come amid
  /// that.
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

  /// Whether somebody can press keys here: a process in the background would be stopped for reading.
  static var isPossible: Bool { isatty(STDIN_FILENO) != 0 && isForeground }
  private static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// - Parameter take: is given what was typed, on a thread of its own.
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

  /// The terminal is another's, or gone. It would be ready to be read all the time, and give nothing.
  private func rest() {
    keys?.suspend()
    // Keeps this one until then: a source must not go away while it is suspended.
    let look = DispatchWorkItem { [self] in
      Self.apply()
      keys?.resume()
    }
    Self.queue.asyncAfter(deadline: .now() + .milliseconds(Self.lookMilliseconds), execute: look)
  }

  /// As the process would have ended without anybody who looks at the signal.
  private static func die(of number: Int32) {
    restore()
    signal(number, SIG_DFL)
    var one = sigset_t()
    sigemptyset(&one)
    sigaddset(&one, number)
    // Threads of a queue have signals blocked.
    pthread_sigmask(SIG_UNBLOCK, &one, nil)
    raise(number)
  }

  /// A key at a time, and no echo. Only of a terminal that is ours now: another program's is not to be changed.
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
        // It would end the process in the midst of a picture.
        characters[Int(VQUIT)] = 0
      }
      set(now)
    }
  }

  private static func restore() {
    areWanted.withLock { _ in
      guard isChanged.load(ordering: .relaxed) else { return }
      // Whoever has the terminal now has set it as they need it.
      if isForeground { set(before.pointee) }
      isChanged.store(false, ordering: .relaxed)
    }
  }

  /// In the background, where one may come to be at any moment, it would stop the process for ever.
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
