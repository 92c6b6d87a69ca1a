internal import CaptureDevices
internal import FrameModel
internal import LiveSessions
internal import RecordingStore
public import RetakeReader
internal import Support

/// Records frames into a new recording.
///
///     let recorder = try Recorder(to: "session.retake", sources: [MyCamera()])
///     let result = try recorder.run()
public final class Recorder: Sendable {
  public struct Options: Hashable, Sendable {
    /// Frames at or after this time are not recorded; nil for no end.
    public var durationNanoseconds: Int64?
    /// Bytes of chunk files before which the recording ends; nil for no limit.
    public var largestByteCount: Int?
    /// Bytes of free disk space below which the recording ends; nil for 1 GiB, or 5 % of a smaller
    /// disk.
    public var keepFreeByteCount: Int?
    /// Stores no wall clock time and no random id, so that a source that is not live and delivers the
    /// same frames gives the same files. Two such recordings of one source have the same id.
    public var isReproducible = false

    public init() {}
  }

  public struct Result: Hashable, Sendable {
    /// Of the recording that was made.
    public let path: String
    /// Recorded frames, by stream.
    public let frameCounts: [Int]
    /// Frames that a source delivered or reported, and that the recording lacks. Each is an event.
    public let lostFrameCount: Int
    /// Why the recording ended early; nil if it did not. What was delivered before is kept.
    public let failure: RetakeReader.RetakeError?
  }

  private let devices: DeviceSet
  private let recorder: RecordingStore.Recorder
  private let options: Options
  private let path: String
  private let flag = StopFlag()

  /// Creates the recording's folder.
  /// - Parameters:
  ///   - path: a folder that is empty or does not exist, named as in "session.retake".
  ///   - sources: at least one; all live or none. Streams of the second are called "color-1", ….
  /// - Throws: `usage` for sources that cannot be recorded together; errors of the folder.
  public convenience init(
    to path: String, sources: [any FrameSource], options: Options = Options()
  ) throws(RetakeReader.RetakeError) {
    try self.init(path, options) { () throws(InsideError) in
      guard let first = sources.first else {
        throw InsideError(.usage, "There is no source to record.", hint: "give at least one")
      }
      guard sources.allSatisfy({ $0.isLive == first.isLive }) else {
        throw InsideError(
          .usage, "Live sources and others have no common time line.", hint: "record them separately")
      }
      return DeviceSet(try sources.map { source throws(InsideError) in try SourceDevice(source) })
    }
  }

  /// Records cameras that Retake knows.
  /// - Parameter cameras: as `retake record --device` takes them: "v4l2:0", "kinect:0",
  ///   "simulated?pace=fast&frames=90".
  /// - Throws: `usage` for an unknown device or option; errors of the device and the folder.
  public convenience init(
    to path: String, cameras: [String], options: Options = Options()
  ) throws(RetakeReader.RetakeError) {
    try self.init(path, options) { () throws(InsideError) in
      guard !cameras.isEmpty else {
        throw InsideError(.usage, "There is no camera to record.", hint: "give at least one")
      }
      let specifications = try cameras.map { text throws(InsideError) in try DeviceSpecification(text) }
      return try DeviceSet(specifications, supervision: SupervisionOptions()) { _ in }
    }
  }

  private init(
    _ path: String, _ options: Options, _ open: () throws(InsideError) -> DeviceSet
  ) throws(RetakeReader.RetakeError) {
    (self.path, self.options) = (path, options)
    (devices, recorder) = try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      let devices = try open()
      var inner = RecorderOptions()
      inner.durationNanoseconds = options.durationNanoseconds
      inner.largestByteCount = options.largestByteCount
      inner.keepFreeByteCount = options.keepFreeByteCount
      if options.isReproducible, !devices.isLive {
        inner.makeReproducible(devices.streams, wallClockNanoseconds: devices.wallClockNanoseconds)
      }
      return (
        devices,
        try RecordingStore.Recorder(folder: RecordingFolder(path: path), streams: devices.streams, options: inner)
      )
    }
  }

  /// Records until the sources end, a limit is reached, or `stop` is called. Call once.
  /// - Throws: the error of a source that does not start; the recording is then removed. Later
  ///   failures are in the result.
  public func run() throws(RetakeReader.RetakeError) -> Result {
    let result = try RetakeReader.RetakeError.publicly { () throws(InsideError) in
      try CaptureSession.run(devices, recorder, flag, durationNanoseconds: options.durationNanoseconds) { _ in }
    }
    return Result(
      path: path, frameCounts: result.status.frameCounts, lostFrameCount: result.status.droppedCount,
      failure: result.failure.map { RetakeReader.RetakeError($0) })
  }

  /// Ends the recording cleanly. From any thread.
  public func stop() { flag.set() }

  /// Sets a mark at the current moment. From any thread, a source's included.
  /// - Parameter label: one line of at most 200 bytes; may be empty.
  /// - Returns: false after the recording has ended.
  /// - Throws: `usage` for a label that is too long or not one line.
  @discardableResult
  public func mark(_ label: String) throws(RetakeReader.RetakeError) -> Bool {
    try RetakeReader.RetakeError.publicly { () throws(InsideError) in try recorder.markNow(label) }
  }
}
