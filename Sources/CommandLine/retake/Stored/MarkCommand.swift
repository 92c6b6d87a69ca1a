import ArgumentParser
import FrameModel
import RecordingStore
import Support

struct MarkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mark",
    abstract: "Sets a mark in a recording, even while it is being recorded; lists, removes or renames marks.",
    discussion: """
      retake mark session.retake --label 'hand vanishes'
      retake mark session.retake --at 12.5s --label fall
      retake mark session.retake --list
      retake mark session.retake --rename fall=trip --remove 'hand vanishes'
      retake mark session.retake --remove 12.5s

      While the folder is being recorded, the mark is set at the current time; in a finished recording, --at gives its place. \
      Marks are removed and renamed when the recording has ended.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(help: "A label for the mark, on one line.") var label = ""
  @Option(help: "The mark's place in a finished recording: \(MomentArgument.help).") var at: MomentArgument?
  @Option(help: "Remove the mark with this label, or at this time: 12.5s. Repeat it for several.", completion: .mark)
  var remove: [String] = []
  @Option(
    help: ArgumentHelp(
      "Give a mark another label; OLD is its label or its time. Repeat it for several.", valueName: "old=new"))
  var rename: [String] = []
  @Flag(help: "List the marks.") var list = false
  @Flag(help: "With --list, print JSON.") var json = false
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if list && (at != nil || !label.isEmpty) {
      throw ValidationError("--list sets no mark: leave out --at and --label.")
    }
    if !remove.isEmpty || !rename.isEmpty {
      if list { throw ValidationError("--list changes no mark: leave it out.") }
      if let at {
        let option = remove.isEmpty ? "--rename" : "--remove"
        throw ValidationError(
          "\(option) takes the mark's label or its time, and --at is for a new mark: leave out --at \(at.text).")
      }
      if !label.isEmpty { throw ValidationError("--label is for a new mark; an old one gets another by --rename.") }
    }
    if json && !list { throw ValidationError("--json needs --list.") }
    if !Mark.isLabel(label) {
      throw ValidationError("--label takes one line of at most \(Mark.largestLabelByteCount) bytes.")
    }
  }

  func run() throws {
    // Read first: the mark is for this moment.
    let now = MonotonicTime.now()
    guard remove.isEmpty, rename.isEmpty else {
      return try change(Recording.opened(recording, isQuiet: messages.quiet))
    }
    if !list && at == nil {
      let folder = RecordingFolder(path: recording)
      // A split session is addressed by its given name; its last part is being recorded.
      let places = [folder] + folder.existingParts().suffix(2).reversed()
      var isTaken = false
      for place in places where !isTaken { isTaken = try MarkInbox.send(label, at: now, to: place) }
      guard isTaken else {
        let source = try Recording.opened(recording, isQuiet: messages.quiet)
        guard source.isClosed else {
          throw RetakeError(
            .inputOutput, "The recorder of \(recording) cannot be reached from here.",
            hint: "press Return in its terminal, or send it the signal USR1")
        }
        throw RetakeError(
          .usage, "\(recording) is not being recorded.",
          hint: "give the mark's place with --at: \(MomentArgument.help); --list shows the marks that it has")
      }
      messages.say("mark passed to the recorder")
      return
    }
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    if list { return try printList(source) }
    let mark = try Mark(label: label, presentation: try source.presentation(of: at!.moment))
    // Only times are checked: a mark set while recording may lie slightly behind the last frame.
    if case .time(let nanoseconds) = at!.moment, Double(nanoseconds) / 1e9 > (try source.summary().durationSeconds) {
      throw RetakeError(
        .notFound, "\(recording) ends before that.",
        hint: "it is \(Format.decimals(try source.summary().durationSeconds, 3)) s long, counted from its first frame")
    }
    try MarkEditor.add([mark], to: source)
    let marks = try MarkList(source)
    messages.say("mark set at \(marks.seconds(of: mark))")
    if case .frameSet(let number) = at!.moment, number > 0, marks.time(of: mark) < 1 {
      messages.say("\(number) is a frame set; for seconds, write --at \(number)s.")
    }
    let alike = marks.labelled(label)
    if alike.count > 1 {
      messages.say(
        "\(Format.counted(alike.count, "mark")) have this label; mark:LABEL means the first, at \(marks.seconds(of: alike[0]))."
      )
    }
  }

  private func change(_ source: Recording) throws {
    guard source.isClosed else {
      throw RetakeError(
        .busy, "\(recording) is not closed, so its marks cannot be changed.",
        hint: "when the recording has ended, the same command does it")
    }
    let marks = try MarkList(source)
    // All are found before any is changed.
    let changes =
      try remove.map { try (mark: marks.mark($0, of: source, option: "--remove"), label: String?.none) }
      + rename.map { try marks.renaming($0, of: source) }
    for (mark, label) in changes {
      try MarkEditor.set(label, of: mark, in: source)
      let old = "\(mark.label.isEmpty ? "the mark" : "'\(mark.label)'") at \(marks.seconds(of: mark))"
      messages.say(label.map { $0.isEmpty ? "\(old) has no label now" : "\(old) is '\($0)' now" } ?? "removed \(old)")
    }
  }

  private func printList(_ source: Recording) throws {
    let marks = try MarkList(source)
    if json {
      try print(marks.json.map(\.versioned).jsonText)
    } else {
      for line in marks.lines { try print(line) }
    }
  }
}
