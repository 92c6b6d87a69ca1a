import FrameModel
import RecordingStore
import Support

/// Exports a recording as a session for fakenect, libfreenect's substitute for a Kinect v1: a
/// program for that camera then sees the recording. Each frame is a file
/// `<r|d|a>-<seconds>-<ticks>.<ppm|pgm|dump>`; INDEX.txt lists them in order of time.
package final class FakenectExporter: RecordingExporter {
  private static let size = (width: 640, height: 480)

  private let frames: ExportFrames
  private let folder: ExportFolder
  private let index: LineFile
  /// Tick of the last picture, which motion frames repeat, as fakenect-record does.
  private var lastTick: UInt32 = 0

  /// - Throws: `.unsupported` unless it is 640x480 colour and raw 11-bit depth, as fakenect needs.
  package init(_ recording: Recording, to path: String, part: FrameSelection?) throws(RetakeError) {
    let color = try Self.stream(.color, of: recording) { ExportFrames.isColor($0) }
    let depth = try Self.stream(.depth, of: recording) { $0 == .kinectRaw11 }
    let streams = [color, depth, recording.firstStream(.motion)].compactMap(\.self)
    frames = try ExportFrames(recording, streams: streams, part: part, depth: .raw, needsDistinctTimes: true)
    try frames.leaveOutParts()
    folder = try ExportFolder(path: path)
    index = try LineFile("INDEX.txt", in: folder)
  }

  package var frameCount: Int { frames.frameCount }

  package func run(progress: (Int) -> Bool) throws(RetakeError) -> ExportReport {
    while let (frame, microseconds) = try frames.next() {
      if let file = try file(of: frame) {
        let seconds = ExportClock.text(microseconds: microseconds)
        let name = "\(file.kind)-\(seconds)-\(tick(of: frame)).\(file.type)"
        try folder.write(file.bytes, to: name)
        try index.append(name)
      }
      guard progress(frames.metCount) else { break }
    }
    try index.flush()
    try folder.finish()
    return frames.report
  }

  private static func stream(
    _ kind: StreamKind, of recording: Recording, _ isRight: (PixelFormat) -> Bool
  ) throws(RetakeError) -> Int {
    let hint = "record a Kinect v1, or --device 'simulated?depth=raw11'"
    guard let stream = recording.firstStream(kind) else {
      throw RetakeError(
        .unsupported, "\(recording.folder.path) has no \(kind.rawValue) stream, which fakenect requires.", hint: hint)
    }
    let layout = recording.streams[stream].layout
    guard isRight(layout.format), (layout.width, layout.height) == size else {
      let wanted = kind == .depth ? "\(PixelFormat.kinectRaw11.rawValue) of" : "pictures of"
      throw RetakeError(
        .unsupported,
        "fakenect takes \(wanted) \(size.width)x\(size.height), but stream '\(recording.streams[stream].name)' "
          + "of \(recording.folder.path) is \(layout.format.rawValue) of \(layout.width)x\(layout.height).",
        hint: hint)
    }
    return stream
  }

  private struct File {
    var kind: String
    var type: String
    var bytes: [UInt8]
  }

  private func file(of frame: Frame) throws(RetakeError) -> File? {
    switch frame.layout.format {
    case .motion: return File(kind: "a", type: "dump", bytes: tiltState(frame))
    case .kinectRaw11:
      // A 16-bit PGM would be big-endian, but fakenect uses the Kinect's little-endian samples.
      let samples = withExtendedLifetime(frame) { Array(frame.bytes) }
      return File(kind: "d", type: "pgm", bytes: picture("P5", 65_535) + samples)
    default:
      do throws(RetakeError) {
        return File(
          kind: "r", type: "ppm",
          bytes: picture("P6", 255) + (try frames.rgb(frame)))
      } catch {
        guard error.code == .corrupt else { throw error }
        frames.leaveOut(frame)
        return nil
      }
    }
  }

  private func picture(_ magic: String, _ largest: Int) -> [UInt8] {
    Array("\(magic) \(Self.size.width) \(Self.size.height) \(largest)\n".utf8)
  }

  /// freenect_raw_tilt_state in memory layout: three Int16, one Int8, padding, one Int32.
  private func tiltState(_ frame: Frame) -> [UInt8] {
    withExtendedLifetime(frame) {
      let bytes = Array(frame.bytes)
      // Status is an Int16 in a recording, and the driver's codes are 0, 1 and 4.
      return Array(bytes[0..<7]) + [0] + bytes[8..<10] + [0, 0]
    }
  }

  /// The frame's own tick if a Kinect gave one, else its time in Kinect ticks: 60 MHz, 32 bits.
  private func tick(of frame: Frame) -> UInt32 {
    guard frame.layout.format != .motion else { return lastTick }
    if frames.recording.streams[frame.stream].clock == .kinect, let tick = frame.timestamps.deviceTick {
      lastTick = UInt32(truncatingIfNeeded: tick)
    } else {
      let nanoseconds = Int128(frames.clock.nanoseconds(frame.timestamps.presentation))
      lastTick = UInt32(truncatingIfNeeded: nanoseconds * 60 / 1000)
    }
    return lastTick
  }
}
