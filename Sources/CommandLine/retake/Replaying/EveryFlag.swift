import ArgumentParser
import Sweeps

struct EveryFlag: ParsableArguments {
  @Option(help: "Play only every n-th frame set, counted from the first one played.") var every: Int?

  func validate() throws {
    if let every, !(1...SweepFile.everyLimit).contains(every) {
      throw ValidationError("--every takes 1 to \(SweepFile.everyLimit).")
    }
  }
}
