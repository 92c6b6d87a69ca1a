import CaptureDevices
import FrameModel
import RecordingStore
import Support

/// Recordings of running cameras.
extension CameraBench {
  /// Begins a recording.
  /// - Returns: its folder's path.
  /// - Throws: `.usage` while one goes on or the cameras have ended; as `Recorder.init`.
  package func beginRecording() throws(RetakeError) -> String {
    guard !haveAllEnded else {
      throw RetakeError(.usage, "The cameras have ended.", hint: "start 'retake studio' again")
    }
    if case .armed(let recorder) = phase { return try begin(recorder) }
    guard take({ if case .idle = $0 { true } else { false } }) else {
      throw Self.isRecording
    }
    let recorder: Recorder
    do throws(RetakeError) {
      recorder = try makeRecorder(preroll: nil)
    } catch {
      state.withLock { $0.phase = .idle }
      throw error
    }
    state.withLock { $0.phase = .recording(recorder, since: .now()) }
    return recorder.status.folders.first?.path ?? ""
  }

  /// - Parameter secondsAgo: kept in 0 to the recording's length.
  /// - Throws: `.usage` without a recording, or for a label that is too long or not one line.
  package func mark(_ label: String, secondsAgo: Double = 0) throws(RetakeError) {
    guard case .recording(let recorder, let start) = phase else { throw Self.noRecording }
    let now = MonotonicTime.now().nanoseconds
    let most = max(0, now - start.nanoseconds)
    let ago = Int64(min(max(secondsAgo * 1e9, 0), Double(most)))
    guard try recorder.markNow(label, at: MonotonicTime(nanoseconds: now - ago)) else { throw Self.noRecording }
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

  private static var isRecording: RetakeError {
    RetakeError(.usage, "A recording goes on already.", hint: "end it first")
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

  /// Goes on with a recorder that waited.
  /// - Returns: the path of its folder, which is made now.
  private func begin(_ recorder: Recorder) throws(RetakeError) -> String {
    guard take({ if case .armed(let armed) = $0 { armed === recorder } else { false } }) else { throw Self.isRecording }
    do throws(RetakeError) {
      let folder = try makeFolder()
      try recorder.begin(in: folder, mark: "begin")
      state.withLock { $0.phase = .recording(recorder, since: .now()) }
      return folder.path
    } catch {
      state.withLock { $0.phase = .armed(recorder) }
      throw error
    }
  }

  func arm() {
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

  /// Ends the recorder that waits.
  func disarm(_ failure: RetakeError?) {
    let recorder: Recorder? = state.withLock { state in
      guard case .armed(let recorder) = state.phase else { return nil }
      state.phase = .finishing
      return recorder
    }
    guard let recorder else { return }
    detach()
    _ = recorder.finish()
    state.withLock { ($0.phase, $0.prerollFailure) = (.idle, failure) }
    if let failure { reports.note("There is no pre-roll any more: \(failure)") }
  }

  private func makeRecorder(preroll: Int64?) throws(RetakeError) -> Recorder {
    let streams = cameras.streams.withControls(controls, of: cameras)
    var recorderOptions = RecorderOptions()
    recorderOptions.markWindow = preroll.map {
      var window = MarkWindowOptions(prerollNanoseconds: $0, postrollNanoseconds: Self.endlessNanoseconds)
      // Nobody wanted what the cameras delivered before, so it is not missing.
      window.countsBefore = false
      return window
    }
    // A detector belongs to one recording.
    var faces = try FaceChoice(options.faces, cameras).recording
    var relay: FaceRelay?
    if case .detector(let observer, let stream, let depthStream) = faces {
      let lender = FaceRelay(observer)
      relay = lender
      faces = .detector(lender, stream: stream, depthStream: depthStream)
    }
    let folder = preroll == nil ? try makeFolder() : nil
    let recorder = try Recorder(folder: folder, streams: streams, options: recorderOptions, faces: faces)
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
