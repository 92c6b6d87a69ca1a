import ArgumentParser
import CaptureDevices
import FrameModel
import Interchange
import Kernels
import LiveSessions
import RecordingStore
import Replay
import Support

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Converts data that another tool recorded into a recording.",
    discussion: """
      retake import /data/rgbd_dataset_freiburg3_walking_xyz
      retake import bag_0.mcap --topic /camera/color/image_raw \\
          --topic /camera/depth/image_rect_raw
      retake import realsense.bag
      retake import kinect.mkv --output kinect.retake --calibration lenses.yaml
      retake import color.mp4 --depth depth.mkv --scale 1mm --depth-offset 33ms
      retake import 7scenes/chess/seq-01 --fps 30
      retake import scan --color 'rgb/*.jpg' --depth 'z/*.png' --scale 1mm --fps 30

      A folder in the layout of TUM's RGB-D benchmark is imported as 'retake record --device tum:FOLDER' would record it. The \
      depth units per metre are read from depth.txt, or must be given with --scale if depth.txt does not state them, where \
      'record' takes those of the benchmark, 5000.

      A folder that 'retake export png' made is imported with all streams, and with the same pixels and times.

      MCAP files and bags of ROS 2 (.db3, or a folder with metadata.yaml) and ROS 1 (.bag), compressed or not: images of \
      sensor_msgs (Image, CompressedImage) and Foxglove (RawImage, CompressedImage). 16UC1, mono16, 32FC1 and compressedDepth \
      are depth; 32FC1 is in metres, rounded to the nearest millimetre, half up. RealSense's recordings keep their depth unit. \
      JPEG is kept unchanged; PNG is decoded. A header's stamp becomes the device's tick, the log time the arrival time. Of a \
      bag whose recorder was killed, and of a compressed file, a copy is made in TMPDIR.

      A folder of numbered pictures: 7-Scenes and TSDF-fusion (frame-000000.color.png, frame-000000.depth.png), ScanNet \
      (color/0.jpg, depth/0.png, intrinsic/), folders rgb or color and depth, or what --color and --depth select. It has no \
      times, so --fps is needed.

      A video (.mp4, .mov, .mkv, .avi), through ffmpeg: colour, turned upright, at the times of its frames. Motion JPEG is kept \
      unchanged, 4:2:0 of 8 bits becomes NV12 with the same samples; 10 bits are rounded to 8. Grey of 10 to 16 bits is depth. \
      Depth can come from a second source with --depth. Sound is left out.

      An Azure Kinect's or Femto's .mkv: colour and depth, with infrared and the device's own times. Motion is left out.

      A recording of OpenNI (.oni), of a Xtion, a PrimeSense or an older Astra: depth as 16zT, colour as it is or as JPEG, as \
      OpenNI2's recorder writes them, with the device's times. OpenNI need not be installed.

      Calibration in bags and MCAP files (sensor_msgs/CameraInfo, foxglove.CameraCalibration, static transforms), and an Azure \
      Kinect's own, become the streams' settings, by which replays register depth to colour. What cannot be used is reported.

      Everything left out is reported. Of a truncated or damaged file, the intact frames are imported. Exits 3 when frames \
      were lost or are damaged.
      """)

  @Argument(help: "A folder, a bag, an MCAP file or a video.", completion: .file()) var source: String

  @Option(name: [.short, .long], help: "The folder to create. By default Recordings/NAME.retake, named by the source.")
  var output: String?

  @Option(help: "MCAP files and bags: an image topic to import. Repeat it for several. By default all.")
  var topic: [String] = []

  @Option(
    help: """
      Depth: units per metre (10 to 1000000), or the size of a unit. Needed only if the source does not state it. \
      Example: --scale 5000 (TUM's benchmark), --scale 1mm, --scale 0.001m.
      """)
  var scale: String?

  @Option(
    help: """
      Folders of pictures: colour, as a pattern with one star for the number. Example: --color 'rgb/*.jpg'.
      """)
  var color: String?

  @Option(
    help: """
      Folders of pictures: depth, as a pattern. Videos: depth as a second video, a folder of PNGs or a pattern. \
      Example: --depth depth.mkv.
      """, completion: .file())
  var depth: String?

  @Option(
    help: "Time that is added to depth's, in seconds, or with ms, s, m or h. Example: --depth-offset=-40ms.")
  var depthOffset: SignedTimeSpan?

  @Option(help: "Folders of numbered pictures: pictures per second, 0.001 to 1000. Example: --fps 30000/1001.")
  var fps: String?

  @Option(
    help: """
      Folders and videos: a file with the intrinsics of the camera, in pixels: a matrix of 3x3 or 4x4 numbers, \
      fx fy cx cy, or Open3D's JSON.
      """, completion: .file())
  var intrinsics: String?

  @Option(
    help: """
      Lenses and places of the cameras: a YAML file, a camera matrix as text, Open3D's JSON, an Azure Kinect's raw \
      calibration, or tum:freiburg1, 2 or 3. Replaces what the source has.
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
    let folder = RecordingFolder(path: try folderPath(), isShared: sharing.shared)
    let bar = ProgressBar("import", isQuiet: messages.quiet)
    let streams = found.device.streams
    var (status, failure) = try folder.makingWhole { folder throws(RetakeError) in
      let recorder = try Recorder(folder: folder, streams: streams, options: options)
      let result = try CaptureSession.run(DeviceSet(found.device), recorder, stop.flag) { status in
        bar.update(min(found.frameCount, status.frameCounts.reduce(0, +)), of: found.frameCount)
      }
      bar.update(min(found.frameCount, result.status.frameCounts.reduce(0, +)), of: found.frameCount)
      bar.end()
      guard result.status.frameCounts.contains(where: { $0 > 0 }) else {
        throw result.failure
          ?? RetakeError(.corrupt, "\(source) contains no frame.", hint: "check that this is the right file")
      }
      guard result.failure != nil || result.isComplete else {
        throw RetakeError(
          .inputOutput, "The import of \(source) was stopped before its end, and nothing is kept.",
          hint: "import it again")
      }
      if result.failure == nil { try found.notes.store(in: folder) }
      return (result.status, result.failure)
    }
    status.folders = [folder]
    if failure != nil && !messages.quiet {
      let count = status.frameCounts.reduce(0, +)
      Terminal.say("\(count) of the \(found.frameCount) frames of \(source) were imported.")
    }
    if !messages.quiet {
      try sayDamaged(status)
      sayReach(of: folder)
    }
    try RecordingReport.conclude(
      streams, status, failure, json: summary.json, isQuiet: messages.quiet, isLive: false)
  }

  /// Shows a bar, since large files are read once before recording starts.
  private func open(_ stop: StopSignal) throws(RetakeError) -> ImportSource {
    let mebibyte = 1 << 20
    let bar = ProgressBar("read  ", unit: "MiB", isQuiet: messages.quiet)
    defer { bar.end() }
    return try ImportCatalog.open(source, topics: topic, pictures: try pictures()) { done, total in
      bar.update(done / mebibyte, of: total / mebibyte)
      return !stop.isSet
    }
  }

  private func pictures() throws(RetakeError) -> PictureOptions {
    var pictures = PictureOptions()
    if let scale { pictures.scale = try DepthUnit(scale) }
    if let fps {
      guard let rate = FrameRate(fps) else {
        throw RetakeError(
          .usage, "--fps \(fps) is not a frame rate.", hint: "give pictures per second, such as 30 or 30000/1001")
      }
      pictures.rate = rate
    }
    (pictures.color, pictures.depth) = (color, depth)
    pictures.depthOffsetNanoseconds = depthOffset?.nanoseconds
    (pictures.intrinsics, pictures.calibration) = (intrinsics, calibration)
    return pictures
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
    for suffix in [".zstd", ".mcap", ".db3", ".bag", ".mkv", ".mp4", ".mov", ".avi"]
    where name.count > suffix.count && name.hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    return "Recordings/\(name)\(RecordingFolder.suffix)"
  }

  /// Tells how far depth reaches, so that a wrong unit is seen.
  private func sayReach(of folder: RecordingFolder) {
    func meters(_ millimeters: Int) -> String {
      millimeters == Int(UInt16.max)
        ? "65.5 m or more" : Format.decimals(Double(millimeters) / 1000, millimeters < 1000 ? 2 : 1) + " m"
    }
    guard let recording = try? Recording(path: folder.path) else { return }
    for (number, stream) in recording.streams.enumerated() where DepthConverter.isDepth(stream) {
      guard let reach = try? DepthReach(recording, stream: number) else { continue }
      let near = meters(reach.near)
      let far = meters(reach.far)
      // Depth cameras measure from 0.2 to 20 m.
      let isOdd = scale != nil && (reach.far > 20_000 || reach.far < 200)
      Terminal.say(
        "Most of stream '\(stream.name)' is \(near == far ? "" : "\(near) to ")\(far) away"
          + (isOdd ? "; if that is wrong, import it again under another name, with another --scale." : "."))
    }
  }

  private func sayDamaged(_ status: RecorderStatus) throws(RetakeError) {
    guard status.failure == nil else { return }
    let damaged = try Recording(path: status.folders[0].path).summary().streams.filter { $0.damagedCount > 0 }
    guard !damaged.isEmpty else { return }
    let counts = damaged.map { "\($0.description.name) \($0.damagedCount)" }.joined(separator: ", ")
    Terminal.say("Damaged frames, kept and flagged: \(counts).")
  }
}
