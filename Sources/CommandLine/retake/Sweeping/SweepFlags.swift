import ArgumentParser
import Sweeps

struct SweepFlags: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The recordings' folders; they may also be given in the file of --file.", valueName: "recording")
  )
  var recordings: [String] = []

  @Option(
    help: ArgumentHelp(
      "YAML file of the sweep, with options as keys: scan, list, range, where, set, random, scores, recordings and so on. "
        + "Options on the command line take precedence.", valueName: "file.yaml"))
  var file: String?

  @OptionGroup var parameters: ParameterFlags
  @OptionGroup var space: SweepSpaceFlags

  @Option(
    help: ArgumentHelp(
      "The scores to compute, separated by commas, or all; they are described above. By default all but gradient and "
        + "connectivity, which are slow.", valueName: "score,score,…"))
  var scores: [String] = []
  @Option(
    help: ArgumentHelp(
      "Folder of ground-truth mattes: PNGs named by frame set, 000000.png, as 'replay --output png:FOLDER --tap matte' writes; "
        + "for several recordings, a subfolder each with the recording's name. By default a recording's own alpha stream.",
      valueName: "folder"))
  var truth: String?
  @OptionGroup var span: FrameSetSpan
  @OptionGroup var pace: EveryFlag

  func validate() throws {
    if truth?.isEmpty == true { throw ValidationError("--truth is empty.") }
  }
}
