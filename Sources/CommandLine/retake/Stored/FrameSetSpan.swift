import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct FrameSetSpan: ParsableArguments {
  @Option(help: "Where to begin: \(MomentArgument.help).") var from: MomentArgument?
  @Option(help: "Where to end: the last frame set, or the time or mark that it lies before.") var to: MomentArgument?

  func validate() throws {
    if case .frameSet(let first) = from?.moment, case .frameSet(let last) = to?.moment, last < first {
      throw ValidationError("--from and --to take frame sets, the first not after the last.")
    }
  }

  var isEverything: Bool { from == nil && to == nil }

  /// Frame sets counted from the recording's first as 0; the end may exceed its last. For a part of
  /// a longer recording, by default those to be played.
  func frameSets(of recording: Recording) throws(RetakeError) -> Range<Int> {
    let part = try recording.part()
    if isEverything, let part {
      return part.played.lowerBound - part.firstNumber..<part.played.upperBound - part.firstNumber
    }
    let first = try from.map { from throws(RetakeError) in try recording.frameSet(at: from.moment) } ?? 0
    guard let to else { return first..<Int.max }
    var end = try recording.frameSet(at: to.moment)
    if case .frameSet = to.moment, end < Int.max { end += 1 }
    guard first < end else {
      let firstNumber = part?.firstNumber ?? 0
      throw RetakeError(
        .usage,
        "There is nothing between --from and --to: the part would begin at frame set \(first + firstNumber) and end "
          + "before \(end + firstNumber).",
        hint: "'retake info' shows how long a recording is and where its marks lie")
    }
    return first..<end
  }
}
