import CaptureDevices
import FaceDetection
import Foundation
import FrameModel
import Media
import Support
import Synchronization
import TestSupport
import Testing

/// Pictures and simulated frames for detectors.
enum FaceSupport {
  static func picture(_ image: RGBImage) throws -> FramePicture {
    let layout = try FrameLayout(.rgb24, width: image.width, height: image.height)
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    buffer.mutableBytes.copyBytes(from: image.pixels)
    return FramePicture(layout: layout, buffer: buffer, byteCount: layout.byteCount)
  }

  /// Millimetres of each pixel; 0 is no measurement.
  static func depth(width: Int, height: Int, _ millimeters: (Int, Int) -> Int) throws -> FramePicture {
    let layout = try FrameLayout(.depthMillimeters16, width: width, height: height)
    let buffer = FrameBuffer(byteCount: layout.byteCount)
    for i in 0..<width * height {
      let sample = UInt16(millimeters(i % width, i / width))
      buffer.mutableBytes.storeBytes(of: sample.littleEndian, toByteOffset: 2 * i, as: UInt16.self)
    }
    return FramePicture(layout: layout, buffer: buffer, byteCount: layout.byteCount)
  }

  static func stream(_ kind: StreamKind, _ layout: FrameLayout, _ settings: [StreamDescription.Setting] = []) throws
    -> StreamDescription
  {
    StreamDescription(
      name: "\(kind)", kind: kind, layout: layout, rate: try FrameRate(30), clock: .microseconds, device: "test",
      settings: settings)
  }

  /// What a fresh detector sees in one picture.
  static func faces(_ specification: String, in image: RGBImage) throws -> [FaceObservation] {
    let picture = try picture(image)
    let detector = try #require(try FaceDetectorSpecification(specification).detector())
    let finder = try FaceFinder(detector, color: stream(.color, picture.layout), depth: nil)
    return try finder.faces(in: picture, depth: nil)
  }

  static func fixture(_ name: String) throws -> RGBImage {
    try PictureFile.readColor(path: Checkout.fixture("faces/" + name))
  }

  /// For tests of `fixture`.
  static var hasFixtures: Bool { Checkout.hasFixture("faces") }

  /// A colour frame with the depth frame of the same instant, and the face that is truly there.
  struct Instant: Sendable {
    var color: FramePicture
    var depth: FramePicture?
    var truth: FaceObservation?
  }

  static func simulated(_ options: String) throws -> (streams: [StreamDescription], instants: [Instant]) {
    let device = try SimulatedCamera(DeviceSpecification("simulated?pace=fast&alpha=0&\(options)"))
    let sink = InstantSink()
    try device.start(delivering: sink)
    while !sink.isFinished { usleep(2000) }
    device.stop()
    return (device.streams, sink.instants)
  }
}

private final class InstantSink: CaptureSink {
  private struct State {
    var instants: [UInt64: FaceSupport.Instant] = [:]
    var depth: [UInt64: FramePicture] = [:]
    var isFinished = false
  }
  private let state = Mutex(State())

  var isFinished: Bool { state.withLock { $0.isFinished } }
  var instants: [FaceSupport.Instant] {
    state.withLock { state in
      state.instants.sorted { $0.key < $1.key }.map { key, instant in
        var instant = instant
        instant.depth = state.depth[key]
        return instant
      }
    }
  }

  func deliver(_ frame: CapturedFrame) {
    state.withLock {
      if frame.streamIndex == 0 {
        $0.instants[frame.deviceSequence!] = FaceSupport.Instant(
          color: FramePicture(frame), depth: nil, truth: frame.faces.first)
      } else {
        $0.depth[frame.deviceSequence!] = FramePicture(frame)
      }
    }
  }
  func report(_ loss: CaptureLoss) {}
  func finished(_ error: RetakeError?) { state.withLock { $0.isFinished = true } }
}
