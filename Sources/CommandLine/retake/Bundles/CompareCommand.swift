import ArgumentParser
import RecordingStore
import Replay
import Support

struct CompareCommand: ParsableCommand, Quietable {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compares the digests of two replays, and shows the first difference.",
    discussion: """
      retake replay session.retake --output a.jsonl
      retake replay session.retake --set depth.rate=1/2 --output b.jsonl
      retake compare a.jsonl b.jsonl
      retake compare a.jsonl b.jsonl --recording session.retake \\
          --picture difference.png

      With --recording, both are replayed up to the first frame that differs, and the size of the difference is shown. \
      Exits 0 when every frame is the same in every stage, 1 otherwise.
      """)

  @Argument(help: "A file of digests; - is standard input.", completion: .digests) var a: String
  @Argument(help: "The file of digests to compare it with.", completion: .digests) var b: String

  @Option(
    help:
      "The replayed recording, to measure the difference. Repeat it for two: matched by their ids, or A's first.",
    completion: .recording
  )
  var recording: [String] = []
  @Option(
    help: "With --recording, the background that was used: a picture, video or recording. Repeat it for two.",
    completion: .file())
  var background: [String] = []
  @Option(
    help: "With --recording, the network's ONNX file, needed if its masks are not kept with the recording.",
    completion: .file(extensions: ["onnx"]))
  var model: String?
  @Option(
    help: "With --recording, the file of mask.plate that was used. Repeat it for two.", completion: .file())
  var plate: [String] = []
  @Option(help: "With --recording, a PNG to create: A, B and their difference in the first stage that differs.")
  var picture: String?
  @OptionGroup var existing: ExistingFiles
  @OptionGroup var threads: ThreadFlag
  @Flag(help: "Print the result as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Print only errors; the exit code gives the result.") var quiet = false

  func validate() throws {
    if a == "-" && b == "-" { throw ValidationError("Only one of the two can come from standard input.") }
    if recording.count > 2 { throw ValidationError("--recording takes one recording, or one for A and one for B.") }
    if recording.isEmpty && (picture != nil || model != nil || !background.isEmpty || !plate.isEmpty) {
      throw ValidationError("--picture, --background, --model and --plate need --recording.")
    }
    if picture?.isEmpty == true { throw ValidationError("--picture is empty.") }
  }

  func run() throws {
    if let picture {
      try TextOutput.checkPlace(picture, "--picture")
      guard picture.lowercased().hasSuffix(".png") else {
        throw RetakeError(.usage, "--picture makes a PNG, and '\(picture)' is no name of one.", hint: "end it in .png")
      }
      try existing.check(picture)
    }
    let (first, second) = (try DigestFileReader(path: a), try DigestFileReader(path: b))
    let recordings = try recording.isEmpty ? nil : recordings(first, second)
    let comparison = try DigestFileComparison(first, second)
    var report = CompareReport(comparison: comparison, a: first, b: second)
    var failure: RetakeError?
    if let recordings, let place = ComparedPlace(comparison) {
      do throws(RetakeError) {
        report.pixels = try pixels(place, recordings, (first.header, second.header))
      } catch {
        // The comparison is reported before the error is thrown.
        failure = error
      }
    } else if picture != nil {
      say("No picture was made: no frame that both contain differs.")
    }
    if json { try print(report.json.versioned.text) } else if !quiet { try printSentences(report.text) }
    if let picture, let pixels = report.pixels { try draw(pixels, to: picture) }
    if let failure { throw failure }
    if !comparison.isEqual { throw ExitCode(ExitStatus.failed.rawValue) }
  }

  private func recordings(_ a: DigestFileReader, _ b: DigestFileReader) throws(RetakeError) -> ComparedRecordings {
    let opened = try recording.map { path throws(RetakeError) in try Recording.opened(path, isQuiet: quiet) }
    let found = ComparedRecordings(opened, a.header, b.header)
    for (reader, taken) in [(a, found.a), (b, found.b)] where reader.header.recording != taken.identity.id {
      say(
        "\(reader.name) was made from recording \(reader.header.recording), but \(taken.folder.path) is recording "
          + "\(taken.identity.id). It is used anyway.")
    }
    if let unused = found.unused {
      say("Both were made from \(found.a.folder.path); \(unused.folder.path) is not used.")
    }
    return found
  }

  private func pixels(
    _ place: ComparedPlace, _ recordings: ComparedRecordings, _ headers: (a: DigestHeader, b: DigestHeader)
  ) throws(RetakeError) -> ComparedPixels {
    let sources = ReproducedStage.Sources(
      backgrounds: background, model: model, plates: plate, threadCount: threads.count)
    let stop = StopSignal()
    func side(
      _ name: String, _ header: DigestHeader, _ recording: Recording, _ frame: Int
    ) throws(RetakeError) -> ReproducedStage? {
      let bar = ProgressBar("replay of \(name)", isQuiet: quiet)
      defer { bar.end() }
      let found = try ReproducedStage.make(
        header, of: recording, frame: frame, pass: place.pass, stage: place.stage, sources, note: say
      ) { done, total in
        bar.update(done, of: total)
        return !stop.isSet
      }
      guard !stop.isSet else { throw RetakeError(.inputOutput, "The replay of \(name) was interrupted.") }
      return found
    }
    return ComparedPixels(
      place,
      (
        try side("A", headers.a, recordings.a, place.frame),
        try side("B", headers.b, recordings.b, place.frame - place.offset)
      ))
  }

  private func draw(_ pixels: ComparedPixels, to picture: String) throws(RetakeError) {
    guard let (a, b) = pixels.planes else {
      return say("No picture was made: there are no pixels to compare.")
    }
    try Folder.makeParent(of: picture)
    try DifferencePicture.write(a, b, title: pixels.title, captions: ("A", "B"), to: picture)
    say("wrote \(picture)")
  }
}
