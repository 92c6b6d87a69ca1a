import Dispatch
import Foundation
import FrameModel
import Glibc
import RecordingStore
import Support

/// Sets marks while recording: by Return in the recorder's terminal, and by the signal USR1.
final class MarkKeys: @unchecked Sendable {
  // Unchecked because of the sources: set in `init`, cancelled in `deinit` or on their queue.
  private let recorder: Recorder
  private let isQuiet: Bool
  private var signals: (any DispatchSourceSignal)?
  private var keys: (any DispatchSourceRead)?

  var hasTerminal: Bool { keys != nil }

  init(_ recorder: Recorder, isQuiet: Bool) {
    self.recorder = recorder
    self.isQuiet = isQuiet
    let queue = DispatchQueue(label: "retake.keys")
    signals = SignalSource.start(SIGUSR1, on: queue) { [weak self] in self?.mark("") }
    // A background process would be stopped for reading the terminal.
    guard isatty(STDIN_FILENO) != 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    signal(SIGTTIN, SIG_IGN)
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    source.setEventHandler { @Sendable [weak self] in
      // A terminal delivers whole lines.
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = read(STDIN_FILENO, &buffer, buffer.count)
      guard count > 0 else {
        self?.keys?.cancel()
        return
      }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      self?.mark(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    source.resume()
    keys = source
  }

  deinit {
    signals?.cancel()
    keys?.cancel()
  }

  private func mark(_ label: String) {
    do throws(RetakeError) {
      guard try recorder.markNow(label) else { return }
      if !isQuiet { Terminal.say(label.isEmpty ? "mark set" : "mark '\(label)' set") }
    } catch {
      Terminal.report(error)
    }
  }
}
