import ArgumentParser
import RecordingStore
import Support

struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Describes recordings by tags and a note, or shows them.",
    discussion: """
      retake tag session.retake dark take=3 place='second floor'
      retake tag session.retake --note 'The lamp was moved after the first minute.'
      retake tag session-*.retake dark
      retake tag session.retake --remove take
      retake tag session.retake

      Several recordings all get the same. They are stored in tags.json in the recording's folder; frames are not changed. Copies by trim, exports to MCAP and bug \
      bundles have them too; a bundle with privacy options leaves them out. 'retake list' shows them, and 'retake find' finds \
      recordings by them.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Argument(help: ArgumentHelp("Tags to set: NAME, or NAME=VALUE.", valueName: "tag")) var tags: [String] = []
  @Option(help: "Replace the note; an empty one removes it.") var note: String?
  @Option(help: "Remove the tag with this name. Repeat it for several.") var remove: [String] = []
  @Flag(help: "Remove all earlier tags and the note first.") var clear = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup var messages: QuietFlag

  func run() throws {
    if PathKind(path: recording) == nil, !Self.isMeantAsRecording(recording),
      let later = tags.first(where: { PathKind(path: $0) == .recording })
    {
      throw RetakeError(
        .usage, "The recording comes before its tags.",
        hint: "write: retake tag \(ShellWord.joined([later, recording] + tags.filter { $0 != later }))")
    }
    let others = tags.prefix { PathKind(path: $0) == .recording }
    let paths = [recording] + others
    let words = Array(tags.dropFirst(others.count))
    if let late = words.first(where: { PathKind(path: $0) == .recording }) {
      throw RetakeError(
        .usage, "\(late) is a recording, and stands behind a tag.", hint: "name all recordings before the tags")
    }
    if let wrong = words.first(where: Self.isMeantAsRecording) {
      throw RetakeError(
        .usage, "There is no recording \(wrong).",
        hint: "check the path; a tag may not end in \(RecordingFolder.suffix)")
    }
    // Before any is changed.
    var trial = RecordingTags()
    for word in words { try trial.set(word) }
    let sources = try paths.map { path throws(RetakeError) in try Recording.opened(path, isQuiet: messages.quiet) }
    let isChange = !words.isEmpty || note != nil || !remove.isEmpty || clear
    let results = try sources.map { source throws(RetakeError) in
      isChange ? try change(source, words) : try source.tags()
    }
    if json {
      guard results.count > 1 else { return try print(results[0].json.versioned.text) }
      let objects = zip(paths, results).map { path, result in
        var object = result.json
        object.add("path", path)
        return object.versioned
      }
      return try print(objects.jsonText)
    }
    guard !messages.quiet || !isChange else { return }
    for (path, result) in zip(paths, results) {
      let name = paths.count > 1 ? "\(path): " : ""
      for tag in result.tags { try print(name + tag.text) }
      if !result.note.isEmpty { try print("\(name)note: \(result.note)") }
      if result.isEmpty { messages.say("\(path) has no tags.") }
    }
  }

  private static func isMeantAsRecording(_ word: String) -> Bool {
    word.hasSuffix(RecordingFolder.suffix) || word.hasSuffix(RecordingFolder.suffix + "/")
  }

  private func change(_ source: Recording, _ words: [String]) throws(RetakeError) -> RecordingTags {
    try TagFile(source.folder).change(clears: clear) { result throws(RetakeError) in
      for name in remove {
        guard result.remove(name) else {
          throw RetakeError(
            .usage, "\(source.folder.path) has no tag '\(name)'.",
            hint:
              "\(Spelling.guess(name, in: result.tags.map(\.name)))'retake tag \(ShellWord.quoted(source.folder.path))' shows its tags"
          )
        }
      }
      for word in words { try result.set(word) }
      if let note { try result.setNote(note) }
    }
  }
}
