import FrameModel
import Kernels
import MattePipeline
import Media
import Parameters
import Replay
import Support
import TestSupport
import Testing

/// What a V4L2 output device gets, byte by byte.
@Suite struct V4L2SinkTests {
  private final class Node: VideoOutputNode {
    let path = "/dev/video9"
    let takesVideo = true
    let samples: VideoOutputFormat.Samples
    let padding: Int
    let extra: Int
    var pictures: [[UInt8]] = []
    var isFull = false
    var isOpen = true

    init(_ samples: VideoOutputFormat.Samples, padding: Int, extra: Int) {
      (self.samples, self.padding, self.extra) = (samples, padding, extra)
    }

    func setFormat(_ asked: VideoOutputFormat.Samples, width: Int, height: Int) -> VideoOutputFormat? {
      guard asked == samples else { return nil }
      let line = (samples == .yuyv ? (width + 1) / 2 * 4 : width * 3) + padding
      return VideoOutputFormat(
        samples: samples, width: width, height: height, bytesPerRow: line, byteCount: line * height + extra)
    }
    func setRate(_ rate: FrameRate) {}
    func write(_ picture: UnsafeRawBufferPointer) throws(RetakeError) {
      if isFull { throw RetakeError(.device, "/dev/video9 took 3 of a picture's bytes.") }
      pictures.append(Array(picture))
    }
    func close() { isOpen = false }
  }

  private static let (width, height) = (7, 3)

  /// - Returns: the picture that was shown, packed RGB.
  private func show(on node: Node, times: Int = 1) throws -> [UInt8] {
    let layout = try FrameLayout(.rgb24, width: Self.width, height: Self.height)
    let stream = try TestFrames.stream("color", .color, layout)
    let parameters = ParameterSet(PipelineParameters.all)
    let pipeline = try MattePipeline(
      PipelineFormat(color: stream, depth: nil, parameters), parameters: parameters, wanted: .original, threadCount: 1)
    let sink = try V4L2Sink(node, tap: .original, sizes: pipeline.sizes, rate: FrameRate(30))
    let buffer = TestFrames.buffer(layout, seed: 5)
    for index in 0..<times {
      let frame = Frame(
        stream: 0, number: index, layout: layout, buffer: buffer, byteCount: layout.byteCount, deviceSequence: nil,
        timestamps: FrameTimestamps(
          deviceTick: nil, unwrappedTick: nil, arrival: MonotonicTime(nanoseconds: 0),
          presentation: PresentationTime(nanoseconds: 0)), flags: [])
      let result = try pipeline.process(FrameSet(index: index, color: frame, depth: nil, faces: []))
      try sink.take(try #require(result.output))
    }
    sink.finish()
    return buffer.copiedBytes
  }

  @Test(arguments: [(0, 0), (11, 0), (4, 100)])
  func `rows stand where the device has them, with nothing between`(padding: Int, extra: Int) throws {
    let node = Node(.rgb24, padding: padding, extra: extra)
    let source = try show(on: node)
    let line = Self.width * 3
    var expected: [UInt8] = []
    for y in 0..<Self.height {
      expected += source[y * line..<(y + 1) * line] + [UInt8](repeating: 0, count: padding)
    }
    expected += [UInt8](repeating: 0, count: extra)
    #expect(node.pictures == [expected])
    #expect(!node.isOpen)
  }

  @Test func `of an odd width the last pixel fills its pair, in rows of their own`() throws {
    let node = Node(.yuyv, padding: 5, extra: 0)
    let source = try show(on: node)
    let line = (Self.width + 1) / 2 * 4
    var expected: [UInt8] = []
    for y in 0..<Self.height {
      var row = [UInt8](repeating: 0, count: line)
      source.withUnsafeBufferPointer {
        VideoConversion.yuyv($0.baseAddress! + y * Self.width * 3, to: &row, width: Self.width, height: 1)
      }
      expected += row + [0, 0, 0, 0, 0]
    }
    #expect(node.pictures == [expected])
    // Luma of the pixel that is not there: the last one's again.
    #expect(expected[line - 2] == expected[line - 4])
  }

  @Test func `a device that takes half a picture is an error`() throws {
    let node = Node(.yuyv, padding: 0, extra: 0)
    node.isFull = true
    #expect(throws: RetakeError.self) { _ = try show(on: node) }
    #expect(node.pictures.isEmpty)
  }
}
