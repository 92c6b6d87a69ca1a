import Support

/// Shell commands that render a setting's pictures again.
package struct ReplayWords {
  /// For each recording: the command up to the parameters that settings differ in.
  let before: [String]
  /// For each recording: the end of the output's name, behind the setting's number.
  let after: [String]
  let recordings: ArraySlice<SweepIdentity.Recording>
  private let identity: SweepIdentity

  private static let mostRecordings = 20

  /// - Parameter presetValues: the preset's own values; nil if unknown, and then all are written.
  package init(_ identity: SweepIdentity, presetValues: [SweepIdentity.Assignment]?) {
    self.identity = identity
    let recordings = identity.recordings.prefix(Self.mostRecordings)
    self.recordings = recordings
    let tried = Set(identity.tried)
    let known = Set(presetValues ?? [])
    let common = (identity.settings.first?.parameters ?? []).filter { !tried.contains($0.name) && !known.contains($0) }
    let sets = common.map { " --set " + ShellWord.quoted("\($0.name)=\($0.value)") }.joined()
    before = recordings.map {
      "retake replay \(Escaping.shellPath($0.path)) --preset \(ShellWord.quoted(identity.preset))\(sets)"
    }
    let left = identity.recordings.count - recordings.count
    after = recordings.map { recording in
      let name = identity.recordings.count > 1 ? "-recording-\(recording.number).png" : ".png"
      let isLast = left > 0 && recording.number == recordings.last?.number
      return name + (isLast ? "\n# and so on, over \(Figure.counted(left, "recording")) more" : "")
    }
  }

  /// The setting's own parameters, and the start of the output's name.
  func middle(_ setting: SweepIdentity.Setting, _ recording: SweepIdentity.Recording) -> String {
    sets(setting) + span(recording) + " --output sheet:setting-\(setting.number)"
  }

  func sets(_ setting: SweepIdentity.Setting) -> String {
    identity.tried.compactMap { name in setting.parameters.first { $0.name == name } }
      .map { " --set " + ShellWord.quoted("\($0.name)=\($0.value)") }.joined()
  }

  /// Options that select the scored frames.
  func span(_ recording: SweepIdentity.Recording) -> String {
    var words = ""
    if recording.frames.lowerBound > 0 { words += " --from \(recording.frames.lowerBound)" }
    if !recording.frames.isEmpty { words += " --to \(recording.frames.upperBound - 1)" }
    if recording.every > 1 { words += " --every \(recording.every)" }
    return words
  }

  /// One line for each recording: at least one, and as many as fit into `length` bytes.
  package func commands(_ setting: SweepIdentity.Setting, atMost length: Int = .max) -> String {
    var text = ""
    for (recording, ends) in zip(recordings, zip(before, after)) {
      let line = ends.0 + middle(setting, recording) + ends.1
      if !text.isEmpty, line.utf8.count + text.utf8.count > length {
        return text + "\n# and so on, over each recording"
      }
      text += (text.isEmpty ? "" : "\n") + line
    }
    return text
  }
}
