import MattePipeline
import Parameters
import RecordingStore
import Replay
import Segmentation

/// What settings are called by: the digests that their replays have.
struct SettingDigests {
  private let preset: String
  private let recording: Recording
  /// By model and quality, as far as they were found.
  private var networks: [[String]: MaskIdentity?] = [:]

  /// - Parameter recording: where masks of a model lie whose file is gone.
  init(preset: String, recording: Recording) { (self.preset, self.recording) = (preset, recording) }

  /// A network counts by its contents. The background has no part in any matte and counts by its name, so that it need not be
  /// there.
  mutating func digest(of setting: ParameterSet) -> String {
    let background = setting[PipelineParameters.background]
    return ReplayIdentity(
      recordingID: "", preset: preset, parameters: setting, schedule: DepthSchedule(setting), frameCount: nil,
      background: background.isEmpty ? nil : background, masks: network(setting)
    ).parameterDigest
  }

  /// Nil where none is needed. One that cannot be opened counts by its name: its settings will fail.
  private mutating func network(_ setting: ParameterSet) -> MaskIdentity? {
    guard PipelineNeeds(setting).needsSegmentation else { return nil }
    let key = [setting[PipelineParameters.maskModel], setting[PipelineParameters.maskQuality]]
    if let known = networks[key] { return known }
    // Without a recording nothing is prepared to be kept; where the file is gone, its masks may still lie beside one.
    let made =
      (try? Segmenters.make(setting, recording: nil, note: { _ in }))
      ?? (try? Segmenters.make(setting, recording: recording, note: { _ in }))
    let identity = made?.identity ?? MaskIdentity(network: key[0], recordingID: "", stream: "")
    networks[key] = .some(identity)
    return identity
  }
}
