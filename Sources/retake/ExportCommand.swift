import ArgumentParser
import FrameModel
import Parameters
import RecordingExport
import RecordingStore

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes a recording in a format that other programs read.",
    discussion: """
      retake export tum first.retake -o first-tum

      tum: a folder in the layout of TUM's RGB-D benchmark. Colour of any format becomes RGB PNGs (JPEG stays JPEG), depth \
      16-bit PNGs in units of a fifth of a millimetre, or those of --scale.

      fakenect: a session that libfreenect's fakenect replays to any program for a Kinect v1. Takes colour of 640x480 and \
      raw 11-bit depth: a Kinect's, or that of --device 'simulated?depth=raw11'.

      mcap: one file that Foxglove, Lichtblick and Rerun show, with foxglove.RawImage, CompressedImage (JPEG) and \
      ImageAnnotations (faces).

      Damaged frames are left out and said. Exits 3 when anything was left out.
      """)

  enum Kind: String, CaseIterable { case tum, fakenect, mcap }

  @Argument(help: "What to write: \(Kind.allCases.map(\.rawValue).joined(separator: ", ")).") var kind: String
  @Argument(help: "The recording's folder.") var recording: String
  @Option(name: [.short, .long], help: "The folder or file to make.") var output: String
  @Option(help: "tum: units of a depth sample in a metre, 5000 unless given; 1000 reaches 65 m in place of 13.")
  var scale: Int?
  @Flag(help: "Print what was exported as JSON.") var json = false
  @Flag(name: [.short, .long], help: "Say nothing but errors.") var quiet = false

  func validate() throws {
    if let scale, !TUMExporter.unitsPerMeterRange.contains(scale) {
      throw ValidationError("--scale takes 1 to 1000000 units a metre.")
    }
  }

  func run() throws {
    let kind = try chosenKind()
    let source = try Recording(path: recording)
    if !source.isClosed && !quiet {
      Terminal.say("\(recording) was not closed: what its index holds is exported.")
    }
    let exporter = try open(kind, source)
    let stop = StopSignal()
    let bar = ProgressBar("export", total: exporter.frameCount, isQuiet: quiet)
    let report = try exporter.run { done in
      bar.update(done)
      return !stop.isSet
    }
    bar.end()
    conclude(kind, report)
    if stop.isSet { throw ExitCode(ExitStatus.failed.rawValue) }
    if !report.isWhole { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func chosenKind() throws(RetakeError) -> Kind {
    let kinds = Kind.allCases.map(\.rawValue)
    guard let kind = Kind(rawValue: kind) else {
      throw RetakeError(
        .usage, "There is no export '\(self.kind)'.",
        hint: "did you mean \(Spelling.nearest(to: self.kind, in: kinds) ?? "tum")? There are "
          + kinds.joined(separator: ", "))
    }
    guard kind == .tum || scale == nil else {
      throw RetakeError(.usage, "--scale is for tum, and \(kind.rawValue) has a unit of its own.", hint: "leave it out")
    }
    guard !output.isEmpty else { throw RetakeError(.usage, "--output names nothing.", hint: "name what to make") }
    return kind
  }

  private func open(_ kind: Kind, _ source: Recording) throws(RetakeError) -> any RecordingExporter {
    switch kind {
    case .tum: try TUMExporter(source, to: output, unitsPerMeter: scale ?? TUMExporter.defaultUnitsPerMeter)
    case .fakenect: try FakenectExporter(source, to: output)
    case .mcap: try MCAPExporter(source, to: output)
    }
  }

  private func conclude(_ kind: Kind, _ report: ExportReport) {
    if json {
      var object = JSONObject()
      object.add("kind", kind.rawValue)
      object.add("output", output)
      object.add("is_whole", report.isWhole)
      var streams = JSONObject()
      for stream in report.streams { streams.add(stream.name, stream.frameCount) }
      object.add("frames", streams)
      for fact in report.facts { object.add(fact.name, fact.value) }
      object.add("left_out_streams", report.leftOutStreams)
      print(object.text)
    } else if !quiet {
      let counts = report.streams.map { "\($0.name) \($0.frameCount)" }.joined(separator: ", ")
      Terminal.say("wrote \(output): \(counts)\(report.pairCount > 0 ? ", pairs \(report.pairCount)" : "")")
      for remark in report.remarks { Terminal.say(remark) }
    }
  }
}
