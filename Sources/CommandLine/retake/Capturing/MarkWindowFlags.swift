import ArgumentParser
import RecordingStore

struct MarkWindowFlags: ParsableArguments {
  @Flag(help: "Store only frames near marks; until a mark is set, frames are kept in memory.") var onMark = false
  @Option(help: "With --on-mark or --ring, the time to keep before each mark. By default 10s.") var preroll: TimeSpan?
  @Option(help: "With --on-mark or --ring, the time to keep after each mark. By default 5s.") var postroll: TimeSpan?

  /// Nil to store everything.
  var window: MarkWindowOptions? {
    guard onMark else { return nil }
    return MarkWindowOptions(prerollNanoseconds: span.preroll, postrollNanoseconds: span.postroll)
  }

  /// Nanoseconds before and after a mark.
  var span: (preroll: Int64, postroll: Int64) {
    (
      preroll?.nanoseconds ?? MarkWindowOptions.usualPreroll, postroll?.nanoseconds ?? MarkWindowOptions.usualPostroll
    )
  }

  func validate(isRing: Bool) throws {
    if isRing && onMark {
      throw ValidationError("--ring and --on-mark exclude each other: a ring keeps everything for a while.")
    }
    if !onMark && !isRing && (preroll ?? postroll) != nil {
      throw ValidationError("--preroll and --postroll need --on-mark or --ring.")
    }
  }
}
