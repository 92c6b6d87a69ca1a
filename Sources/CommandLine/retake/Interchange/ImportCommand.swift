import ArgumentParser
import CaptureDevices
import FrameModel
import Interchange
import LiveSessions
import RecordingStore
import Support

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Converts data that another tool recorded into a recording.",
    discussion: """
      retake import /data/rgbd_dataset_freiburg3_walking_xyz
      retake import bag_0.mcap --topic /camera/color/image_raw \\
          --topic /camera/depth/image_rect_raw
      retake import kinect.mkv --output kinect.retake --calibration lenses.yaml

      A folder in the layout of TUM's RGB-D benchmark is imported as 'retake record --device tum:FOLDER' would record it. The \
      depth units per metre are read from depth.txt, or must be given with --scale if depth.txt does not state them.

      A folder that 'retake export png' made is imported with all streams, and with the same pixels and times.

      An MCAP file: images of ROS 2 (sensor_msgs/msg/Image, CompressedImage), of ROS 1 in MCAP, and Foxglove's RawImage and \
      CompressedImage. 16UC1, mono16 and 32FC1 are depth; 32FC1 is in metres, rounded to the nearest millimetre, half up. \
      JPEG is kept unchanged; PNG is decoded. A header's stamp becomes the device's tick, the log time the arrival time.

      Calibration: an MCAP's sensor_msgs/CameraInfo, foxglove.CameraCalibration and static transforms, and an Azure Kinect's \
      own, become the streams' settings, by which replays register depth to colour. What cannot be used is reported.

      An Azure Kinect's .mkv, through ffmpeg: colour and depth. JPEG is kept unchanged; 16-bit infrared is left out.

      Everything left out is reported. Of a truncated or damaged file, the intact frames are imported. Exits 3 when frames \
      were lost.
      """)

  @Argument(help: "A folder, an MCAP file or a Matroska file.", completion: .file()) var source: String

  @Option(name: [.short, .long], help: "The folder to create. By default Recordings/NAME.retake, named by the source.")
  var output: String?

  @Option(help: "MCAP: an image topic to import. Repeat it for several. By default all.") var topic: [String] =
    []

  @Option(
    help: """
      Folders of images: depth units per metre, 1 to 1000000. Needed only if depth.txt does not state them. \
      Example: --scale 5000 (TUM's benchmark), --scale 1000 (millimetres).
      """)
  var scale: Int?

  @Option(
    help: """
      Lenses and places of the cameras: a YAML file, a camera matrix as text, an Azure Kinect's raw calibration, or \
      tum:freiburg1, 2 or 3. Replaces what the source has.
      """, completion: .file())
  var calibration: String?

  @OptionGroup var reserve: KeepFreeFlag

  @OptionGroup var sharing: SharingFlag
  @OptionGroup var summary: SummaryFlag
  @OptionGroup var messages: QuietFlag

  /// Frames are large, and a source that can wait gains nothing from a long queue.
  private static let queueLimit = 16

  func run() throws {
    let stop = StopSignal()
    let calibration = try calibration.map { path throws(RetakeError) in try CalibrationFile(path: path) }
    var found = try open(stop)
    if let calibration { try found.calibrate(by: calibration) }
    messages.say(found.remarks)
    var options = RecorderOptions()
    options.queueLimit = Self.queueLimit
    options.keepFreeByteCount = reserve.keepFree?.bytes
    options.makeReproducible(found.device.streams, wallClockNanoseconds: found.wallClockNanoseconds)
    let recorder = try Recorder(
      folder: RecordingFolder(path: folderPath(), isShared: sharing.shared), streams: found.device.streams,
      options: options)
    let bar = ProgressBar("import", isQuiet: messages.quiet)
    let result = try CaptureSession.run(DeviceSet(found.device), recorder, stop.flag) { status in
      bar.update(min(found.frameCount, status.frameCounts.reduce(0, +)), of: found.frameCount)
    }
    let status = result.status
    bar.update(min(found.frameCount, status.frameCounts.reduce(0, +)), of: found.frameCount)
    bar.end()
    var failure = result.failure
    if failure == nil && !result.isComplete {
      failure = RetakeError(
        .inputOutput, "The import of \(source) was stopped before its end.",
        hint: "remove the recording and import again")
    }
    if !messages.quiet { try sayDamaged(recorder, status) }
    try RecordingReport.conclude(
      recorder, status, failure, json: summary.json, isQuiet: messages.quiet, isLive: false,
      ifEmpty: RetakeError(.corrupt, "\(source) contains no frame.", hint: "check that this is the right file"))
  }

  /// Shows a bar, since large files are read once before recording starts.
  private func open(_ stop: StopSignal) throws(RetakeError) -> ImportSource {
    let mebibyte = 1 << 20
    let bar = ProgressBar("read  ", unit: "MiB", isQuiet: messages.quiet)
    defer { bar.end() }
    return try ImportCatalog.open(source, topics: topic, scale: scale) { done, total in
      bar.update(done / mebibyte, of: total / mebibyte)
      return !stop.isSet
    }
  }

  private func folderPath() throws(RetakeError) -> String {
    if let output {
      guard !output.isEmpty else { throw RetakeError(.usage, "--output is empty.", hint: "give the folder to create") }
      return output
    }
    guard var name = source.split(separator: "/").last.map(String.init), name != ".", name != ".." else {
      throw RetakeError(
        .usage, "No name for the recording can be derived from \(source).", hint: "give its folder with --output")
    }
    for suffix in [".mcap", ".mkv"] where name.count > suffix.count && name.hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    return "Recordings/\(name)\(RecordingFolder.suffix)"
  }

  private func sayDamaged(_ recorder: Recorder, _ status: RecorderStatus) throws(RetakeError) {
    guard status.failure == nil, status.frameCounts.contains(where: { $0 > 0 }) else { return }
    let damaged = try Recording(path: status.folders[0].path).summary().streams.filter { $0.damagedCount > 0 }
    guard !damaged.isEmpty else { return }
    let counts = damaged.map { "\($0.description.name) \($0.damagedCount)" }.joined(separator: ", ")
    Terminal.say("Damaged frames, kept and flagged: \(counts).")
  }
}
