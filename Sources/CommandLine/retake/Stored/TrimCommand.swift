import ArgumentParser
import RecordingStore
import Support

struct TrimCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim", abstract: "Copies a part of a recording into a new one, without re-encoding.",
    discussion: """
      retake trim session.retake --from 12s --to 20s -o short.retake
      retake trim session.retake --from 300 --to 450 -o short.retake
      retake trim session.retake --mark fall --before 5s --after 2s -o fall.retake

      Exits 3 when the part's chunk files are damaged: it says where, and which frames could not be read.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(name: [.short, .long], help: "The folder to create.", completion: .directory) var output: String
  @OptionGroup var span: FrameSetSpan
  @OptionGroup var around: MarkSpan
  @OptionGroup var sharing: SharingFlag
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty.") }
    try around.validate(besides: span)
    if around.mark == nil && span.isEverything { throw ValidationError("Give a part: --from, --to or --mark.") }
  }

  func run() throws {
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let selection = try selection(of: source)
    let stop = StopSignal()
    let bar = ProgressBar("trim", unit: "files", isQuiet: messages.quiet)
    let folder = RecordingFolder(path: output, isShared: sharing.shared)
    let report = try Trim.run(source, selection, into: folder) { done, total in
      bar.update(done, of: total)
      return !stop.isSet
    }
    bar.end()
    for sentence in report.damage { Terminal.say(sentence) }
    if summary.json {
      try print(InfoReport(Recording(path: output)).json.versioned.text)
    } else if !messages.quiet {
      let counts = Format.counts(source.streams, report.frameCounts)
      let seconds = Format.seconds(try Recording(path: output).summary().durationSeconds)
      Terminal.say(
        "Copied \(seconds): \(counts) frames, \(Format.counted(report.markCount, "mark")); \(Format.bytes(report.byteCount))."
      )
      try print(output)
    }
    if !report.damage.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func selection(of source: Recording) throws(RetakeError) -> FrameSelection {
    guard let times = try around.times(in: source) else {
      return try span.selection(of: source, say: messages.say)
    }
    return try FrameSelection(source, from: times.from, to: times.to)
  }
}
