import ArgumentParser
import FrameModel
import Replay
import Support
import Sweeps

struct SweepSpaceFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A parameter to try from a value to another by steps: matte.blur=1..12:1, or 1..16:*2 for steps that grow. Repeat it.",
      valueName: "name=low..high:step"))
  var scan: [String] = []
  @Option(
    help: ArgumentHelp(
      "A parameter and the values to try: depth.rate=1/1,1/2,1/3. Repeat it.", valueName: "name=value,value,…"))
  var list: [String] = []
  @Option(
    help: ArgumentHelp(
      "A parameter to draw from a range, with --random or --latin: mask.offset=0.1..0.5, or 1..32:log where each doubling "
        + "is as likely as the next. Repeat it.", valueName: "name=low..high"))
  var range: [String] = []
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "What has to hold of a setting: 'matte.open<matte.close', 'depth.rate!=1/1'. Repeat it; all have to.",
      valueName: "constraint"))
  var constraints: [String] = []
  @Option(help: "Try so many settings, drawn from all that --scan, --list and --range say.") var random: Int?
  @Option(
    help: "The same, with each parameter's values spread evenly over its range: a Latin hypercube.") var latin: Int?
  @Option(help: "Of what is drawn: another number, other settings. By default 0.") var seed: UInt64?

  func validate() throws {
    if random != nil && latin != nil {
      throw ValidationError("--random and --latin both say how settings are drawn: choose one.")
    }
  }

  /// - Throws: `.usage`, naming the argument and the nearest valid one.
  func definition() throws(RetakeError) -> SweepDefinition {
    let declarations = ReplaySession.declarations
    var definition = SweepDefinition()
    for (kind, texts) in [(SweepTerm.Kind.scan, scan), (.list, list), (.range, range)] {
      for text in texts { definition.terms.append(try SweepTerm(kind, text, declarations)) }
    }
    for text in constraints { definition.constraints.append(try SweepConstraint(text, declarations)) }
    if let random { definition.choice = .random(count: random) }
    if let latin { definition.choice = .latinHypercube(count: latin) }
    definition.seed = seed
    return definition
  }
}
