import FrameModel
import Kernels
import MattePipeline
import Media
import Parameters
import Support
import TestSupport
import Testing

@Suite struct ColorFormatTests {
  private static let (width, height) = (17, 9)

  /// One colour in a camera's format, and the colour that the pipeline should show for it.
  struct Sample: Sendable {
    let format: PixelFormat
    let bytes: [UInt8]
    let rgb: [UInt8]
  }

  private static func mosaic(_ square: [UInt8]) -> [UInt8] {
    (0..<width * height).map { square[$0 / width % 2 * 2 + $0 % width % 2] }
  }

  static let samples = [
    Sample(
      format: .rgb24, bytes: (0..<width * height).flatMap { _ in [200, 100, 50] }, rgb: [200, 100, 50]),
    Sample(format: .grey8, bytes: [UInt8](repeating: 77, count: width * height), rgb: [77, 77, 77]),
    // Y 81, U 90, V 240 is red: 238, 14, 14.
    Sample(format: .yuyv, bytes: (0..<9 * height).flatMap { _ in [81, 90, 81, 240] }, rgb: [238, 14, 14]),
    Sample(
      format: .nv12, bytes: [UInt8](repeating: 81, count: 18 * height) + (0..<45).flatMap { _ in [90, 240] },
      rgb: [238, 14, 14]),
    Sample(format: .bayerRGGB8, bytes: mosaic([200, 100, 100, 50]), rgb: [200, 100, 50]),
    Sample(format: .bayerGRBG8, bytes: mosaic([100, 200, 50, 100]), rgb: [200, 100, 50]),
    Sample(format: .bayerGBRG8, bytes: mosaic([100, 50, 200, 100]), rgb: [200, 100, 50]),
    Sample(format: .bayerBGGR8, bytes: mosaic([50, 100, 100, 200]), rgb: [200, 100, 50]),
  ]

  private static func output(
    _ color: Frame, threadCount: Int = 3
  ) throws -> PipelineOutput? {
    let depth = try depthFrame(DepthMap(width, height) { _, _ in 700 })
    let format = try PipelineFormat(color: color.layout, depth: depth.layout)
    let pipeline = try MattePipeline(
      format, parameters: ParameterSet(PipelineParameters.all), threadCount: threadCount)
    return try pipeline.process(FrameSet(index: 0, color: color, depth: depth, faces: [])).output
  }

  @Test(arguments: samples)
  func `a colour comes out the same from every camera format`(sample: Sample) throws {
    let layout = try FrameLayout(sample.format, width: Self.width, height: Self.height)
    let output = try #require(try Self.output(frame(layout, sample.bytes)))
    let expected = (0..<Self.width * Self.height).flatMap { _ in sample.rgb }
    #expect(output.original.array == expected)
    #expect(output.composite.array == expected)
  }

  @Test
  func `RGB24 is shown where it lies, and held until the next frame`() throws {
    let layout = try FrameLayout(.rgb24, width: Self.width, height: Self.height)
    let format = try PipelineFormat(color: layout, depth: nil)
    let pipeline = try MattePipeline(
      format, parameters: ParameterSet(PipelineParameters.all), wanted: .original, threadCount: 2)
    let pool = FrameBufferPool(bufferByteCount: layout.byteCount, limit: 4)
    func show(_ level: UInt8, at index: Int) throws -> PixelPlane<UInt8> {
      let buffer = try #require(pool.take())
      buffer.mutableBytes.initializeMemory(as: UInt8.self, repeating: level)
      var color = frame(layout, [UInt8](repeating: 0, count: layout.byteCount), number: index)
      color.buffer = buffer
      let set = FrameSet(index: index, color: color, depth: nil, faces: [])
      let original = try #require(try pipeline.process(set).output).original
      #expect(UnsafeRawPointer(original.samples) == buffer.bytes.baseAddress)
      return original
    }
    for index in 0..<3 {
      let original = try show(UInt8(index), at: index)
      #expect(original.array == [UInt8](repeating: UInt8(index), count: layout.byteCount))
      #expect(pool.lentCount == 1)
    }
    pipeline.reset()
    #expect(pool.lentCount == 0)
  }

  /// Red of 75 % as cameras send it, by what their streams say.
  @Test(
    arguments: [
      ([65, 100, 212], ["601", "limited"], [191, 0, 0]), ([51, 109, 212], ["709", "limited"], [191, 0, 0]),
      ([41, 106, 223], ["709", "full"], [191, 0, 0]), ([57, 96, 223], ["601", "full"], [190, 0, 0]),
      ([57, 96, 223], ["v4l2-9", "none"], [190, 0, 0]),
    ] as [([UInt8], [String], [Int])])
  func `YUV is shown as its stream says, on any number of threads`(
    _ yuv: [UInt8], _ words: [String], _ rgb: [Int]
  ) throws {
    for format in [PixelFormat.yuyv, .nv12] {
      let layout = try FrameLayout(format, width: Self.width, height: Self.height)
      var stream = try TestFrames.stream("color", .color, layout)
      stream.settings = [.init(ColorMatrix.encodingSetting, words[0]), .init(ColorMatrix.rangeSetting, words[1])]
      let map = DepthMap(Self.width, Self.height) { _, _ in 700 }
      let depth = try depthFrame(map)
      let parameters = ParameterSet(PipelineParameters.all)
      let pairs = (Self.width + 1) / 2
      let bytes =
        format == .yuyv
        ? (0..<pairs * Self.height).flatMap { _ in [yuv[0], yuv[1], yuv[0], yuv[2]] }
        : [UInt8](repeating: yuv[0], count: 2 * pairs * Self.height)
          + (0..<pairs * ((Self.height + 1) / 2)).flatMap { _ in [yuv[1], yuv[2]] }
      for threadCount in [1, 3] {
        let pipeline = try MattePipeline(
          try PipelineFormat(
            color: stream, depth: TestFrames.stream("depth", .depth, depth.layout), parameters),
          parameters: parameters, threadCount: threadCount)
        let output = try #require(
          try pipeline.process(FrameSet(index: 0, color: frame(layout, bytes), depth: depth, faces: [])).output)
        let worst = output.original.array.enumerated().map { abs(Int($1) - rgb[$0 % 3]) }.max()
        #expect(try #require(worst) <= 2, "\(format.rawValue)")
      }
    }
  }

  @Test
  func `a JPEG's colours come out within what JPEG keeps of them`() throws {
    let image = RGBImage(width: Self.width, height: Self.height, red: 200, green: 100, blue: 50)
    let layout = try FrameLayout(.jpeg, width: Self.width, height: Self.height)
    let output = try #require(try Self.output(frame(layout, try JPEGEncoder.encode(image, quality: 95))))
    for (byte, expected) in zip(output.original.array, image.pixels) {
      #expect(abs(Int(byte) - Int(expected)) <= 4)
    }
  }

  @Test
  func `a JPEG that is cut off, empty, another size's or no JPEG throws .corrupt`() throws {
    let layout = try FrameLayout(.jpeg, width: Self.width, height: Self.height)
    let whole = try JPEGEncoder.encode(noiseImage(Self.width, Self.height, seed: 9))
    let other = try JPEGEncoder.encode(noiseImage(Self.width + 1, Self.height, seed: 9))
    let cut = Array(whole[..<(whole.count / 2)])
    for bytes in [cut, [], [1, 2, 3], other] {
      let error = #expect(throws: RetakeError.self) { try Self.output(frame(layout, bytes)) }
      #expect(error?.code == .corrupt)
    }
    #expect(try Self.output(frame(layout, whole)) != nil)
  }
}
