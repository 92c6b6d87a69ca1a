import ArgumentParser
import RecordingStore
import Support

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the recordings in folders: when, how long, streams, losses, marks, tags, size.",
    discussion: """
      retake list ~/recordings
      retake list ~/recordings /media/archive --json

      Looks in subfolders too. Recordings that have not changed since the last listing are not opened again: what was found \
      is kept in a catalogue, retake/catalogue.sqlite in XDG_CACHE_HOME or ~/.cache, which may be removed at any time. STATE \
      is recording while a recorder is at work, unfinished where one was killed, empty without a frame, damaged, or \
      gone for one that an earlier listing found.
      """)

  @Argument(
    help: ArgumentHelp("Folders of recordings; by default the current one.", valueName: "folder"),
    completion: .directory)
  var folders: [String] = []
  @Flag(help: "Forget the recordings that are gone.") var forgetGone = false
  @OptionGroup var output: JSONFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    let catalogue = try RecordingCatalogue()
    let folders = folders.isEmpty ? ["."] : folders
    var entries: [CatalogueEntry] = []
    for folder in folders {
      let bar = ProgressBar.listing(isQuiet: messages.quiet)
      entries += try catalogue.entries(in: folder, forgetsGone: forgetGone, progress: bar.update)
      bar.end()
    }
    if output.json { return try print(entries.map(\.json.versioned).jsonText) }
    guard !entries.isEmpty else {
      return messages.say("There are no recordings in \(folders.joined(separator: " ")).")
    }
    let table = RecordingTable(entries, columns: Terminal.outputColumns)
    try print(table.text)
    let hidden = table.leftOut.map { $0.lowercased() }.joined(separator: ", ")
    messages.say(RecordingTable.sum(entries) + (hidden.isEmpty ? "" : "; too narrow for \(hidden), which --json has"))
    for entry in entries where !entry.problem.isEmpty { messages.say("\(entry.path): \(entry.problem)") }
  }
}

extension ProgressBar {
  /// Of opening the recordings that changed.
  static func listing(isQuiet: Bool) -> ProgressBar {
    ProgressBar("list", unit: "recordings", isQuiet: isQuiet, patienceSeconds: 1)
  }
}
