import ArgumentParser
import RecordingStore
import Support

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Copies recordings that follow each other into one, without re-encoding.",
    discussion: """
      retake join session-000.retake session-001.retake -o session.retake
      retake join first.retake second.retake --gap 1s -o both.retake

      Each recording keeps its place in time, which clocks say; they must not overlap. Streams must match in kind, size, rate \
      and all their settings, which 'retake info --json' shows. Marks, faces, events, tags and notes are copied. Exits 3 when \
      chunk files are damaged: it says where, and which frames could not be read.
      """)

  @Argument(help: "The recordings' folders, in the order of their times.", completion: .recording)
  var recordings: [String]
  @Option(name: [.short, .long], help: "The folder to create.", completion: .directory) var output: String
  @Option(
    help: "Place each recording this long after the last frame of the one before, whatever their clocks say: 33ms, 1s.")
  var gap: TimeSpan?
  @OptionGroup var sharing: SharingFlag
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  /// Parts that a recorder split are a frame apart.
  private static let notedGapNanoseconds: Int64 = 1_000_000_000

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty.") }
    if recordings.count < 2 && recordings != ["-"] { throw ValidationError("Give two recordings or more.") }
    if let gap, gap.nanoseconds == 0 { throw ValidationError("--gap takes more than 0: 33ms, 1s.") }
  }

  func run() throws {
    let paths = try RecordingPaths.expanded(recordings)
    guard paths.count >= 2 else { throw RetakeError(.usage, "Give two recordings or more.", hint: "name each of them") }
    let sources = try paths.map { try Recording.opened($0, isQuiet: messages.quiet) }
    let stop = StopSignal()
    let bar = ProgressBar("join", unit: "files", isQuiet: messages.quiet)
    let folder = RecordingFolder(path: output, isShared: sharing.shared)
    let report = try Join.run(sources, into: folder, gapNanoseconds: gap?.nanoseconds) { done, total in
      bar.update(done, of: total)
      return !stop.isSet
    }
    bar.end()
    for sentence in report.damage { Terminal.say(sentence) }
    if gap == nil {
      for (place, gap) in report.gaps.enumerated() where gap > Self.notedGapNanoseconds {
        messages.say(
          "\(Format.seconds(Double(gap) / 1e9)) lie between \(paths[place]) and \(paths[place + 1]), without frames.")
      }
    }
    if summary.json {
      try print(InfoReport(Recording(path: output)).json.versioned.text)
    } else if !messages.quiet {
      let counts = Format.counts(sources[0].streams, report.frameCounts)
      Terminal.say(
        "Joined \(counts) frames, \(Format.counted(report.markCount, "mark")); \(Format.bytes(report.byteCount)).")
      try print(output)
    }
    if !report.damage.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }
}
