import ArgumentParser
import FaceDetection
import RecordingStore
import Support

struct FacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faces", abstract: "Detects faces in a recording and stores them in it.",
    discussion: """
      retake faces session.retake
      retake faces session.retake --detector 'haar?minimum=60' --replace
      retake faces session.retake \\
          --detector yunet:/models/face_detection_yunet_2022mar.onnx

      Where depth is known, only faces of a fitting size are searched: 11 to 23 cm wide, before something farther away. \
      Elsewhere the smallest is an eighth of the picture's shorter side; minimum=24 searches faces from 24 pixels on.

      Boxes are tracked from frame to frame; roll comes from the eyes, yaw and pitch from the depth inside the box. The faces \
      are written to a chunk file of their own, after the others, with the detector's name and parameters.
      """)

  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(
    help:
      "The detector: lbp or haar (with ?scale=, minimum=, neighbors=; lbp:FILE for a cascade of your own), or yunet:FILE."
  )
  var detector = "lbp"
  @Option(help: "The colour stream to search. By default the first; only this one has depth, for yaw and pitch.")
  var stream: String?
  @Flag(help: "Replace the faces that the recording already has.") var replace = false
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func run() throws {
    let specification = try FaceDetectorSpecification(detector, suggesting: FaceDetectorSpecification.Kind.searching)
    guard let faceDetector = try specification.detector() else {
      throw RetakeError(
        .usage, "'\(detector)' does not detect faces in pictures.",
        hint: FaceDetectorSpecification.advice(FaceDetectorSpecification.Kind.searching))
    }
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let color = try source.streams.faceStream(named: stream, in: recording)
    let finder = try FaceFinder(
      faceDetector, color: source.streams[color],
      depth: source.streams.faceDepthStream(of: color).map { source.streams[$0] })
    let stop = StopSignal()
    let bar = ProgressBar("faces", isQuiet: messages.quiet)
    let total = try source.summary().streams[color].frameCount
    let report = try FaceEditor.run(
      source, finder, stream: color, replaces: replace, threadCount: ProcessorCount.usable
    ) { done, _ in
      bar.update(done, of: total)
      return !stop.isSet
    }
    bar.end()
    for known in report.replaced {
      let verb = report.isStopped ? "replaced in part" : "replaced"
      messages.say("\(verb): \(known.detector), with a face in \(known.faceFrameCount) frames")
    }
    if summary.json {
      try print(InfoReport(Recording(path: recording)).json.versioned.text)
    } else if !messages.quiet {
      try print(Self.sentence(report.counts, of: finder.detector))
    }
    if let advice = finder.advice(option: "--replace --detector") { messages.say(advice) }
    if report.isStopped {
      let done = report.counts.lookedCount + report.counts.skippedCount
      throw RetakeError(
        .inputOutput, "Stopped: the first \(done) of \(report.frameCount) frames were searched; their faces are kept.",
        hint: "run it again with --replace")
    }
  }

  /// "a face in 290 of 300 frames, 2 frames skipped (lbp-cascade …)"
  static func sentence(_ counts: FaceCounts, of detector: String) -> String {
    let skipped = counts.skippedCount > 0 ? ", \(counts.skippedCount) frames skipped" : ""
    return "a face in \(counts.faceFrameCount) of \(counts.lookedCount) frames\(skipped) (\(detector))"
  }
}
