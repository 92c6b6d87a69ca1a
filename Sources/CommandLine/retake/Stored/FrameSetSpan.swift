import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct FrameSetSpan: ParsableArguments {
  @Option(
    help: "Where to begin: \(MomentArgument.help). A bare number is a frame set, not seconds.", completion: .moment)
  var from: MomentArgument?
  @Option(
    help:
      "Where to end: 3.5s or mark:LABEL, of which nothing is taken, or 120 for a frame set, which is the last one taken.",
    completion: .moment)
  var to: MomentArgument?

  func validate() throws {
    if case .frameSet(let first) = from?.moment, case .frameSet(let last) = to?.moment, last < first {
      throw ValidationError("--from and --to take frame sets, the first not after the last.")
    }
    if case .time(let begin) = from?.moment, case .time(let end) = to?.moment, end <= begin {
      throw ValidationError("--from has to be before --to.")
    }
  }

  var span: MomentSpan { MomentSpan(from: from?.moment, to: to?.moment) }
  var isEverything: Bool { span.isEverything }

  func frameSets(of recording: Recording) throws(RetakeError) -> Range<Int> { try span.frameSets(of: recording) }
}
