import Dispatch
import Foundation
import FrameModel
import Glibc
import RecordingStore
import Support

/// Marks set by whoever runs the recorder: Return in its terminal, and the signal USR1.
final class MarkKeys: @unchecked Sendable {
  // Unchecked because of the sources: both are set here and cancelled here.
  private let recorder: Recorder
  private let isQuiet: Bool
  private var signals: (any DispatchSourceSignal)?
  private var keys: (any DispatchSourceRead)?

  /// Whether Return sets marks.
  var hasTerminal: Bool { keys != nil }

  init(_ recorder: Recorder, isQuiet: Bool) {
    self.recorder = recorder
    self.isQuiet = isQuiet
    let queue = DispatchQueue(label: "retake.keys")
    signals = SignalSource.start(SIGUSR1, on: queue) { [weak self] in self?.mark("") }
    // A recorder in the background must not be stopped for reading a terminal that is another's.
    guard isatty(STDIN_FILENO) != 0, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
    signal(SIGTTIN, SIG_IGN)
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    source.setEventHandler { @Sendable [weak self] in
      // A terminal gives a line at a time.
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
