import ArgumentParser
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support
import Sweeps

struct SweepReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Writes a sweep's results as one HTML page.",
    discussion: """
      retake sweep report session-sweep.sqlite -o report.html
      retake sweep report session-sweep.sqlite -o report.html --best 'flicker<1,iou'
      retake sweep report session-sweep.sqlite -o report.html \\
          --recording moved/session.retake

      The page needs no network and no other file. It shows the best settings and the command that reproduces each, quality \
      against flicker and cost, the effect of each parameter, curves over the frames, and pictures of the best, the worst and \
      the current setting. Pictures need the recordings, which are looked up at their paths in the sweep, beside the results \
      and by --recording.
      """)

  @Argument(help: ArgumentHelp("A sweep's results.", valueName: "results"), completion: .results) var results: String
  @Option(name: [.short, .long], help: "The page to create; - is standard output.") var output: String
  @OptionGroup var existing: ExistingFiles
  @Option(
    help: ArgumentHelp(
      "How to choose the best: limits and, last, a score, as in 'flicker<1,iou'. By default as the sweep's --best; without, "
        + "by IoU or a similar score.",
      valueName: "choice"))
  var best: String?
  @Option(help: "The new path of a recording that was moved after the sweep. Repeat it.") var recording: [String] = []
  @Flag(help: "Leave out pictures.") var noPictures = false
  @OptionGroup var threads: ThreadFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    let ending = EndingSignal("no page was written.")
    defer { withExtendedLifetime(ending) {} }
    let given = try best.map { text throws(RetakeError) in try SweepChoice(text) }
    let output = TextOutput(path: output, results: results, existing: existing)
    try output.check()
    let name = self.output.split(separator: "/").last ?? ""
    guard !name.dropFirst().contains(".") || [".html", ".htm"].contains(where: name.lowercased().hasSuffix) else {
      throw RetakeError(
        .usage, "The report is a page, and \(self.output) is named as another kind of file.",
        hint: "name it report.html")
    }
    let file = try SweepResultsFile.open(results)
    let (identity, summaries) = (file.identity, try file.summaries())
    let choice = given ?? identity.choice
    let pictures =
      noPictures
      ? []
      : try ReportPictures(
        file, moved: recording,
        open: { path throws(RetakeError) in try Recording.opened(path, isQuiet: messages.quiet) },
        note: messages.say
      ).make(
        SweepReport.roles(identity, summaries, choice: choice), threadCount: threads.count)
    let report = try SweepReport(
      identity, summaries, frames: { key throws(RetakeError) in try file.frames(key) }, pictures: pictures,
      choice: choice, presetValues: Self.presetValues(identity.preset), searched: try file.searchedSettings())
    try output.write(report.html, isQuiet: true)
    if !output.isStandardOutput { try print(output.path) }
  }

  /// Nil for presets that this version does not have.
  private static func presetValues(_ preset: String) -> [SweepIdentity.Assignment]? {
    try? Preset.named(preset).parameters(ReplaySession.declarations).entries.map {
      SweepIdentity.Assignment(name: $0.name, value: $0.value)
    }
  }
}
