import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// The pipeline takes depth from what the streams' settings say.
@Suite struct DepthRegistrationTests {
  private static let calibration = KinectCalibration(
    terms: [0, 1964, 56, -26, 600, 6161, -13, 2825, 684, 5, 6434], padding: .init(),
    zeroPlane: .init(
      emitterDistanceCentimeters: 7.5, colorDistanceCentimeters: 2.4, referenceDistanceMillimeters: 120,
      referencePixelSizeMillimeters: 0.1042),
    constantShift: 200)

  private func stream(
    _ kind: StreamKind, _ format: PixelFormat, _ settings: [StreamDescription.Setting] = [],
    size: (Int, Int) = (640, 480)
  ) throws -> StreamDescription {
    var stream = try TestFrames.stream(
      kind.rawValue, kind, FrameLayout(format, width: size.0, height: size.1))
    stream.settings = settings
    return stream
  }

  private func parameters(_ assignments: [String] = []) throws -> ParameterSet {
    var parameters = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    return parameters
  }

  /// The depth that the pipeline works with.
  private func prepared(
    _ samples: [UInt16], _ depth: StreamDescription, _ color: StreamDescription, _ assignments: [String] = [],
    threadCount: Int = 1
  ) throws -> [UInt16] {
    let parameters = try parameters(assignments)
    let pipeline = try MattePipeline(
      try PipelineFormat(color: color, depth: depth, parameters), parameters: parameters, threadCount: threadCount)
    let picture = noiseImage(color.layout.width, color.layout.height, seed: 1)
    let output = try #require(
      try pipeline.process(
        FrameSet(
          index: 0, color: try colorFrame(picture), depth: frame(depth.layout, littleEndianBytes(samples)), faces: [])
      ).output)
    return output.allDepth.array
  }

  /// A near half and a rough far one, with holes.
  private static let raw: [UInt16] = (0..<640 * 480).map { (i: Int) -> UInt16 in
    if i % 29 == 0 { return 2047 }
    if i % 640 < 300 { return 650 }
    return UInt16(880 + i % 7)
  }

  @Test func `a Kinect's depth is laid over its colour, and stays where it was if so asked`() throws {
    let depth = try stream(.depth, .kinectRaw11, Self.calibration.settings)
    let color = try stream(.color, .rgb24)
    let table = KinectDepthTables.millimeters(Self.calibration)
    let unregistered = Self.raw.map { min(table[Int($0)], 10_000) }
    var registered = [UInt16](repeating: 0, count: unregistered.count)
    registered.withUnsafeMutableBufferPointer { target in
      DepthRegistration(Self.calibration).register(to: target.baseAddress!) { y, row in
        for x in 0..<640 { row[x] = unregistered[y * 640 + x] }
      }
    }
    #expect(!areSame(registered, unregistered))
    for threadCount in [1, 3] {
      #expect(areSame(try prepared(Self.raw, depth, color, threadCount: threadCount), registered))
      #expect(
        areSame(
          try prepared(Self.raw, depth, color, ["depth.registration=none"], threadCount: threadCount), unregistered))
    }
    #expect(areSame(try prepared(Self.raw, depth, color, ["depth.registration=color"]), registered))
  }

  @Test func `what has no calibration is not laid over colour, and says so where it must be`() throws {
    let depth = try stream(.depth, .kinectRaw11)
    let color = try stream(.color, .rgb24)
    let expected = Self.raw.map { DepthUnits.kinectMillimeters[Int($0)] }
    #expect(areSame(try prepared(Self.raw, depth, color), expected))
    let error = #expect(throws: RetakeError.self) {
      try PipelineFormat(color: color, depth: depth, parameters(["depth.registration=color"]))
    }
    #expect(error?.code == .unsupported)
  }

  @Test func `counts of a depth camera are taken times its unit`() throws {
    let unit = StreamDescription.Setting(StreamDescription.depthUnit, "100")
    let color = try stream(.color, .rgb24, size: (4, 1))
    let depth = try stream(.depth, .grey16, [unit], size: (4, 1))
    #expect(try prepared([0, 4, 5, 65_535], depth, color) == [0, 0, 1, 6554])
    let infrared = try stream(.infrared, .grey16, [unit], size: (4, 1))
    let error = #expect(throws: RetakeError.self) { try PipelineFormat(color: color, depth: infrared, parameters()) }
    #expect(error?.code == .unsupported)
  }

  @Test func `16 bits of infrared light are no colour`() throws {
    let depth = try stream(.depth, .depthMillimeters16, size: (4, 1))
    let infrared = try stream(.infrared, .grey16, size: (4, 1))
    let error = #expect(throws: RetakeError.self) { try PipelineFormat(color: infrared, depth: depth, parameters()) }
    #expect(error?.code == .unsupported)
  }
}
