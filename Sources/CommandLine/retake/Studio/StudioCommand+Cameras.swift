import ArgumentParser
import CaptureDevices
import Foundation
import FrameModel
import Glibc
import LiveSessions
import RecordingStore
import StudioServer
import StudioViews
import Support
import Synchronization

extension StudioCommand {
  /// Serves a page for running cameras until Ctrl-C.
  /// - Throws: exit codes as 'retake record', for any recording that was made.
  func serveCameras(_ start: ViewSetting, _ files: NamedFiles) throws {
    // A mark signal must not end the program.
    signal(SIGUSR1, SIG_IGN)
    let specifications = try cameras.deviceFlags.specifications(cameras.device)
    let log = LiveLog(devices: specifications.map(\.text))
    let say: @Sendable (String) -> Void = { sentence in
      Terminal.say(sentence)
      log.note(sentence)
    }
    let devices = try DeviceSet(
      specifications, supervision: cameras.stall.supervision(.wait), work: "session", onChange: say)
    for device in devices.devices { Terminal.say(device.summary) }
    let codes = Mutex<[Int32]>([])
    let reports = CameraBench.Reports(note: say) { ended in
      log.add(ended)
      if ended.status.droppedCount > 0 {
        log.note(RecordingReport.losses(ended.status, of: ended.recorder.streams, isLive: ended.failure == nil))
      }
      if let failure = ended.failure { log.note(failure.description) }
      if let code = Self.conclude(ended) { codes.withLock { $0.append(code) } }
    }
    var options = CameraBench.Options()
    options.faces = cameras.detection.faces
    options.prerollNanoseconds = cameras.preroll?.nanoseconds
    let place = cameras.recordTo ?? "Recordings"
    let isShared = cameras.sharing.shared
    let bench = try CameraBench(
      devices, controls: specifications.map { CameraControls(of: $0.resolved) }, options: options, reports: reports
    ) { () throws(RetakeError) in try RecordingName.claimed(in: place, isShared: isShared) }
    let studio = try LiveStudio(
      bench, start: start, files: files, place: place, log: log, pageFolder: Self.pageFolder
    ) { path throws(RetakeError) in try Recording.opened(path, isQuiet: true) }
    try bench.start()
    do {
      try serve(studio) {
        Thread.sleep(forTimeInterval: 0.05)
        bench.watch()
      }
    } catch {
      bench.close()
      throw error
    }
    bench.close()
    // Lost frames are reported before other failures, which left nothing.
    let all = codes.withLock { $0 }
    if let code = all.first(where: { $0 == ExitStatus.doneWithLoss.rawValue }) ?? all.first { throw ExitCode(code) }
  }

  /// Reports a recording as 'retake record' does.
  /// - Returns: the exit code that it gives; nil for 0.
  private static func conclude(_ ended: CameraBench.Ended) -> Int32? {
    do {
      try RecordingReport.checkHasFrames(ended.recorder, ended.status, ended.failure)
      try RecordingReport.conclude(
        ended.recorder.streams, ended.status, ended.failure, json: false, isQuiet: false)
      return nil
    } catch let error as RetakeError {
      Terminal.report(error)
      return ExitStatus.of(error).rawValue
    } catch {
      return (error as? ExitCode)?.rawValue ?? ExitStatus.failed.rawValue
    }
  }
}
