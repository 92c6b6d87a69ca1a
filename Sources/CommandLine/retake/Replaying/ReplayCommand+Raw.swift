import ArgumentParser
import FrameModel
import RecordingStore
import Replay
import Support

extension ReplayCommand {
  /// Plays streams in their cameras' place.
  func playRaw() throws {
    try checkRawFlags()
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let selection =
      try span.isEverything
      ? nil : span.selection(of: source, say: messages.say)
    let stop = StopSignal()
    let controls = PlayControls(
      speed: play.speed?.speed ?? .realTime, isPaused: play.paused, endsWhen: { [flag = stop.flag] in flag.isSet })
    let outputs = try RawTarget.open(raw, of: source, patience: WritePatience(until: { controls.state.isEnded }))
    let passCount = play.loop ? nil : play.passes ?? 1
    let playback = RawPlayback(
      source, outputs, selection: selection, passCount: passCount, threadCount: threads.count)
    let (framesPerPass, isQuiet) = (try playback.frameCount(), messages.quiet)
    for (output, target) in zip(outputs, raw) {
      messages.say("\(target.stream) is shown at \(target.path) as \(output.format.samples.name)")
    }
    let hasKeys = ReplayKeys.isPossible(isQuiet: isQuiet)
    let line = ReplayLine(
      controls, total: passCount.map { framesPerPass * $0 }, start: try source.start(), isQuiet: isQuiet)
    if hasKeys { Terminal.say(ReplayKeys.help) }
    let result = try {
      let keys = hasKeys ? ReplayKeys(controls) { line.redraw() } : nil
      defer {
        keys?.end()
        line.end()
      }
      let bar = ProgressBar("replay", isQuiet: isQuiet)
      return try playback.play(controls) { line.update($0, $1, playedCount: $2, bar: bar) }
    }()
    try conclude(result, outputs, of: source)
    if stop.isSet { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  /// - Throws: `.usage` for options that choose or change pictures of the pipeline.
  private func checkRawFlags() throws {
    let foreign: [(name: String, isGiven: Bool)] = [
      ("--output", !output.isEmpty), ("--at", !at.isEmpty), ("--tap", tap != "composite"),
      ("--background", flags.background != nil),
      ("--preset, --profile, --parameters or --set", !flags.parameters.isEmpty),
      ("--every", play.pace.every != nil), ("--reverse", play.reverse),
    ]
    if let given = foreign.first(where: \.isGiven) {
      throw RetakeError(
        .usage, "--raw shows frames as they were recorded, to which \(given.name) does not apply.",
        hint: "leave one of them out")
    }
    try play.check([], hasKeys: ReplayKeys.isPossible(isQuiet: messages.quiet))
  }

  private func conclude(_ result: RawPlayback.Result, _ outputs: [RawOutput], of source: Recording) throws {
    let late = Double(result.lateness.largestNanoseconds) / 1e6
    if json {
      let streams = zip(outputs, raw).map { output, target in
        JSONObject([
          "name": target.stream, "device": target.path, "format": output.format.samples.name,
          "frames": output.shownCount, "left_out": output.leftOutCount,
        ])
      }
      try print(
        JSONObject([
          "is_complete": result.isComplete, "late": result.lateness.count, "latest_ms": late, "streams": streams,
        ]).versioned.text)
    } else if !messages.quiet {
      for (output, target) in zip(outputs, raw) {
        let leftOut = output.leftOutCount
        Terminal.say(
          "\(target.stream): \(Format.counted(output.shownCount, "frame")) to \(target.path)"
            + (leftOut > 0 ? ", \(leftOut) left out: damaged, or larger than the device takes" : ""))
      }
      Terminal.say(
        Format.seconds(result.seconds) + (result.isComplete ? "" : "; stopped before the end")
          + (result.lateness.count > 0
            ? "; \(Format.counted(result.lateness.count, "frame")) came up to \(Format.decimals(late, 0)) ms late" : "")
      )
    }
    if result.isComplete, let empty = outputs.first(where: { $0.shownCount == 0 }) {
      throw RetakeError(
        .notFound, "No frame of stream '\(source.streams[empty.stream].name)' could be shown.",
        hint: "'retake verify' says what is damaged")
    }
  }
}
