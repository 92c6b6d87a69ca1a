import ArgumentParser
import Replay
import Support
import Sweeps

struct SweepSpaceFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A parameter to try in steps from one value to another: matte.still=0..0.8:0.2, or 1..16:*2 to double each. Repeat it.",
      valueName: "name=low..high:step"), completion: .assignment)
  var scan: [String] = []
  @Option(
    help: ArgumentHelp(
      "A parameter and the values to try: depth.rate=1/1,1/2,1/3. Repeat it.", valueName: "name=value,value,…"),
    completion: .assignment)
  var list: [String] = []
  @Option(
    help: ArgumentHelp(
      "A parameter to draw from a range, with --random or --latin: mask.offset=0.1..0.5, or 1..32:log for values "
        + "evenly spread on a logarithmic scale. Repeat it.", valueName: "name=low..high"),
    completion: .assignment)
  var range: [String] = []
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "A condition that settings must fulfil: 'matte.open<matte.close', 'depth.rate!=1/1'. Repeat it; all must hold.",
      valueName: "constraint"))
  var constraints: [String] = []
  @Option(help: "Try this many settings, drawn from the values of --scan, --list and --range.") var random: Int?
  @Option(
    help: "Try this many settings as a Latin hypercube, spread evenly over each parameter's range.") var latin: Int?
  @Option(help: "Seed for drawing settings; another seed draws other settings. By default 0.") var seed: UInt64?

  func validate() throws {
    if random != nil && latin != nil {
      throw ValidationError("Use either --random or --latin, not both.")
    }
    let counts = 1...SweepSpace.settingLimit
    for (name, count) in [("--random", random), ("--latin", latin)] {
      guard let count, !counts.contains(count) else { continue }
      throw ValidationError("\(name) takes \(counts.lowerBound) to \(counts.upperBound).")
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
