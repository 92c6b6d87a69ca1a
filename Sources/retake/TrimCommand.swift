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

      The part begins with --from and ends before --to. Exits 3 when some of it could not be read.
      """)

  @Argument(help: "The recording's folder.") var recording: String
  @Option(name: [.short, .long], help: "The folder to make.") var output: String
  @Option(help: "Where the part begins: \(MomentArgument.help). By default the first frame.") var from: MomentArgument?
  @Option(help: "Where it ends. By default behind the last frame.") var to: MomentArgument?
  @Option(help: "The part around the mark with this label, in place of --from and --to.") var mark: String?
  @Option(help: "With --mark, how much before it. By default 5s.") var before: TimeSpan?
  @Option(help: "With --mark, how much after it. By default 5s.") var after: TimeSpan?
  @Flag(help: "Print what was made as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if mark != nil && (from != nil || to != nil) {
      throw ValidationError("--mark stands in place of --from and --to; give --before and --after with it.")
    }
    if mark == nil && (before ?? after) != nil { throw ValidationError("--before and --after go with --mark.") }
    if mark == nil && from == nil && to == nil { throw ValidationError("Say which part: --from, --to or --mark.") }
  }

  func run() throws {
    let source = try Recording.opened(recording, isQuiet: quiet)
    let (start, end) = try span(of: source)
    guard start < end else {
      throw RetakeError(.usage, "The part ends before it begins.", hint: "give --from a place before --to")
    }
    var bar: ProgressBar?
    let report = try Trim.run(source, from: start, to: end, into: RecordingFolder(path: output)) { done, total in
      if bar == nil { bar = ProgressBar("trim", total: total, unit: "files", isQuiet: quiet) }
      bar?.update(done)
    }
    bar?.end()
    for sentence in report.damage { Terminal.say(sentence) }
    if json {
      print(try InfoReport(Recording(path: output)).json.text)
    } else if !quiet {
      let counts = zip(source.streams, report.frameCounts).map { "\($0.name) \($1)" }.joined(separator: ", ")
      Terminal.say("Copied \(counts) frames, \(report.markCount) marks; \(Format.bytes(report.byteCount)).")
      print(output)
    }
    if !report.damage.isEmpty { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func span(of source: Recording) throws(RetakeError) -> (PresentationTime, PresentationTime) {
    if let mark {
      let usual: Int64 = 5_000_000_000
      let moment = try source.presentation(of: .mark(label: mark)).nanoseconds
      return (
        PresentationTime(nanoseconds: moment - (before?.nanoseconds ?? usual)),
        PresentationTime(nanoseconds: moment + (after?.nanoseconds ?? usual))
      )
    }
    let last = try source.summary().streams.compactMap(\.lastPresentation).max() ?? PresentationTime(nanoseconds: 0)
    let start = try from.map { from throws(RetakeError) in try source.presentation(of: from.moment) }
    let end = try to.map { to throws(RetakeError) in try source.presentation(of: to.moment) }
    let first = try source.start()
    return (start ?? first, end ?? PresentationTime(nanoseconds: last.nanoseconds + 1))
  }
}
