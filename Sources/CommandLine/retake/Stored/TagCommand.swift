import ArgumentParser
import RecordingStore
import Support

struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Describes a recording by tags and a note, or shows them.",
    discussion: """
      retake tag session.retake dark take=3 place='second floor'
      retake tag session.retake --note 'The lamp was moved after the first minute.'
      retake tag session.retake --remove take
      retake tag session.retake

      They are stored in tags.json in the recording's folder; frames are not changed. Copies by trim, exports to MCAP and bug \
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
    if PathKind(path: recording) == nil, let later = tags.first(where: { PathKind(path: $0) == .recording }) {
      throw RetakeError(
        .usage, "The recording comes before its tags.",
        hint: "write: retake tag \(ShellWord.joined([later, recording] + tags.filter { $0 != later }))")
    }
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let isChange = !tags.isEmpty || note != nil || !remove.isEmpty || clear
    let result = isChange ? try change(source) : try source.tags()
    if json { return try print(result.json.versioned.text) }
    guard !messages.quiet || !isChange else { return }
    for tag in result.tags { try print(tag.text) }
    if !result.note.isEmpty { try print("note: \(result.note)") }
    if result.isEmpty { messages.say("\(recording) has no tags.") }
  }

  private func change(_ source: Recording) throws(RetakeError) -> RecordingTags {
    try TagFile(source.folder).change(clears: clear) { result throws(RetakeError) in
      for name in remove {
        guard result.remove(name) else {
          throw RetakeError(
            .usage, "\(recording) has no tag '\(name)'.",
            hint: "\(Spelling.guess(name, in: result.tags.map(\.name)))'retake tag \(recording)' shows its tags")
        }
      }
      for word in tags { try result.set(word) }
      if let note { try result.setNote(note) }
    }
  }
}
