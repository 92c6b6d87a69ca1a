import ArgumentParser
import FrameModel
import SweepResults

struct SweepCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Says whether two sweeps' results are the same, and which scores moved.",
    discussion: """
      retake sweep compare before.sqlite after.sqlite
      retake sweep compare before.sqlite after.sqlite --json | jq .

      Runs are matched by the recording's id and the setting's parameters, so that results of two versions of Retake, or of \
      sweeps that have only some settings in common, can be compared. Exits 0 when both have the same runs with the same scores \
      of every frame, to the bit, and 1 when not. What runs cost is measured, differs every time and is left out.
      """)

  @Argument(help: "A sweep's results.") var old: String
  @Argument(help: "Another's.") var new: String
  @Flag(help: "Print what was found as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors: the exit code tells.") var quiet = false

  func run() throws {
  }
}
