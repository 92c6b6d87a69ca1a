import ArgumentParser
import RecordingStore

struct MomentArgument: ExpressibleByArgument {
  static let help = "3.5s from the first frame, 120 for a frame set, or mark:LABEL"

  let moment: Moment
  let text: String

  init?(argument: String) {
    text = argument
    if argument.hasPrefix("mark:") {
      moment = .mark(label: String(argument.dropFirst(5)))
    } else if let number = Int(argument) {
      guard number >= 0 else { return nil }
      moment = .frameSet(number)
    } else if argument.last?.isLetter == true, let span = TimeSpan(argument: argument) {
      moment = .time(nanoseconds: span.nanoseconds)
    } else {
      return nil
    }
  }
}
