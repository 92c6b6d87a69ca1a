import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport

struct DepthMap {
  let width: Int
  let height: Int
  var millimeters: [UInt16]

  init(_ width: Int, _ height: Int, millimeters: [UInt16]) {
    self.width = width
    self.height = height
    self.millimeters = millimeters
  }
  init(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt16) {
    self.init(width, height, millimeters: (0..<width * height).map { value($0 % width, $0 / width) })
  }
  subscript(x: Int, y: Int) -> UInt16 {
    get { millimeters[y * width + x] }
    set { millimeters[y * width + x] = newValue }
  }
}

/// A frame of any bytes.
func frame(_ layout: FrameLayout, _ bytes: [UInt8], number: Int = 0) -> Frame {
  let buffer = FrameBuffer(byteCount: max(bytes.count, 1))
  buffer.mutableBytes.copyBytes(from: bytes)
  return Frame(
    stream: 0, number: number, layout: layout, buffer: buffer, byteCount: bytes.count, deviceSequence: nil,
    timestamps: FrameTimestamps(
      deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
      presentation: PresentationTime(nanoseconds: Int64(number) * 33_333_333)),
    flags: [])
}

func littleEndianBytes<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
  values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}

func depthFrame(_ map: DepthMap, number: Int = 0) throws -> Frame {
  frame(
    try FrameLayout(.depthMillimeters16, width: map.width, height: map.height),
    littleEndianBytes(map.millimeters), number: number)
}

func disparityFrame(_ width: Int, _ height: Int, _ disparity: [Float]) throws -> Frame {
  frame(
    try FrameLayout(.disparityFloat32, width: width, height: height),
    littleEndianBytes(disparity.map(\.bitPattern)))
}

func colorFrame(_ image: RGBImage, number: Int = 0) throws -> Frame {
  frame(try FrameLayout(.rgb24, width: image.width, height: image.height), image.pixels, number: number)
}

func face(x: Double, y: Double, width: Double = 2, height: Double = 2) -> FaceObservation {
  FaceObservation(
    box: FaceObservation.Box(x: x - width / 2, y: y - height / 2, width: width, height: height),
    confidence: 1,
    roll: nil, pitch: nil, yaw: nil, detector: "test")
}

/// For pipelines that make everything.
extension PipelineOutput {
  var allDepth: PixelPlane<UInt16> { depth! }
  var allMask: PixelPlane<UInt8> { mask! }
  var allMatte: PixelPlane<UInt8> { matte! }
}

extension PixelPlane {
  var array: [Sample] { Array(UnsafeBufferPointer(start: samples, count: count)) }
}

/// A pipeline for depth and RGB of two sizes, and a count of its frames.
final class Studio {
  let pipeline: MattePipeline
  let video: RGBImage
  private var parameters: ParameterSet
  private var index = 0

  init(
    video: RGBImage, depth: (width: Int, height: Int), depthFormat: PixelFormat = .depthMillimeters16,
    _ assignments: [String] = [], background: RGBImage? = nil, threadCount: Int = 1
  ) throws {
    self.video = video
    parameters = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    pipeline = try MattePipeline(
      try PipelineFormat(
        color: FrameLayout(.rgb24, width: video.width, height: video.height),
        depth: FrameLayout(depthFormat, width: depth.width, height: depth.height)),
      parameters: parameters, sources: PipelineSources(background: background), threadCount: threadCount)
  }

  /// A studio for a depth map, whose video is as large.
  convenience init(_ map: DepthMap, _ assignments: [String] = [], background: RGBImage? = nil) throws {
    try self.init(
      video: noiseImage(map.width, map.height, seed: 1), depth: (map.width, map.height), assignments,
      background: background)
  }

  /// From the next frame on.
  func set(_ assignment: String) throws {
    try parameters.set(assignment)
    try pipeline.change(to: parameters, at: index)
  }

  func process(_ depth: Frame?, faces: [FaceObservation] = []) throws -> PipelineOutput? {
    defer { index += 1 }
    return try pipeline.process(
      FrameSet(index: index, color: try colorFrame(video, number: index), depth: depth, faces: faces)
    ).output
  }

  func process(_ map: DepthMap, faces: [FaceObservation] = []) throws -> PipelineOutput? {
    try process(try depthFrame(map, number: index), faces: faces)
  }
}
