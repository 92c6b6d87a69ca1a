import Dispatch
import Foundation
import FrameModel
import Glibc
import RecordingStore
import Support
import Sweeps
import Synchronization

/// Lets one sweep run at a time, over all recordings of a program.
package final class SweepTurn: Sendable {
  private let holder = Mutex<String?>(nil)
  private let forecasts = Mutex(())

  package init() {}

  /// - Throws: `.busy` while another sweep runs.
  func take(_ path: String) throws(RetakeError) {
    try holder.withLock { holder throws(RetakeError) in
      try Self.check(holder)
      holder = path
    }
  }

  func give() { holder.withLock { $0 = nil } }

  /// Forecasts measure time, so they wait for each other. A sweep does not wait for them.
  /// - Throws: `.busy` while a sweep runs; what `body` throws.
  func forecasting<Value>(_ body: () throws(RetakeError) -> sending Value) throws(RetakeError) -> sending Value {
    try forecasts.withLock { _ throws(RetakeError) in
      try Self.check(holder.withLock { $0 })
      return try body()
    }
  }

  private static func check(_ holder: String?) throws(RetakeError) {
    guard let holder else { return }
    throw RetakeError(.busy, "A sweep of \(holder) is running.", hint: "wait for its end, or stop it")
  }
}

/// Runs a page's sweep beside its pictures, and knows how far it is.
package final class SweepWatch: Sendable {
  package enum Phase: String, Sendable {
    case none
    case running
    case stopping
    case done
    case stopped
    case failed
  }

  package struct Progress: Sendable {
    package var phase = Phase.none
    /// Counts sweeps.
    package var number = 0
    package var sweep: PreparedSweep?
    package var rows = SweepRows(tried: [], scores: [])
    package var doneFrameCount = 0
    package var frameCount = 0
    package var start = MonotonicTime.now()
    package var seconds = 0.0
    package var notes: [String] = []
    package var failure: RetakeError?
    /// Whether the program ends as soon as nothing of the sweep is lost.
    var isEnding = false

    package var isRunning: Bool { phase == .running || phase == .stopping }
  }

  private static let noteLimit = 20

  private let recording: Recording
  private let frames: Range<Int>
  private let truth: PaintedTruth
  private let turn: SweepTurn
  private let state = Mutex(Progress())
  private let runs = DispatchGroup()

  /// - Parameter frames: all of the recording.
  package init(_ recording: Recording, frames: Range<Int>, truth: PaintedTruth, turn: SweepTurn) {
    (self.recording, self.frames, self.truth, self.turn) = (recording, frames, truth, turn)
  }

  package var progress: Progress {
    state.withLock { state in
      if state.isRunning { state.seconds = Double(MonotonicTime.now().nanoseconds - state.start.nanoseconds) / 1e9 }
      return state
    }
  }

  /// Plays a few frames to say what a sweep will cost. Writes nothing.
  /// - Throws: `.usage` for a sweep that cannot be; `.busy` while one runs.
  package func forecast(_ wish: SweepWish) throws(RetakeError) -> (PreparedSweep, PreparedSweep.Forecast) {
    try turn.forecasting { () throws(RetakeError) in
      defer { FreedMemory.giveBack() }
      let sweep = try PreparedSweep(wish, of: recording, frames: frames, truth: truth)
      return (sweep, try sweep.forecast())
    }
  }

  /// Begins a sweep, or goes on with the one that was stopped.
  /// - Throws: as `forecast`.
  package func begin(_ wish: SweepWish) throws(RetakeError) {
    guard FileBeside.isPossible(recording) else {
      throw RetakeError(
        .inputOutput,
        "Results are kept beside the recording, in \(FileBeside.folder(recording)), which cannot be written.",
        hint: "copy the command line and give it a file elsewhere after -o, or copy the recording")
    }
    try turn.take(recording.folder.path)
    let sweep: PreparedSweep
    do throws(RetakeError) {
      sweep = try PreparedSweep(wish, of: recording, frames: frames, truth: truth)
    } catch {
      turn.give()
      throw error
    }
    state.withLock { state in
      state = Progress(
        phase: .running, number: state.number + 1, sweep: sweep,
        rows: SweepRows(tried: sweep.tried, scores: sweep.scores))
    }
    runs.enter()
    let thread = Thread { [self] in
      defer { runs.leave() }
      // On Linux this sets the nice value of this thread and of those that it starts, so that pictures come first.
      _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      run(sweep)
    }
    thread.name = "retake.sweep"
    thread.start()
  }

  /// Ends the sweep after the frame that it plays. What is done stays in the file.
  package func stop() {
    state.withLock { if $0.phase == .running { $0.phase = .stopping } }
  }

  /// Ends the sweep once the settings that it plays are scored, which takes some seconds, and waits for that. A search ends
  /// after its frame.
  package func finish() {
    state.withLock { $0.isEnding = true }
    runs.wait()
  }

  private func run(_ sweep: PreparedSweep) {
    let listener = PreparedSweep.Listener(
      rows: { [self] change in state.withLock { change(&$0.rows) } },
      goesOn: { [self] done, total, losesNothing in
        state.withLock { state in
          (state.doneFrameCount, state.frameCount) = (done, total)
          return state.phase == .running && !(state.isEnding && losesNothing)
        }
      },
      note: { [self] sentence in
        state.withLock { if $0.notes.count < Self.noteLimit { $0.notes.append(sentence) } }
      })
    let result = Result { () throws(RetakeError) in try sweep.run(listener) }
    FreedMemory.giveBack()
    turn.give()
    state.withLock { state in
      state.seconds = Double(MonotonicTime.now().nanoseconds - state.start.nanoseconds) / 1e9
      switch result {
      case .success(let isWhole): state.phase = isWhole ? .done : .stopped
      case .failure(let error): (state.phase, state.failure) = (.failed, error)
      }
    }
  }
}
