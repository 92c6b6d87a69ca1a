import ArgumentParser

/// A command, or a group of its options, that has --quiet.
protocol Quietable {
  var quiet: Bool { get }
}

extension Quietable {
  /// Prints a message, unless with --quiet.
  func say(_ sentence: String) { if !quiet { Terminal.say(sentence) } }
  func say(_ sentences: [String]) { for sentence in sentences { say(sentence) } }
}

struct QuietFlag: ParsableArguments, Quietable {
  @Flag(name: [.short, .long], help: "Print only errors.") var quiet = false
}

struct SummaryFlag: ParsableArguments {
  @Flag(help: "Print a summary as JSON.") var json = false
}

struct JSONFlag: ParsableArguments {
  @Flag(help: "Print JSON.") var json = false
}
