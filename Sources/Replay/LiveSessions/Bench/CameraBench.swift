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
    /// The recorder holds the pre-roll in memory.
    case armed(Recorder)
    case recording(Recorder, since: MonotonicTime)
    case finishing
    case closed
  }

  private struct State {
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
  private let options: Options
  private let reports: Reports
  private let makeFolder: @Sendable () throws(RetakeError) -> RecordingFolder
  private let sets: LiveFrameSets
  private let borrowed: BorrowedFaces?
  private let gates = Mutex<[(gate: RecorderGate, firstStream: Int)]>([])
  private let state: Mutex<State>
  private let load: RecorderLoad
  /// Share of a recorder's queue from which on views pause. It drops frames from three quarters on.
  private static let busyShare = 0.4
  /// With a pre-roll, what follows the begin is kept until the recording is ended: for a century.
  private static let endlessNanoseconds: Int64 = 100 * 365 * 86_400 * 1_000_000_000

  /// - Parameters:
  ///   - folder: names a recording's folder, which must not exist.
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
      // 'retake mark' on its folder begins a recording too.
      if status.markCount > 0 { begin(recorder) }
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

  // MARK: Recording

  /// Begins a recording.
  /// - Returns: its folder's path.
  /// - Throws: `.usage` while one goes on or the cameras have ended; as `Recorder.init`.
  package func beginRecording() throws(RetakeError) -> String {
    guard !haveAllEnded else {
      throw RetakeError(.usage, "The cameras have ended.", hint: "start 'retake studio' again")
    }
    if case .armed(let recorder) = phase {
      _ = try recorder.markNow("begin")
      begin(recorder)
      return recorder.status.folders.first?.path ?? ""
    }
    guard take({ if case .idle = $0 { true } else { false } }) else {
      throw RetakeError(.usage, "A recording goes on already.", hint: "end it first")
    }
    let recorder: Recorder
    do throws(RetakeError) {
      recorder = try makeRecorder(preroll: nil)
    } catch {
      state.withLock { $0.phase = .idle }
      throw error
    }
    begin(recorder)
    return recorder.status.folders.first?.path ?? ""
  }

  /// - Throws: `.usage` without a recording, or for a label that is too long or not one line.
  package func mark(_ label: String) throws(RetakeError) {
    guard case .recording(let recorder, _) = phase else { throw Self.noRecording }
    guard try recorder.markNow(label) else { throw Self.noRecording }
  }

  /// Ends the recording, and waits until its files are complete.
  /// - Throws: `.usage` without one.
  package func endRecording() throws(RetakeError) -> Ended {
    let taken: (recorder: Recorder, failure: RetakeError?)? = state.withLock { state in
      guard case .recording(let recorder, _) = state.phase else { return nil }
      state.phase = .finishing
      return (recorder, state.deviceFailure)
    }
    guard let taken else { throw Self.noRecording }
    detach()
    let status = taken.recorder.finish()
    let ended = Ended(recorder: taken.recorder, status: status, failure: taken.failure ?? status.failure)
    reports.ended(ended)
    state.withLock { $0.phase = .idle }
    arm()
    return ended
  }

  private static var noRecording: RetakeError {
    RetakeError(.usage, "No recording goes on.", hint: "begin one first")
  }

  /// Enters the phase `finishing` from a phase that fits, so that one thread at a time makes or ends a recorder.
  private func take(_ fits: (Phase) -> Bool) -> Bool {
    state.withLock { state in
      guard fits(state.phase) else { return false }
      state.phase = .finishing
      return true
    }
  }

  private func begin(_ recorder: Recorder) {
    state.withLock { $0.phase = .recording(recorder, since: .now()) }
  }

  private func arm() {
    guard let preroll = options.prerollNanoseconds, prerollFailure == nil, !haveAllEnded,
      take({ if case .idle = $0 { true } else { false } })
    else { return }
    do throws(RetakeError) {
      let recorder = try makeRecorder(preroll: preroll)
      state.withLock { $0.phase = .armed(recorder) }
    } catch {
      state.withLock { ($0.phase, $0.prerollFailure) = (.idle, error) }
      reports.note("There is no pre-roll: \(error)")
    }
  }

  /// Ends the recorder that waits, and removes its empty folder.
  private func disarm(_ failure: RetakeError?) {
    let recorder: Recorder? = state.withLock { state in
      guard case .armed(let recorder) = state.phase else { return nil }
      state.phase = .finishing
      return recorder
    }
    guard let recorder else { return }
    detach()
    _ = recorder.finish()
    recorder.removeIfEmpty()
    state.withLock { ($0.phase, $0.prerollFailure) = (.idle, failure) }
    if let failure { reports.note("There is no pre-roll any more: \(failure)") }
  }

  private func makeRecorder(preroll: Int64?) throws(RetakeError) -> Recorder {
    let streams = cameras.streams.withControls(controls, of: cameras)
    var recorderOptions = RecorderOptions()
    recorderOptions.markWindow = preroll.map {
      MarkWindowOptions(prerollNanoseconds: $0, postrollNanoseconds: Self.endlessNanoseconds)
    }
    // A detector belongs to one recording.
    var faces = try FaceChoice(options.faces, cameras).recording
    var relay: FaceRelay?
    if case .detector(let observer, let stream, let depthStream) = faces {
      let lender = FaceRelay(observer)
      relay = lender
      faces = .detector(lender, stream: stream, depthStream: depthStream)
    }
    let recorder = try Recorder(folder: makeFolder(), streams: streams, options: recorderOptions, faces: faces)
    borrowed?.borrow(from: relay)
    load.follow(recorder)
    for (gate, firstStream) in gates.withLock({ $0 }) {
      gate.attach(recorder.sink(firstStream: firstStream, isLive: true) { _ in })
    }
    return recorder
  }

  private func detach() {
    for (gate, _) in gates.withLock({ $0 }) { gate.attach(nil) }
    borrowed?.borrow(from: nil)
    load.follow(nil)
  }
}

extension [StreamDescription] {
  /// With the values that controls have now, which the page may have changed since the devices were opened.
  fileprivate func withControls(_ controls: [CameraControls?], of cameras: DeviceSet) -> [StreamDescription] {
    var (streams, first) = (self, 0)
    for (device, controls) in zip(cameras.devices, controls) {
      defer { first += device.streams.count }
      guard let settings = controls?.settings(), !settings.isEmpty else { continue }
      for number in first..<first + device.streams.count {
        streams[number].settings.removeAll { $0.name.hasPrefix(CameraControls.settingPrefix) }
        streams[number].settings += settings
      }
    }
    return streams
  }
}

/// How much of what a recorder may queue is in use; 0 without a recorder.
final class RecorderLoad: Sendable {
  private let recorder = Mutex<Recorder?>(nil)

  var share: Double { recorder.withLock { $0 }?.load ?? 0 }

  func follow(_ recorder: Recorder?) { self.recorder.withLock { $0 = recorder } }
}
