import MattePipeline
import Parameters
import RecordingStore
import Replay

/// Computes the digests that identify settings; the same as the digests of their replays.
struct SettingDigests {
  private let preset: String
  private let recording: Recording
  private var plates: [String: String] = [:]
  private var networks: [NetworkChoice: MaskIdentity?] = [:]

  /// - Parameter recording: holds stored masks of models whose file is gone.
  init(preset: String, recording: Recording) { (self.preset, self.recording) = (preset, recording) }

  /// Networks and plates are identified by their contents. The background does not affect mattes and is
  /// identified by name, so the file need not exist.
  mutating func digest(of setting: ParameterSet) -> String {
    let background = setting[PipelineParameters.composite.background]
    return DigestHeader(
      recordingID: "", preset: preset, parameters: setting, schedule: DepthSchedule(setting), frameCount: nil,
      background: background.isEmpty ? nil : background, plate: plate(setting), masks: network(setting)
    ).parameterDigest
  }

  /// A plate that cannot be read is identified by name: its settings will fail.
  private mutating func plate(_ setting: ParameterSet) -> String? {
    let path = setting[PipelineParameters.mask.plate]
    guard !path.isEmpty else { return nil }
    if let known = plates[path] { return known }
    let identity = (try? EmptyScene(path: path))?.identity ?? path
    plates[path] = identity
    return identity
  }

  /// Returns nil if no network is needed. A network that cannot be opened is identified by name:
  /// its settings will fail.
  private mutating func network(_ setting: ParameterSet) -> MaskIdentity? {
    guard PipelineNeeds(setting).needsSegmentation else { return nil }
    let key = NetworkChoice(setting)
    if let known = networks[key] { return known }
    // Without a recording, no mask store is opened. If the model file is gone, the recording may
    // still hold its masks.
    let made =
      (try? Segmenters.make(setting, recording: nil, note: { _ in }))
      ?? (try? Segmenters.make(setting, recording: recording, note: { _ in }))
    let identity = made?.identity ?? MaskIdentity(network: key.model, recordingID: "", stream: "")
    networks[key] = .some(identity)
    return identity
  }
}
