import ArgumentParser
import RecordingStore

/// Where a recording ends, and where it continues in another.
struct RecordLimitFlags: ParsableArguments {
  @Option(
    name: [.long, .customLong("max-duration")],
    help: "End after this much recording time: 5s, 500ms, 2m, 1h.") var duration: TimeSpan?

  @Option(help: "End cleanly before the chunk files exceed this size: 500MB, 4GiB.") var maxSize: ByteCount?

  @Option(help: "Continue in a new recording (NAME-001.retake and so on) after this much time or data: 10m, 4GB.")
  var split: SplitSize?

  func validate() throws {
    if let duration, duration.nanoseconds == 0 {
      throw ValidationError("--duration takes more than 0: 5s, 500ms, 2m, 1h.")
    }
    if let maxSize, maxSize.bytes < 1 << 20 { throw ValidationError("--max-size takes 1MiB or more.") }
    if let split = split?.options,
      split.byteCount.map({ $0 < 1 << 20 }) ?? false || split.nanoseconds.map({ $0 < 1_000_000_000 }) ?? false
    {
      throw ValidationError("--split takes 1s or more, or 1MiB or more.")
    }
  }
}

/// Where to split: a time span or a number of bytes. Ambiguous text is a time: "90" is seconds.
struct SplitSize: ExpressibleByArgument {
  let options: SplitOptions

  init?(argument: String) {
    if let span = TimeSpan(argument: argument) {
      options = SplitOptions(nanoseconds: span.nanoseconds, byteCount: nil)
    } else if let count = ByteCount(argument: argument) {
      options = SplitOptions(nanoseconds: nil, byteCount: count.bytes)
    } else {
      return nil
    }
  }
}
