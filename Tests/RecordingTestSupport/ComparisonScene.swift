import FrameModel
import Kernels
import RecordingStore
import Support
import TestSupport

/// A small recording in which every parameter has something to act on: two people who move before a wall, faces that come, go
/// and turn, depth of another shape than the picture with noise, shadows and holes, cameras whose lenses are known, and colours on
/// all sides of one another. All of it out of numbers.
package enum ComparisonScene {
  package static let frameCount = 14
  package static let (width, height) = (96, 72)
  package static let (depthWidth, depthHeight) = (48, 64)

  /// - Parameter emptyCount: at most 4 frames without people at the start.
  /// - Returns: the folder's path.
  package static func record(
    _ folder: TemporaryFolder, _ name: String = "scene.retake", seed: UInt64 = 1, emptyCount: Int = 0
  ) throws -> String {
    let path = folder.path(name)
    var options = RecorderOptions()
    options.keepFreeByteCount = 0
    options.wallClockNanoseconds = 1_700_000_000_000_000_000
    options.id = seed.zeroPadded(32)
    let recorder = try Recorder(folder: RecordingFolder(path: path), streams: try streams(), options: options)
    let sink = recorder.sink(firstStream: 0, isLive: false) { _ in }
    for index in 0..<frameCount {
      let isEmpty = index < emptyCount
      sink.deliver(
        try frame(0, try streams()[0].layout, index, color(index, seed, isEmpty: isEmpty), faces: faces(index)))
      sink.deliver(try frame(1, try streams()[1].layout, index, depth(index, seed, isEmpty: isEmpty)))
    }
    if let failure = recorder.finish().failure { throw failure }
    return path
  }

  private static func streams() throws -> [StreamDescription] {
    var color = try TestFrames.stream("color", .color, FrameLayout(.rgb24, width: width, height: height))
    var depth = try TestFrames.stream(
      "depth", .depth, FrameLayout(.depthMillimeters16, width: depthWidth, height: depthHeight))
    color.settings = [.init(CameraIntrinsics.settingName, "fx=90 fy=90 cx=47.5 cy=35.5")]
    depth.settings = [.init(CameraIntrinsics.settingName, "fx=52 fy=52 cx=23.5 cy=31.5")]
    let identity = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]
    if let stand = CameraExtrinsics(rotation: identity, translationMillimeters: [-25, 0, 0]) {
      depth.settings.append(stand.setting)
    }
    return [color, depth]
  }

  private static func frame(
    _ stream: Int, _ layout: FrameLayout, _ index: Int, _ bytes: [UInt8], faces: [FaceObservation] = []
  ) throws -> CapturedFrame {
    let frame = TestFrames.captured(layout, stream: stream, index: index, faces: faces)
    bytes.withUnsafeBytes { frame.buffer.mutableBytes.copyMemory(from: $0) }
    return frame
  }

  /// The middle of the first person, 0 to 1, going to and fro; the second stands beside.
  private static func middle(_ index: Int) -> Double { 0.26 + 0.07 * Double(index % 5) }

  /// 0 for the wall.
  private static func person(_ x: Double, _ y: Double, _ index: Int) -> Int {
    func covers(_ middle: Double, _ top: Double, _ half: Double) -> Bool {
      let (across, down) = ((x - middle) / half, (y - top - 0.5) / 0.5)
      return across * across + down * down <= 1
    }
    if covers(middle(index), 0.2, 0.17) { return 1 }
    return covers(0.8, 0.3, 0.12) ? 2 : 0
  }

  private static func color(_ index: Int, _ seed: UInt64, isEmpty: Bool) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (u, v) = ((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))
        let base =
          switch isEmpty ? 0 : person(u, v, index) {
          case 1: x % 9 == 0 ? [70, 190, 60] : [190, 120, 90]
          case 2: y % 7 == 0 ? [60, 80, 200] : [170, 90, 80]
          default: [Int(60 * u) + 20, Int(150 * v) + 60, 90]
          }
        for level in base { bytes.append(UInt8(level + generator.next(below: 30))) }
      }
    }
    return bytes
  }

  private static func depth(_ index: Int, _ seed: UInt64, isEmpty: Bool) -> [UInt8] {
    var generator = SeededGenerator(seed: seed &* 7919 &+ UInt64(index))
    var bytes: [UInt8] = []
    for y in 0..<depthHeight {
      for x in 0..<depthWidth {
        let (u, v) = ((Double(x) + 0.5) / Double(depthWidth), (Double(y) + 0.5) / Double(depthHeight))
        let noise = generator.next(below: 60)
        let isShadow = !isEmpty && person(u, v, index) == 0 && person(u + 0.06, v, index) == 1
        // A hand that is too near to be measured.
        let isTooNear = !isEmpty && abs(u - middle(index)) < 0.09 && abs(v - 0.75) < 0.08
        let millimeters =
          switch isEmpty ? 0 : person(u, v, index) {
          case 1: 940 + noise + Int(80 * v)
          case 2: 1290 + noise
          default: 2200 + Int(400 * u) + 2 * noise
          }
        let sample = noise < 2 || isShadow || isTooNear ? 0 : UInt16(millimeters)
        bytes += [UInt8(sample & 255), UInt8(sample >> 8)]
      }
    }
    return bytes
  }

  /// None at first, one, none for a while, then two.
  private static func faces(_ index: Int) -> [FaceObservation] {
    guard index > 3, ![8, 9].contains(index) else { return [] }
    func face(_ middle: Double, _ turn: Double) -> FaceObservation {
      FaceObservation(
        box: .init(
          x: (middle - 0.1) * Double(width), y: 0.28 * Double(height), width: 0.2 * Double(width),
          height: 0.3 * Double(height)),
        confidence: 1, roll: 0.1 * Double(index % 5) - 0.2, pitch: 0.05 * Double(index % 3), yaw: turn,
        detector: "scene")
    }
    return index < 10 ? [face(middle(index), -0.3)] : [face(0.8, 0.2), face(middle(index), -0.3)]
  }
}
