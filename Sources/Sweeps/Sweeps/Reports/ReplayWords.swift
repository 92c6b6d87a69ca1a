import FrameModel
import Support

/// The commands that make a setting's pictures again, as words for a shell.
struct ReplayWords {
  /// One for each recording: all up to what settings differ in.
  let before: [String]
  /// One for each recording: what comes behind the setting's number, which is part of the name of what is made.
  let after: [String]
  /// Those that commands are written for.
  let recordings: ArraySlice<SweepIdentity.Recording>
  private let identity: SweepIdentity

  private static let mostRecordings = 20

  /// - Parameter presetValues: parameters that the preset has by itself and that need not be said; nil where that is not
  ///   known, and all are said.
  init(_ identity: SweepIdentity, presetValues: [SweepIdentity.Assignment]?) {
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

  /// What is set for one setting, and the start of the name of what is made.
  func middle(_ setting: SweepIdentity.Setting, _ recording: SweepIdentity.Recording) -> String {
    sets(setting) + span(recording) + " --output sheet:setting-\(setting.number)"
  }

  func sets(_ setting: SweepIdentity.Setting) -> String {
    identity.tried.compactMap { name in setting.parameters.first { $0.name == name } }
      .map { " --set " + ShellWord.quoted("\($0.name)=\($0.value)") }.joined()
  }

  /// The frames that were scored.
  func span(_ recording: SweepIdentity.Recording) -> String {
    var words = ""
    if recording.frames.lowerBound > 0 { words += " --from \(recording.frames.lowerBound)" }
    if !recording.frames.isEmpty { words += " --to \(recording.frames.upperBound - 1)" }
    if recording.every > 1 { words += " --every \(recording.every)" }
    return words
  }

  /// A line for each recording; as many as fit into a length, and one at least.
  func commands(_ setting: SweepIdentity.Setting, atMost length: Int = .max) -> String {
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
