import ArgumentParser
import Interchange
import RecordingStore
import Support

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Writes a recording in a format that other programs read.",
    discussion: """
      retake export png first.retake -o pictures --stream color --from 30 --to 59
      retake export video first.retake -o depth.mkv --stream depth

      png: a folder for each stream, with a PNG for each frame, named by its number, and frames.csv with every frame's \
      times and flags (1 damaged, 2 sent twice, 4 late); streams.json has the other data that 'retake import' needs. Colour \
      of any format becomes RGB, grey and masks 8-bit grey, depth 16-bit grey in millimetres, as the depth camera sees it.

      video: one stream as FFV1 in .mkv, lossless (depth: 16-bit grey), or as H.264 in .mp4. Pictures come at the \
      stream's rate; where a frame is missing, the previous one is shown longer, which preserves the timing.

      tum: a folder in the layout of TUM's RGB-D benchmark. Colour of any format becomes RGB PNGs (JPEG stays JPEG), depth \
      16-bit PNGs in units of 0.2 mm, or those of --scale; a Kinect's depth is aligned to its colour. Lenses and places of \
      the cameras are in calibration.yaml, if the recording has them.

      fakenect: a session that libfreenect's fakenect replays to any program for a Kinect v1. Takes colour of 640x480 and \
      raw 11-bit depth: a Kinect's, or that of --device 'simulated?depth=raw11'.

      mcap: one file that Foxglove, Lichtblick and Rerun show, with foxglove.RawImage, CompressedImage (JPEG) and \
      ImageAnnotations (faces). --profile ros2 writes sensor_msgs instead, without faces, for ROS 2; there Rerun shows depth \
      as depth. Both have the cameras' calibration where the recording has one.

      Damaged frames are left out and reported. Exits 3 when frames were left out; what a format cannot hold is only named.
      """)

  @Argument(help: "The format to write: \(ExportKind.names).", completion: .list(ExportKind.allCases.map(\.rawValue)))
  var kind: String
  @Argument(help: "The recording's folder.", completion: .recording) var recording: String
  @Option(name: [.short, .long], help: "The folder or file to create.", completion: .file()) var output: String
  @Option(help: "png, video: name of a stream. Repeat it for png. By default all; for video, the first colour stream.")
  var stream: [String] = []
  @OptionGroup var span: FrameSetSpan
  @Option(help: "png, video: depth in millimetres (mm) or the samples as recorded (raw).") var depth: String?
  @Option(help: "mcap: messages of foxglove (the default) or ros2.", completion: .list(["foxglove", "ros2"]))
  var profile: String?
  @Option(help: "video: pictures per second, instead of the stream's own rate.") var rate: String?
  @Option(help: "tum: depth units per metre. By default 5000, which reaches 13 m; 1000 reaches 65 m.")
  var scale: Int?
  @Option(help: "png: number of threads; affects only the speed. By default one per processor.")
  var threads: Int?
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  func validate() throws {
    if let scale, !TUMExporter.unitsPerMeterRange.contains(scale) {
      throw ValidationError("--scale takes 1 to 1000000 units per metre.")
    }
    try ThreadFlag.check(threads)
  }

  func run() throws {
    let kind = try ExportKind(checking: self)
    let source = try Recording.opened(recording, isQuiet: messages.quiet)
    let exporter = try kind.open(source, self)
    let stop = StopSignal()
    let bar = ProgressBar("export", isQuiet: messages.quiet)
    let report = try exporter.run { done in
      bar.update(done, of: exporter.frameCount)
      return !stop.isSet
    }
    bar.end()
    try conclude(kind, report, isStopped: stop.isSet)
    if stop.isSet { throw ExitCode(ExitStatus.failed.rawValue) }
    if !report.isWhole { throw ExitCode(ExitStatus.doneWithLoss.rawValue) }
  }

  private func conclude(_ kind: ExportKind, _ report: ExportReport, isStopped: Bool) throws(RetakeError) {
    if summary.json {
      var object = JSONObject([
        "kind": kind.rawValue,
        "output": output,
        "is_whole": report.isWhole,
        "frames": JSONObject(pairs: report.streams.map { ($0.name, $0.frameCount) }),
      ])
      for fact in report.facts { object.add(fact.name, fact.value) }
      object.add([
        "damaged_frames": report.damagedFrames,
        "left_out_streams": report.leftOutStreams,
      ])
      try print(object.versioned.text)
    } else {
      let counts = report.streams.map { "\($0.name) \($0.frameCount)" }.joined(separator: ", ")
      let pairs = report.pairCount > 0 ? ", pairs \(report.pairCount)" : ""
      messages.say("wrote \(output): \(counts)\(pairs)\(isStopped ? "; stopped before the end" : "")")
      messages.say(report.remarks)
      if messages.quiet && !report.isWhole { report.remarks.forEach(Terminal.say) }
    }
  }
}
