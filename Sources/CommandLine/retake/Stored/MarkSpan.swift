import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct MarkSpan: ParsableArguments {
  @Option(help: "Take the part around the mark with this label, instead of --from and --to.", completion: .mark)
  var mark: String?
  @Option(help: "With --mark, the time before it. By default 5s.") var before: TimeSpan?
  @Option(help: "With --mark, the time after it. By default 5s.") var after: TimeSpan?

  private static let usualNanoseconds: Int64 = 5_000_000_000

  func validate(besides span: FrameSetSpan) throws {
    if mark != nil && !span.isEverything {
      throw ValidationError("--mark replaces --from and --to; give --before and --after with it.")
    }
    if mark == nil && (before ?? after) != nil { throw ValidationError("--before and --after need --mark.") }
  }

  func times(in recording: Recording) throws(RetakeError) -> (from: PresentationTime, to: PresentationTime)? {
    guard let mark else { return nil }
    let moment = try recording.presentation(of: .mark(label: mark)).nanoseconds
    return (
      PresentationTime(nanoseconds: moment - (before?.nanoseconds ?? Self.usualNanoseconds)),
      PresentationTime(nanoseconds: moment + (after?.nanoseconds ?? Self.usualNanoseconds))
    )
  }

  func frameSets(of recording: Recording) throws(RetakeError) -> Range<Int>? {
    guard let times = try times(in: recording) else { return nil }
    let first = try recording.firstFrameSet(from: times.from)
    return first..<max(first, try recording.firstFrameSet(from: times.to))
  }
}
