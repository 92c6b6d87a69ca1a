import ArgumentParser
import Scores

struct SweepFlags: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The recordings' folders, - for lines of standard input; they may also be given in the file of --file.",
      valueName: "recording"), completion: .recording)
  var recordings: [String] = []

  @Option(
    help: ArgumentHelp(
      "YAML file of the sweep, with options as keys: scan, list, range, where, set, random, scores, recordings and so on. "
        + "Options on the command line take precedence.", valueName: "file.yaml"), completion: .yaml)
  var file: String?

  @OptionGroup(title: "Parameters that all settings have") var parameters: ParameterFlags
  @OptionGroup(title: "Settings to try") var space: SweepSpaceFlags

  @OptionGroup(title: "Scores and truth") var scoring: SweepScoreFlags
  @OptionGroup(title: "Frames") var span: FrameSetSpan
  @OptionGroup(title: "Frames") var pace: EveryFlag
}

struct SweepScoreFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The scores to compute, separated by commas, or all; they are described above. By default all but gradient and "
        + "connectivity, which are slow.", valueName: "score,score,…"), completion: .score)
  var scores: [String] = []
  @Option(
    help: ArgumentHelp(
      "Folder of ground-truth mattes: PNGs named by frame set, 000000.png, as 'replay --output png:FOLDER --tap matte' writes; "
        + "for several recordings, a subfolder each with the recording's name. Frames without a PNG have no truth. Left out are "
        + "pixels of alpha below 128, and those that are not 0 in the PNG of the same name in the folder's subfolder ignore. "
        + "By default a recording's own alpha stream.",
      valueName: "folder"), completion: .directory)
  var truth: String?
  @Option(
    help: ArgumentHelp(
      "Grey value of ground-truth pixels to leave out, 0 to 255, as in --ignore 128.", valueName: "grey"))
  var ignore: UInt8?
  @Option(
    help: ArgumentHelp(
      "How far outlines may lie apart for boundary-f, and how far from the outline haze begins, in pixels. By default 2 per 640 "
        + "of the picture's width, rounded, at least 1.", valueName: "pixels"))
  var boundaryTolerance: Int?

  func validate() throws {
    if let boundaryTolerance, !(1...BoundaryMatch.toleranceLimit).contains(boundaryTolerance) {
      throw ValidationError("--boundary-tolerance takes 1 to \(BoundaryMatch.toleranceLimit) pixels.")
    }
    if truth?.isEmpty == true { throw ValidationError("--truth is empty.") }
  }
}
