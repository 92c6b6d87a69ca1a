import ArgumentParser
import Sweeps

struct SweepFlags: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The recordings' folders; a file of --file may name them instead.", valueName: "recording"))
  var recordings: [String] = []

  @Option(
    help: ArgumentHelp(
      "The sweep in YAML, with the same words as keys: scan, list, range, where, set, random, scores, recordings and so on. "
        + "Words on the command line count more.", valueName: "file.yaml"))
  var file: String?

  @OptionGroup var parameters: ParameterFlags
  @OptionGroup var space: SweepSpaceFlags

  @Option(
    help: ArgumentHelp(
      "What to judge by, with commas, or all; what each is stands above. By default all but gradient and "
        + "connectivity, which take long.", valueName: "score,score,…"))
  var scores: [String] = []
  @Option(
    help: ArgumentHelp(
      "Mattes that are right, as PNGs named by frame set, 000000.png, such as 'replay --output png:FOLDER --tap matte' writes; "
        + "of several recordings in a folder each, by the recording's name. By default a recording's own alpha stream.",
      valueName: "folder"))
  var truth: String?
  @OptionGroup var span: FrameSetSpan
  @Option(help: "Play every n-th frame set only, counted from where play begins.") var every: Int?

  func validate() throws {
    if let every, !(1...SweepFile.everyLimit).contains(every) {
      throw ValidationError("--every takes 1 to \(SweepFile.everyLimit).")
    }
    if truth?.isEmpty == true { throw ValidationError("--truth names no folder.") }
  }
}
