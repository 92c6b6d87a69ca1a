import CaptureDevices
import FrameModel
import Glibc
import RecordingStore
import Support
import Synchronization

/// Cameras that run and are shown while recordings of them begin and end.
package final class CameraBench: Sendable {
  package struct Options: Sendable {
    /// The text of `--faces`; see `FaceChoice`.
    package var faces = "auto"
    /// Time before its begin that a recording holds. Nil: none, and nothing is encoded before.
    package var prerollNanoseconds: Int64?
    package init() {}
  }

  /// Callbacks, on any thread.
  package struct Reports: Sendable {
    package var note: @Sendable (_ sentence: String) -> Void
    /// A recording has ended.
    package var ended: @Sendable (Ended) -> Void

    package init(note: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (Ended) -> Void) {
      (self.note, self.ended) = (note, ended)
    }
  }

  package struct Ended: Sendable {
    package let recorder: Recorder
    package let status: RecorderStatus
    /// Why it ended early, or what failed meanwhile.
    package let failure: RetakeError?
    package var path: String { status.folders.first?.path ?? "" }
    package var isEmpty: Bool { status.frameCounts.allSatisfy { $0 == 0 } }
  }

  package enum Phase: Sendable {
    case idle
    /// The recorder holds the pre-roll in memory, and has no folder.
    case armed(Recorder)
    case recording(Recorder, since: MonotonicTime)
    case finishing
    case closed
  }

  struct State {
    var phase = Phase.idle
    var runningCount: Int
    var deviceFailure: RetakeError?
    /// Why there is no pre-roll any more.
    var prerollFailure: RetakeError?
    var away: Set<String> = []
  }

  package let cameras: DeviceSet
  /// Of each device; nil where it has none to set.
  package let controls: [CameraControls?]
  package let feed: LiveFeed
  let options: Options
  let reports: Reports
  let makeFolder: @Sendable () throws(RetakeError) -> RecordingFolder
  private let sets: LiveFrameSets
  let borrowed: BorrowedFaces?
  let gates = Mutex<[(gate: RecorderGate, firstStream: Int)]>([])
  let state: Mutex<State>
  let load: RecorderLoad
  /// Share of a recorder's queue from which on views pause. It drops frames from three quarters on.
  private static let busyShare = 0.4
  /// With a pre-roll, what follows the begin is kept until the recording is ended: for a century.
  static let endlessNanoseconds: Int64 = 100 * 365 * 86_400 * 1_000_000_000

  /// - Parameters:
  ///   - folder: makes an empty folder for a recording that begins.
  /// - Throws: `.usage` for devices without a clock, which would wait for the page; `.unsupported` without colour; errors of
  ///   a face detector.
  package init(
    _ cameras: DeviceSet, controls: [CameraControls?], options: Options, reports: Reports,
    folder: @escaping @Sendable () throws(RetakeError) -> RecordingFolder
  ) throws(RetakeError) {
    (self.cameras, self.controls, self.options, self.reports, makeFolder) = (
      cameras, controls, options, reports, folder
    )
    let names = cameras.names.joined(separator: " and ")
    guard cameras.isLive else {
      throw RetakeError(
        .usage, "\(names) has no clock of its own, so it is not a running camera.",
        hint: "record it with 'retake record', and open the recording with 'retake studio'")
    }
    guard cameras.streams.contains(where: { $0.kind == .color }) else {
      throw RetakeError(
        .unsupported, "\(names) delivers no colour.",
        hint: "'retake devices' shows a camera's streams; colour may come from a second --device")
    }
    let choice = try FaceChoice(options.faces, cameras)
    if !choice.sentence.isEmpty { reports.note(choice.sentence) }
    var faces = choice.recording
    if case .detector(let observer, let stream, let depthStream) = faces {
      let shown = BorrowedFaces(observer)
      borrowed = shown
      faces = .detector(shown, stream: stream, depthStream: depthStream)
    } else {
      borrowed = nil
    }
    var setOptions = LiveFrameSets.Options()
    setOptions.usesDepth = cameras.streams.contains { $0.kind == .depth }
    setOptions.heldCount = LiveFeed.heldCount
    sets = LiveFrameSets(cameras.streams, isLive: true, faces: .own(faces), options: setOptions)
    state = Mutex(State(runningCount: cameras.devices.count))
    let load = RecorderLoad()
    self.load = load
    feed = LiveFeed(sets) { load.share > Self.busyShare }
  }

  // MARK: Cameras

  /// - Throws: the error of a camera that does not start.
  package func start() throws(RetakeError) {
    do throws(RetakeError) {
      try cameras.start { [self] _, firstStream in
        let gate = RecorderGate(sets.sink(firstStream: firstStream) { [self] in note(end: $0) })
        gates.withLock { $0.append((gate, firstStream)) }
        return gate
      }
    } catch {
      sets.finish()
      throw error
    }
    feed.start()
    arm()
  }

  package var counts: LiveFrameSets.Counts { sets.counts }
  package var phase: Phase { state.withLock { $0.phase } }
  package var haveAllEnded: Bool { state.withLock { $0.runningCount == 0 } }
  package var prerollFailure: RetakeError? { state.withLock { $0.prerollFailure } }
  package var prerollNanoseconds: Int64? { options.prerollNanoseconds }

  private func note(end error: RetakeError?) {
    state.withLock { state in
      state.runningCount -= 1
      state.deviceFailure = state.deviceFailure ?? error
    }
    if let error { reports.note("\(error.message) The others continue without it.") }
  }

  /// Ends what cannot go on. Call about twenty times a second.
  package func watch() {
    restoreControls()
    switch phase {
    case .armed(let recorder):
      let status = recorder.status
      guard status.failure != nil || haveAllEnded else { return }
      disarm(status.failure)
    case .recording(let recorder, _):
      let status = recorder.status
      if status.isFull || status.failure != nil || haveAllEnded { _ = try? endRecording() }
    case .idle, .finishing, .closed: break
    }
  }

  /// A camera that was unplugged begins with its own settings.
  private func restoreControls() {
    let away = Set(cameras.away.map(\.name))
    let returned = state.withLock { state in
      defer { state.away = away }
      return state.away.subtracting(away)
    }
    for (name, controls) in zip(cameras.names, controls) where returned.contains(name) {
      do throws(RetakeError) { try controls?.restore() } catch { reports.note(error.description) }
    }
  }

  /// Ends the recording and the cameras. Idempotent.
  package func close() {
    while true {
      switch phase {
      case .recording: _ = try? endRecording()
      case .finishing: usleep(20_000)
      case .idle, .armed, .closed:
        disarm(nil)
        let isDone = state.withLock { state in
          guard case .idle = state.phase else { return false }
          state.phase = .closed
          return true
        }
        guard isDone || isClosed else { continue }
        cameras.stop()
        sets.finish()
        return
      }
    }
  }

  private var isClosed: Bool { if case .closed = phase { true } else { false } }
}

/// How much of what a recorder may queue is in use; 0 without a recorder.
final class RecorderLoad: Sendable {
  private let recorder = Mutex<Recorder?>(nil)

  var share: Double { recorder.withLock { $0 }?.load ?? 0 }

  func follow(_ recorder: Recorder?) { self.recorder.withLock { $0 = recorder } }
}
