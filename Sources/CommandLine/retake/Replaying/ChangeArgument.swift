import ArgumentParser
import Parameters
import RecordingStore
import Replay
import Support

/// `--at WHEN name=value`: a parameter change during the replay.
struct ChangeArgument {
  let moment: Moment
  let assignment: String

  /// Both words in one argument, joined by `PairedArguments`, or by a space if quoted.
  init(_ argument: String) throws {
    let divider = argument.contains(PairedArguments.separator) ? PairedArguments.separator : " "
    let words = argument.split(separator: divider, maxSplits: 1)
    guard words.count == 2 else {
      throw ValidationError("two words are expected, as in --at 120 matte.still=0.")
    }
    guard let moment = MomentArgument(argument: String(words[0]))?.moment else {
      throw ValidationError("'\(words[0])' is not a moment; write 120 for a frame set, 3.5s or mark:LABEL.")
    }
    self.moment = moment
    assignment = String(words[1])
  }
}

extension [ChangeArgument] {
  /// - Parameter parameters: values before the first change.
  /// - Throws: `.notFound` for a moment outside of the recording, `.usage` for invalid assignments.
  func changes(of parameters: ParameterSet, in recording: Recording) throws(RetakeError) -> ParameterTimeline {
    let firstNumber = try recording.firstNumber()
    let assignments = try map { change throws(RetakeError) in
      (frame: try recording.frameSet(at: change.moment) + firstNumber, assignment: change.assignment)
    }
    return try ParameterTimeline(from: parameters, assignments)
  }
}
