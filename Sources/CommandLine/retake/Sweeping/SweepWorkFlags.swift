import ArgumentParser

/// How a sweep's work is done, which changes no bit of its results.
struct SweepWorkFlags: ParsableArguments {
  @OptionGroup var threads: ThreadFlag
  @Option(help: "Memory for settings that run at once; affects only the speed. By default 2G.")
  var memory: ByteCount?
  @Option(
    help: ArgumentHelp(
      "The most work that a kill may cost, as in 30s or 5m; affects only the speed. By default 1m.", valueName: "time"))
  var checkpoint: TimeSpan?

  private static let memoryByteCount = 2_000_000_000
  private static let shortestSeconds = 0.01

  var memoryLimit: Int { memory?.bytes ?? Self.memoryByteCount }
  var checkpointSeconds: Double { checkpoint.map { Double($0.nanoseconds) / 1e9 } ?? 60 }

  /// The options that were given, for another command.
  var words: [String] {
    var words: [String] = []
    if let threads = threads.threads { words += ["--threads", "\(threads)"] }
    if let memory { words += ["--memory", "\(memory.bytes)"] }
    if checkpoint != nil { words += ["--checkpoint", "\(checkpointSeconds)s"] }
    return words
  }

  func validate() throws {
    guard checkpointSeconds >= Self.shortestSeconds else {
      throw ValidationError("--checkpoint takes 10ms or more.")
    }
  }
}
