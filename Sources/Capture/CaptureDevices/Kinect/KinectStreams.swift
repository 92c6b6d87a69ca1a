import FrameModel
import Kernels
import Support

/// Selects the streams that an open Kinect delivers: those that were requested and exist.
struct KinectStreams {
  let summary: String
  private(set) var descriptions: [StreamDescription] = []
  private(set) var color: KinectLane?
  private(set) var depth: KinectLane?
  private(set) var motion: KinectLane?

  private let device: String
  private let identity: [StreamDescription.Setting]

  /// Also sets the device's modes.
  init(_ options: KinectOptions, _ connection: KinectConnection, _ folder: FakenectFolder?)
    throws(RetakeError)
  {
    let index = if case .index(let index) = options.place { index } else { 0 }
    device = "freenect:\(connection.serial ?? (folder == nil ? "\(index)" : "fakenect"))"
    var identity = [StreamDescription.Setting("library", FreenectLibrary.name)]
    if let serial = connection.serial { identity.append(.init("serial", serial)) }
    self.identity = identity
    summary =
      folder.map { "Kinect v1 session in \($0.path), replayed by fakenect" }
      ?? "Kinect v1\(connection.serial.map { ", serial number \($0)" } ?? " \(index)")"

    if try Self.includes(.color, "video", isWanted: options.video != .none, options, folder),
      let mode = try KinectModes.setVideo(options.video, isHigh: options.isHighResolution, on: connection.device)
    {
      let kind = options.video.kind
      color = try add(kind, mode, settings: options.controls.settings(kind))
    }
    if try Self.includes(.depth, "depth", isWanted: options.depth != .none, options, folder),
      let mode = try KinectModes.setDepth(options.depth, on: connection.device)
    {
      // Read after the video mode is set, since the calibration depends on it.
      let calibration = FreenectLibrary.withRegistration(of: connection.device) { KinectCalibration($0).settings }
      depth = try add(.depth, mode, settings: options.controls.settings(.depth) + (calibration ?? []))
    }
    if options.motion, connection.hasMotor, try Self.includes(.motion, "motion", isWanted: true, options, folder) {
      let mode = KinectModes.Mode(
        layout: try FrameLayout(.motion, width: 6, height: 1), unpacking: .none,
        rate: try FrameRate(folder?.motionRate ?? 10), name: "accelerometer and tilt")
      motion = try add(.motion, mode, settings: [])
    }
    guard !descriptions.isEmpty else {
      throw RetakeError(
        .notFound, "\(summary) has none of the requested streams.",
        hint: "leave out video=none and depth=none")
    }
  }

  /// A session on disk may lack a stream, which is an error only if it was requested explicitly.
  private static func includes(
    _ kind: FakenectFolder.Kind, _ option: String, isWanted: Bool, _ options: KinectOptions, _ folder: FakenectFolder?
  ) throws(RetakeError) -> Bool {
    guard let folder, !folder.lines.contains(kind) else { return true }
    guard options.given.contains(option), isWanted else { return false }
    throw RetakeError(
      .notFound, "The fakenect session in \(folder.path) has no frames for '\(option)'.",
      hint: "leave out the option")
  }

  private mutating func add(
    _ kind: StreamKind, _ mode: KinectModes.Mode, settings: [StreamDescription.Setting]
  ) throws(RetakeError) -> KinectLane {
    let lane = try KinectLane(streamIndex: descriptions.count, layout: mode.layout, unpacking: mode.unpacking)
    descriptions.append(
      StreamDescription(
        name: kind.rawValue, kind: kind, layout: mode.layout, rate: mode.rate, clock: .kinect, device: device,
        settings: identity + [.init("mode", mode.name)] + settings))
    return lane
  }
}
