import ArgumentParser
import RecordingStore

/// Where a recording ends, and where it continues in another.
struct RecordLimitFlags: ParsableArguments {
  @Option(
    name: [.long, .customLong("max-duration")],
    help: "End after this much recording time: 5s, 500ms, 2m, 1h.") var duration: TimeSpan?

  @Option(help: "End cleanly before the chunk files exceed this size: 500MB, 4GiB.") var maxSize: ByteCount?

  @Option(
    help: """
      Go on for ever: remove the oldest chunk files beyond this size of the folder, 64MiB or more, or this age, 10s or \
      more, but nothing near marks: 100GB, 2h. The unit is needed.
      """)
  var ring: RingSize?

  @Option(
    help:
      "Continue in a new recording (NAME-000.retake, NAME-001.retake and so on) after this much time or data: 10m, 4GB."
  )
  var split: SplitSize?

  func validate() throws {
    if let duration, duration.nanoseconds == 0 {
      throw ValidationError("--duration takes more than 0: 5s, 500ms, 2m, 1h.")
    }
    if let maxSize, maxSize.bytes < 1 << 20 { throw ValidationError("--max-size takes 1MiB or more.") }
    if let ring {
      if split != nil { throw ValidationError("--ring and --split exclude each other: a ring is one recording.") }
      if maxSize != nil { throw ValidationError("--ring and --max-size exclude each other: --ring takes the size.") }
      try ring.validate()
    }
    if let split = split?.options,
      split.byteCount.map({ $0 < 1 << 20 }) ?? false || split.nanoseconds.map({ $0 < 1_000_000_000 }) ?? false
    {
      throw ValidationError("--split takes 1s or more, or 1MiB or more.")
    }
  }
}

/// What a ring keeps: a number of bytes or a time span, with its unit.
struct RingSize: ExpressibleByArgument {
  private let byteCount: Int?
  private let nanoseconds: Int64?

  init?(argument: String) {
    // A size without a unit would be read as seconds, and the disk would fill.
    guard argument.contains(where: \.isLetter) else { return nil }
    if let span = TimeSpan(argument: argument) {
      (byteCount, nanoseconds) = (nil, span.nanoseconds)
    } else if let count = ByteCount(argument: argument) {
      (byteCount, nanoseconds) = (count.bytes, nil)
    } else {
      return nil
    }
  }

  func validate() throws {
    if byteCount.map({ $0 < RingOptions.leastByteCount }) ?? false
      || nanoseconds.map({ $0 < RingOptions.leastNanoseconds }) ?? false
    {
      throw ValidationError("--ring takes 64MiB or more, or 10s or more: 100GB, 2h.")
    }
  }

  func options(_ window: (preroll: Int64, postroll: Int64)) -> RingOptions {
    RingOptions(
      byteCount: byteCount, nanoseconds: nanoseconds, prerollNanoseconds: window.preroll,
      postrollNanoseconds: window.postroll)
  }
}

/// Where to split: a time span or a number of bytes. Ambiguous text is a time: "90" is seconds.
struct SplitSize: ExpressibleByArgument {
  let options: SplitOptions

  init?(argument: String) {
    // As RingSize: without a unit it would be read as seconds.
    guard argument.contains(where: \.isLetter) else { return nil }
    if let span = TimeSpan(argument: argument) {
      options = SplitOptions(nanoseconds: span.nanoseconds, byteCount: nil)
    } else if let count = ByteCount(argument: argument) {
      options = SplitOptions(nanoseconds: nil, byteCount: count.bytes)
    } else {
      return nil
    }
  }
}
