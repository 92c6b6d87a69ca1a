import ArgumentParser
import RecordingStore
import Support

struct FindCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "find", abstract: "Prints the paths of the recordings in a folder that match a query.",
    discussion: """
      retake find ~/recordings 'tag:dark drops>0 mark:flicker duration>10s'
      retake find . 'started>2026-05-31 !tag:checked' | retake verify -
      retake find . 'tag:take=3' | retake sweep - --scan matte.still=0..0.8:0.2
      retake find . 'mark:"hand vanishes" size<1GB' --json

      A query has terms that must all hold: \(CatalogueQuery.help).

      Prints a path on each line; verify, recover, sweep, join and studio take such lines from standard input where - stands for a \
      recording. Facts come from the catalogue of 'retake list', after a look at which recordings changed. Recordings that \
      are gone are only found by is:gone. A recording of no clock, such as a \
      simulated camera's with pace=fast, is never found by started, and shares its id with others whose streams are described alike. Exits 0 also when nothing is found.
      """)

  @Argument(help: "The folder of recordings.", completion: .directory) var folder: String
  @Argument(help: ArgumentHelp("Terms of the query; all recordings without.", valueName: "query"))
  var query: [String] = []
  @Flag(name: [.customShort("0"), .customLong("null")], help: "End each path with a null byte, for 'xargs -0'.")
  var null = false
  @OptionGroup var output: JSONFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    if PathKind(path: folder) == nil, folder.contains(where: { ":<>=!".contains($0) }) {
      let folders = query.filter { PathKind(path: $0) == .folder } + ["."]
      throw RetakeError(
        .usage, "'\(folder)' is a term of a query; the folder comes first.",
        hint:
          "write: retake find \(ShellWord.joined(folders.prefix(1) + [folder] + query.filter { !folders.contains($0) }))"
      )
    }
    var wanted = try CatalogueQuery(query.joined(separator: " "))
    if !query.joined().contains("is:gone") { wanted.leaveOutGone() }
    let bar = ProgressBar.listing(isQuiet: messages.quiet)
    let catalogue = try RecordingCatalogue()
    if output.json {
      let entries = try catalogue.entries(in: folder, matching: wanted, progress: bar.update)
      bar.end()
      return try print(entries.map(\.json.versioned).jsonText)
    }
    let paths = try catalogue.paths(in: folder, matching: wanted, progress: bar.update)
    bar.end()
    if paths.isEmpty {
      let terms = wanted.terms.isEmpty ? "" : " with \(wanted.terms.joined(separator: " and "))"
      messages.say("There is no recording\(terms) in '\(folder)'.")
    }
    try StandardOutput.writeFile(paths.map { $0 + (null ? "\0" : "\n") }.joined())
  }
}
