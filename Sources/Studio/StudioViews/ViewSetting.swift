import MattePipeline
import Parameters
import Replay
import Support

/// A preset and all values: what a view shows its frames with.
package struct ViewSetting: Hashable, Sendable {
  package let preset: String
  /// Values of `ReplaySession.declarations`.
  package let parameters: ParameterSet

  package init(preset: String, parameters: ParameterSet) {
    self.preset = preset
    self.parameters = parameters
  }

  /// Later ones override earlier ones, as on the command line: preset, profile, file, values.
  /// - Parameter preset: nil for that of the file, or the standard one.
  /// - Throws: `.usage` naming what is invalid, and the nearest valid one.
  package init(
    preset: String?, profile: String? = nil, file: ParameterFile? = nil, values: [String: String] = [:]
  ) throws(RetakeError) {
    let name = preset ?? file?.preset
    let start = try name.map { name throws(RetakeError) in try Preset.named(name) } ?? Preset.standard
    var parameters = try start.parameters(ReplaySession.declarations)
    if let profile = profile ?? file?.profile { try DeviceProfile.named(profile).apply(to: &parameters) }
    try file?.apply(to: &parameters)
    // In the order of names, so that of several errors it is always the same.
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { try parameters.set(name, to: value) }
    self.init(preset: start.name, parameters: parameters)
  }

  /// Names and values that differ from the preset's.
  package var changes: [(name: String, value: String)] {
    guard let start = try? Preset.named(preset).parameters(ReplaySession.declarations) else {
      return parameters.entries
    }
    return zip(start.entries, parameters.entries).filter { $0.value != $1.value }.map(\.1)
  }

  package var yaml: String {
    let start = try? Preset.named(preset).parameters(ReplaySession.declarations)
    return parameters.yamlText(preset: preset, besides: start)
  }
}

/// The frame sets that are played. The first is the first that the pipeline sees, so that pictures are those of
/// `retake replay --from --to`.
package struct ViewSpan: Hashable, Sendable {
  /// Numbers of frame sets, as in a replay's digests.
  package let frames: Range<Int>

  package init(frames: Range<Int>) { self.frames = frames }
}
