import ArgumentParser
import CaptureDevices
import FrameModel
import Glibc
import RecordingStore
import Support

/// What `record` and `import` share: sources run into a recorder to their end, and the end is said.
enum DeviceRun {
  struct Result {
    var status: RecorderStatus
    /// What a device or the disk did wrong.
    var failure: RetakeError?
    /// Every device came to its end; nothing stopped it before.
    var isComplete: Bool
  }

  /// Runs the devices until a signal, their end, a failure, or `goesOn` says no. That is asked fifty times a second.
  /// - Parameters:
  ///   - endsAtFailure: whether one device that fails ends all.
  ///   - onFailure: called, on a device's thread, when one failed and others go on.
  /// - Throws: the error of a device that does not start, after what this run has made is removed: a recording without one
  ///   of its cameras is not what was asked for.
  static func run(
    _ devices: [any CaptureDevice], _ recorder: Recorder, _ stop: StopSignal, endsAtFailure: Bool = false,
    onFailure: @escaping @Sendable (RetakeError) -> Void = { _ in }, while goesOn: (RecorderStatus) -> Bool
  ) throws(RetakeError) -> Result {
    let ends = DeviceEnds(count: devices.count, endsAtFailure: endsAtFailure, stop: stop, onFailure: onFailure)
    var firstStream = 0
    for device in devices {
      let sink = recorder.sink(firstStream: firstStream, isLive: device.isLive) { ends.note($0) }
      firstStream += device.streams.count
      do throws(RetakeError) {
        try device.start(delivering: sink)
      } catch {
        for device in devices { device.stop() }
        _ = recorder.finish()
        recorder.removeAll()
        throw error
      }
    }
    while !stop.isSet {
      stop.wait(seconds: 0.02)
      let status = recorder.status
      guard goesOn(status), status.failure == nil else { break }
    }
    for device in devices { device.stop() }
    let status = recorder.finish()
    return Result(
      status: status, failure: ends.failure ?? status.failure, isComplete: ends.isComplete)
  }

  /// Says what was recorded and what was lost.
  /// - Parameters:
  ///   - isSplit: whether there may be several recordings; JSON is then a list.
  ///   - empty: what is thrown when nothing came and nobody says why.
  /// - Throws: an exit code where something was lost.
  static func conclude(
    _ recorder: Recorder, _ status: RecorderStatus, _ failure: RetakeError?, json: Bool, isQuiet: Bool,
    isSplit: Bool = false, ifEmpty empty: RetakeError
  ) throws {
    // A folder that was taken away meanwhile cannot be opened, nor its path be a result.
    let paths = status.folders.map(\.path).filter { access($0, F_OK) == 0 }
    let gone = status.folders.map(\.path).filter { access($0, F_OK) != 0 }
    guard status.frameCounts.contains(where: { $0 > 0 }) else {
      recorder.removeIfEmpty()
      throw failure ?? empty
    }
    if status.failure != nil, let path = gone.last, path == status.folders.last?.path {
      Terminal.report(
        RetakeError(
          .inputOutput, "\(path) was moved or removed while it was being recorded.",
          hint: "where it was moved to, 'retake info' repairs and shows it"))
    } else if let failure {
      Terminal.report(failure)
    } else if !isQuiet {
      // Finished parts of a session may be taken to another place while it goes on.
      for path in gone { Terminal.say("\(path) has been moved or removed meanwhile.") }
    }
    if status.failure != nil, let path = paths.last {
      Terminal.say("What was recorded until then is in \(path); 'retake recover' brings back what its index may lack.")
    }
    if json {
      // What is printed is read back, so that it is what others will read.
      let reports = try paths.map { try InfoReport(Recording(path: $0)).json }
      if isSplit {
        try print(JSONObject.text(of: reports))
      } else if let report = reports.first {
        try print(report.text)
      }
    } else if !isQuiet {
      let counts = Format.counts(recorder.streams, status.frameCounts)
      let ratio = Format.decimals(Double(status.rawByteCount) / Double(max(1, status.storedByteCount)), 2)
      Terminal.say("Recorded \(counts) frames; \(Format.bytes(status.storedByteCount)), \(ratio) times smaller.")
      if status.faceDetector != nil { Terminal.say(sentence(status.faces)) }
      for path in paths { try print(path) }
    }
    if let failure = status.faceFailure {
      Terminal.report(failure)
      Terminal.say("No more faces were looked for from there on; those frames are marked as skipped.")
    }
    if status.droppedCount > 0 && !isQuiet {
      let verb = status.droppedCount == 1 ? "was" : "were"
      Terminal.say("\(Format.counted(status.droppedCount, "frame")) \(verb) lost; 'retake info' says where.")
    }
    if status.droppedCount > 0 || failure != nil { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  /// "Faces in 290 of 298 frames looked at (2 skipped)."
  private static func sentence(_ faces: FaceCounts) -> String {
    let skipped = faces.skippedCount > 0 ? " (\(faces.skippedCount) skipped)" : ""
    return "Faces in \(faces.faceFrameCount) of \(faces.lookedCount) frames looked at\(skipped)."
  }
}
