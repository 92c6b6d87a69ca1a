import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct FrameSetSpan: ParsableArguments {
  @Option(help: "Where to begin: \(MomentArgument.help).", completion: .moment) var from: MomentArgument?
  @Option(help: "Where to end: the last frame set, or the time or mark that it comes before.", completion: .moment)
  var to: MomentArgument?

  func validate() throws {
    if case .frameSet(let first) = from?.moment, case .frameSet(let last) = to?.moment, last < first {
      throw ValidationError("--from and --to take frame sets, the first not after the last.")
    }
  }

  var span: MomentSpan { MomentSpan(from: from?.moment, to: to?.moment) }
  var isEverything: Bool { span.isEverything }

  func frameSets(of recording: Recording) throws(RetakeError) -> Range<Int> { try span.frameSets(of: recording) }
}
