import ArgumentParser
import LiveSessions
import Parameters
import RecordingStore
import Replay
import Support

extension LiveCommand {
  /// - Throws: the failure if no frame came; an exit code if a camera failed or frames were lost.
  func conclude(
    _ session: LiveSession, _ result: LiveSession.Result, _ targets: [OutputTarget], _ parameters: ParameterSet
  ) throws {
    let streams = session.cameras.streams
    let report = LiveReport(streams: streams, counts: session.counts, statistics: session.statistics)
    let (recorded, outputs) = (result.recorded, session.outputs)
    let hasTap = report.statistics.shown > outputs.withoutTapCount
    let wrote = targets.filter {
      !$0.isStandardOutput && outputs.finished.contains($0.text) && (hasTap || !$0.usesTap)
    }
    guard report.counts.sets > 0 else {
      session.recorder?.removeIfEmpty()
      throw result.failure
        ?? RetakeError(
          .device, "No camera delivered a frame.", hint: "check the cable and the output of 'retake devices'")
    }
    // A viewer that is closed ends the show.
    let failure = result.failure.flatMap { $0.code == .readerGone ? nil : $0 }
    if let failure { Terminal.report(failure) }
    if let failure = report.counts.faceFailure ?? recorded?.faceFailure {
      Terminal.report(failure)
      Terminal.say("Face detection stopped there.")
    }
    if !messages.quiet {
      Terminal.say(report.sentence(seconds: result.seconds))
      if report.statistics.shown == 0, report.statistics.skipped > 0, let lack = MissingPictures.live(parameters) {
        Terminal.say("Nothing was shown: \(lack.reason) (\(lack.hint)).")
      }
      if outputs.withoutTapCount > 0 {
        Terminal.say(
          "\(Format.counted(outputs.withoutTapCount, "frame")) had no \(tap): they have no PNG, or a black picture.")
      }
      for target in wrote { Terminal.say("wrote \(target.place)") }
      if let recorded {
        Terminal.say(
          "Recorded \(Format.counts(streams, recorded.frameCounts)) frames; "
            + "\(Format.bytes(recorded.storedByteCount)).")
        for folder in recorded.folders { Terminal.say("wrote \(folder.path)") }
        if recorded.droppedCount > 0 {
          Terminal.say(RecordingReport.losses(recorded, of: streams, isLive: failure == nil))
        }
      }
    }
    if json {
      try print(
        report.json(
          seconds: result.seconds, withoutTapCount: outputs.withoutTapCount,
          recordings: recorded?.folders.map(\.path) ?? []
        ).versioned.text)
    }
    if let failure = failure ?? outputs.failure, ![.device, .disconnected, .readerGone].contains(failure.code) {
      throw ExitCode(ExitStatus.of(failure).rawValue)
    }
    if failure != nil || recorded?.droppedCount ?? 0 > 0 { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
