import ChunkFormat
import FrameModel
import Media
import RecordingStore
import Support
import Synchronization
import TestSupport
import Testing

/// A detector that sees one face on its way across the picture, and cannot read every seventh frame.
final class WalkingFaceObserver: FaceObserver {
  let detector = "walking version=1"
  private let count = Atomic<Int>(0)

  static func isUnreadable(_ frame: Int) -> Bool { frame % 7 == 3 }
  static func box(_ frame: Int) -> FaceObservation.Box {
    FaceObservation.Box(x: 10 + Double(frame) * 2, y: 20.5, width: 12, height: 14)
  }

  func skip(_ frameCount: Int) { count.add(frameCount, ordering: .relaxed) }

  func faces(in color: FramePicture, depth: FramePicture?) throws(RetakeError) -> [FaceObservation] {
    let frame = count.add(1, ordering: .relaxed).oldValue
    guard !Self.isUnreadable(frame) else { throw RetakeError(.corrupt, "unreadable") }
    return [
      FaceObservation(
        box: Self.box(frame), confidence: 0.75, roll: 0.1, pitch: 0.2, yaw: 0.3, detector: detector)
    ]
  }
}

/// Recordings of a camera with every kind of stream.
struct RedactionSupport {
  let folder: TemporaryFolder
  let colorFormat: PixelFormat
  let streams: [StreamDescription]
  static let size = (width: 96, height: 72)

  init(_ colorFormat: PixelFormat) throws {
    folder = try TemporaryFolder()
    self.colorFormat = colorFormat
    let kinds: [(StreamKind, PixelFormat)] = [
      (.color, colorFormat), (.depth, .depthMillimeters16), (.infrared, .grey16), (.alpha, .grey8), (.motion, .motion),
    ]
    streams = try kinds.map { kind, format in
      let (width, height) = kind == .motion ? (6, 1) : Self.size
      var stream = try TestFrames.stream(kind.rawValue, kind, FrameLayout(format, width: width, height: height))
      stream.device = kind == .motion ? "other" : "freenect:A00364A08793107A"
      stream.settings += [
        .init("serial", "A00364A08793107A"), .init("bus", "usb-1"), .init("mode", "registered x"),
        .init("camera", #"{"SerialId": "A00364-inside", "lens serial": 12, "of": "A00364A08793107A", "f": 525}"#),
        .init("uri", "1d27/0609@2/4"), .init("frame", "camera A00364A08793107A left"),
        .init("notes", "serial_no: A00364-inside"),
      ]
      return stream
    }
  }

  /// - Parameter damaged: a colour frame of which half is missing.
  @discardableResult
  func record(_ name: String = "a.retake", frames: Int = 40, faces: FaceRecording? = nil, damaged: Int = 12) throws
    -> Recording
  {
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.wallClockNanoseconds = 0
    options.id = String(repeating: "1", count: 32)
    options.chunkFileNanoseconds = 500_000_000
    let recorder = try Recorder(
      folder: RecordingFolder(path: folder.path(name)), streams: streams, options: options,
      faces: faces ?? .detector(WalkingFaceObserver(), stream: 0, depthStream: 1))
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<frames {
      if index == 20 { try recorder.mark("half", at: MonotonicTime(nanoseconds: 20 * 33_333_333 + 5_000_000_000)) }
      for stream in streams.indices.reversed() {
        let isDamaged = stream == 0 && index == damaged
        var frame = TestFrames.captured(
          streams[stream].layout, stream: stream, index: index, flags: isDamaged ? .damaged : [])
        if streams[stream].layout.format == .jpeg {
          let file = try Self.jpeg(index)
          frame.buffer = FrameBuffer(byteCount: frame.layout.byteCount)
          frame.buffer.mutableBytes.copyBytes(from: file)
          frame.byteCount = file.count
        }
        if isDamaged { frame.byteCount /= 2 }
        sink.deliver(frame)
      }
    }
    let status = recorder.finish()
    #expect(status.failure == nil)
    return try Recording(path: folder.path(name))
  }

  private static func jpeg(_ index: Int) throws -> [UInt8] {
    let layout = try FrameLayout(.rgb24, width: size.width, height: size.height)
    let pixels = TestFrames.buffer(layout, seed: UInt64(index)).copiedBytes
    let comment = Array("A00364 comment".utf8)
    let file = try JPEGEncoder.encode(RGBImage(width: size.width, height: size.height, pixels: pixels))
    return file.prefix(2) + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + file.dropFirst(2)
  }

  /// Of each stream, what its frames say and hold.
  static func frames(_ recording: Recording) throws -> [[Frame]] {
    let reader = try FrameReader(recording, heldFrameLimit: 1000)
    return try recording.streams.indices.map { stream in
      try recording.frameRows(stream: stream, from: 0, limit: 1000).map { try reader.frame($0) }
    }
  }
}
