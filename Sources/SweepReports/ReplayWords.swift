import SweepResults

/// The commands that make a setting's pictures again, as words for a shell.
struct ReplayWords {
  /// One for each recording: all up to what settings differ in.
  let before: [String]
  /// One for each recording: what comes behind the setting's number, which is part of the name of what is made.
  let after: [String]
  private let identity: SweepIdentity

  /// - Parameter presetValues: parameters that the preset has by itself and that need not be said; nil where that is not
  ///   known, and all are said.
  init(_ identity: SweepIdentity, presetValues: [SweepIdentity.Assignment]?) {
    self.identity = identity
    let tried = Set(identity.tried)
    let known = Set(presetValues ?? [])
    let common = (identity.settings.first?.parameters ?? []).filter { !tried.contains($0.name) && !known.contains($0) }
    let sets = common.map { " --set " + Escaping.shell("\($0.name)=\($0.value)") }.joined()
    before = identity.recordings.map {
      "retake replay \(Escaping.shellPath($0.path)) --preset \(Escaping.shell(identity.preset))\(sets)"
    }
    after = identity.recordings.map { recording in
      identity.recordings.count > 1 ? "-recording-\(recording.number).png" : ".png"
    }
  }

  /// What is set for one setting, and the start of the name of what is made.
  func middle(_ setting: SweepIdentity.Setting, _ recording: SweepIdentity.Recording) -> String {
    sets(setting) + span(recording) + " --output sheet:setting-\(setting.number)"
  }

  func sets(_ setting: SweepIdentity.Setting) -> String {
    identity.tried.compactMap { name in setting.parameters.first { $0.name == name } }
      .map { " --set " + Escaping.shell("\($0.name)=\($0.value)") }.joined()
  }

  /// The frames that were scored.
  func span(_ recording: SweepIdentity.Recording) -> String {
    var words = ""
    if recording.frames.lowerBound > 0 { words += " --from \(recording.frames.lowerBound)" }
    if !recording.frames.isEmpty { words += " --to \(recording.frames.upperBound - 1)" }
    if recording.every > 1 { words += " --every \(recording.every)" }
    return words
  }

  /// A line for each recording.
  func commands(_ setting: SweepIdentity.Setting) -> String {
    identity.recordings.indices.map { place in
      before[place] + middle(setting, identity.recordings[place]) + after[place]
    }.joined(separator: "\n")
  }
}
