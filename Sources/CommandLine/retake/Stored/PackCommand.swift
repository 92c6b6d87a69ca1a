import ArgumentParser
import RecordingStore
import Support

struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack",
    abstract: "Copies a recording for an archive: few large files, as small as can be without loss.",
    discussion: """
      retake pack session.retake -o archive/session.retake
      retake unpack archive/session.retake -o session.retake

      An archive is a recording that every verb opens. What is gained depends on the frames: little on colour, whose noise \
      cannot be compressed, more on depth and mattes. The copy is read from the disk and compared with the recording before it \
      gets its name. Masks that a network computed are left out: a replay makes them again.
      """)

  @OptionGroup var flags: RepackFlags

  func run() throws { try flags.run(.archive(), "pack") }
}

struct UnpackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpack", abstract: "Copies a packed recording into files as a recorder writes them.",
    discussion: """
      retake unpack archive/session.retake -o session.retake

      Frames, times, marks, faces, events and tags are those of the recording that was packed.
      """)

  @OptionGroup var flags: RepackFlags

  func run() throws { try flags.run(.working, "unpack") }
}

struct RepackFlags: ParsableArguments {
  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(name: [.short, .long], help: "The folder to create.", completion: .directory) var output: String
  @OptionGroup var sharing: SharingFlag
  @OptionGroup var threads: ThreadFlag
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if output.isEmpty { throw ValidationError("--output is empty.") }
  }

  func run(_ repack: Repack, _ verb: String) throws {
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let stop = StopSignal()
    let bar = ProgressBar(verb, unit: "files", isQuiet: messages.quiet)
    let folder = RecordingFolder(path: output, isShared: sharing.shared)
    let report = try repack.run(source, into: folder, threadCount: threads.count) { done, total in
      bar.update(done, of: total)
      return !stop.isSet
    }
    bar.end()
    if summary.json {
      try print(InfoReport(Recording(path: output)).json.versioned.text)
    } else if !messages.quiet {
      let counts = Format.counts(source.streams, report.copy.frameCounts)
      Terminal.say(
        "Copied and compared \(counts) frames: \(Format.bytes(report.sourceByteCount)) became "
          + "\(Format.bytes(report.copy.byteCount)).")
      try print(output)
    }
  }
}
