import ArgumentParser
import FrameModel
import RecordingStore

struct TrimCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim", abstract: "Copies a part of a recording into a new one, without encoding anything again.",
    discussion: """
      retake trim session.retake --from 12s --to 20s -o short.retake
      retake trim session.retake --from 300 --to 450 -o short.retake
      retake trim session.retake --mark fall --before 5s --after 2s -o fall.retake

      Exits 3 when some of it could not be read.
      """)

  @Argument(help: "The recording's folder.") var recording: String
  @Option(name: [.short, .long], help: "The folder to make.") var output: String
  @OptionGroup var span: FrameSetSpan
  @Option(help: "The part around the mark with this label, in place of --from and --to.") var mark: String?
  @Option(help: "With --mark, how much before it. By default 5s.") var before: TimeSpan?
  @Option(help: "With --mark, how much after it. By default 5s.") var after: TimeSpan?
  @Flag(help: "Print what was made as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output names nothing.") }
    if mark != nil && !span.isEverything {
      throw ValidationError("--mark stands in place of --from and --to; give --before and --after with it.")
    }
    if mark == nil && (before ?? after) != nil { throw ValidationError("--before and --after go with --mark.") }
    if mark == nil && span.isEverything { throw ValidationError("Say which part: --from, --to or --mark.") }
  }

  func run() throws {
    let source = try Recording.opened(recording, isQuiet: quiet)
    let selection = try selection(of: source)
    let stop = StopSignal()
    var bar: ProgressBar?
    let report = try Trim.run(source, selection, into: RecordingFolder(path: output)) { done, total in
      if bar == nil { bar = ProgressBar("trim", total: total, unit: "files", isQuiet: quiet) }
      bar?.update(done)
      return !stop.isSet
    }
    bar?.end()
    for sentence in report.damage { Terminal.say(sentence) }
    if json {
      print(try InfoReport(Recording(path: output)).json.text)
    } else if !quiet {
      let counts = Format.counts(source.streams, report.frameCounts)
      Terminal.say("Copied \(counts) frames, \(report.markCount) marks; \(Format.bytes(report.byteCount)).")
      print(output)
    }
    if !report.damage.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func selection(of source: Recording) throws(RetakeError) -> FrameSelection {
    guard let mark else { return try FrameSelection(source, frameSets: span.frameSets(of: source)) }
    let usual: Int64 = 5_000_000_000
    let moment = try source.presentation(of: .mark(label: mark)).nanoseconds
    return try FrameSelection(
      source, from: PresentationTime(nanoseconds: moment - (before?.nanoseconds ?? usual)),
      to: PresentationTime(nanoseconds: moment + (after?.nanoseconds ?? usual)))
  }
}
