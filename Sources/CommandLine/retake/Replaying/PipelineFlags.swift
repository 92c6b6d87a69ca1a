import ArgumentParser
import MattePipeline
import Parameters
import Replay
import Support

/// The parameters of a command that shows pictures, with a short option for the background.
struct PipelineFlags: ParsableArguments {
  @OptionGroup var parameters: ParameterFlags
  @Option(
    help: "Background picture, video or recording; short for --set composite.background=FILE.",
    completion: .file())
  var background: String?

  /// - Throws: as `ParameterFlags.resolved`.
  func resolved() throws(RetakeError) -> (preset: String, values: ParameterSet) {
    var (preset, values) = try parameters.resolved()
    if let background { try values.set(PipelineParameters.composite.background.declaration.name, to: background) }
    return (preset, values)
  }

  /// Sentences on parameters that are set, now or later, and never have an effect.
  func idleSentences(in values: ParameterSet, changes: [String]) throws(RetakeError) -> [String] {
    let named = background == nil ? [] : [PipelineParameters.composite.background.declaration.name]
    return try ReplaySession.idleSentences(of: parameters.set + named + changes, from: values, changes: changes)
  }
}
