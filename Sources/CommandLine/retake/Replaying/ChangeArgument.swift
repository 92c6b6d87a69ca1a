import ArgumentParser
import FrameModel
import Parameters
import RecordingStore
import Replay
import Support

/// `--at WHEN name=value`: a parameter that changes while frames pass.
struct ChangeArgument {
  let moment: Moment
  let assignment: String

  /// The two words as one, divided by `PairedArguments`' separator, or as somebody wrote them in quotes, by a space.
  init(_ argument: String) throws {
    let divider = argument.contains(PairedArguments.separator) ? PairedArguments.separator : " "
    let words = argument.split(separator: divider, maxSplits: 1)
    guard words.count == 2 else {
      throw ValidationError("two words are expected, as in --at 120 matte.blur=8.")
    }
    guard let moment = MomentArgument(argument: String(words[0]))?.moment else {
      throw ValidationError("'\(words[0])' is no moment; there are 120 for a frame set, 3.5s and mark:LABEL.")
    }
    self.moment = moment
    assignment = String(words[1])
  }
}

extension [ChangeArgument] {
  /// - Parameter parameters: what holds before.
  /// - Throws: `.notFound` for a moment that the recording does not have, `.usage` for words that are off and for
  ///   parameters that cannot change.
  func changes(of parameters: ParameterSet, in recording: Recording) throws(RetakeError) -> ParameterTimeline {
    let firstNumber = try recording.firstNumber()
    var assignments: [(frame: Int, assignment: String)] = []
    for change in self {
      assignments.append((try recording.frameSet(at: change.moment) + firstNumber, change.assignment))
    }
    return try ParameterTimeline(from: parameters, assignments)
  }
}

extension Recording {
  /// The first frame set from a moment on, counted from 0 at the recording's first.
  func frameSet(at moment: Moment) throws(RetakeError) -> Int {
    guard case .frameSet(let number) = moment else { return try firstFrameSet(from: presentation(of: moment)) }
    let first = try firstNumber()
    guard number >= first else {
      throw RetakeError(
        .notFound, "\(folder.path) has no frame set \(number).",
        hint: "it is a part of a longer recording: its frame sets keep their numbers, from \(first) on")
    }
    return number - first
  }
}
