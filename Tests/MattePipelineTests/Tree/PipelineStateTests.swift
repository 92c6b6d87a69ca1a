import FrameModel
import MattePipeline
import Media
import Support
import TestSupport
import Testing

@Suite struct PipelineStateTests {
  private static func noisyPerson(_ width: Int, _ height: Int, seed: UInt64) -> DepthMap {
    var generator = SeededGenerator(seed: seed)
    return DepthMap(width, height) { x, y in
      let noise = generator.next(below: 100)
      if noise < 5 { return 0 }
      return x > width / 3 && x < 2 * width / 3 && y > height / 4
        ? UInt16(700 + noise) : UInt16(2000 + 5 * noise)
    }
  }

  /// All planes, one after the other.
  private static func planes(_ output: PipelineOutput) -> [[UInt8]] {
    [
      Array(output.original.bytes), Array(output.allDepth.bytes), Array(output.allMask.bytes),
      Array(output.allMatte.bytes),
      Array(output.composite.bytes),
    ]
  }

  @Test(arguments: [(64, 48, 160, 90), (33, 17, 101, 57), (160, 120, 80, 60), (3, 2, 7, 4)])
  func `1, 2 and 5 threads give identical planes`(depthWidth: Int, depthHeight: Int, width: Int, height: Int) throws {
    var results: [[[UInt8]]] = []
    for threadCount in [1, 2, 5] {
      let studio = try Studio(
        video: noiseImage(width, height, seed: 1), depth: (depthWidth, depthHeight),
        background: noiseImage(50, 50, seed: 2), threadCount: threadCount)
      var planes: [[UInt8]] = []
      for seed in 0..<3 {
        let map = Self.noisyPerson(depthWidth, depthHeight, seed: UInt64(seed))
        let faces = [face(x: Double(width) / 2, y: Double(height) / 2, width: Double(width) / 5, height: 4)]
        planes += Self.planes(try #require(try studio.process(map, faces: faces)))
      }
      results.append(planes)
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
  }

  @Test
  func `mask and matte hold between depth frames, while the colour goes on`() throws {
    let (first, second) = (Self.noisyPerson(40, 30, seed: 1), Self.noisyPerson(40, 30, seed: 2))
    let format = try PipelineFormat(
      color: FrameLayout(.rgb24, width: 80, height: 60),
      depth: FrameLayout(.depthMillimeters16, width: 40, height: 30))
    let pipeline = try MattePipeline(
      format, parameters: try Preset.all[0].parameters(PipelineParameters.all), threadCount: 1)
    func process(_ index: Int, _ depth: DepthMap?) throws -> (isNew: Bool, planes: [[UInt8]]) {
      let color = try colorFrame(noiseImage(80, 60, seed: UInt64(index)), number: index)
      let set = FrameSet(index: index, color: color, depth: try depth.map { try depthFrame($0) }, faces: [])
      let output = try #require(try pipeline.process(set).output)
      #expect(output.index == index && output.sourceColor.number == index)
      return (output.depthIsNew, Self.planes(output))
    }
    let new = try process(0, first)
    let held = try process(1, nil)
    let next = try process(2, second)
    #expect(new.isNew && !held.isNew && next.isNew)
    #expect(held.planes[1...3] == new.planes[1...3])
    #expect(held.planes[0] != new.planes[0] && held.planes[4] != new.planes[4])
    #expect(next.planes[2] != held.planes[2] && next.planes[3] != held.planes[3])
  }

  @Test
  func `a frame set depends on nothing that came before but the depth and the cut-off`() throws {
    let map = Self.noisyPerson(40, 30, seed: 3)
    let fresh = try Studio(map)
    let expected = Self.planes(try #require(try fresh.process(map)))
    let used = try Studio(map)
    for seed in 10..<13 { _ = try used.process(Self.noisyPerson(40, 30, seed: UInt64(seed))) }
    #expect(Self.planes(try #require(try used.process(map))) == expected)
  }

  private static func code(_ color: Frame, _ depth: Frame) throws -> RetakeError.Code? {
    let map = DepthMap(8, 6) { _, _ in 700 }
    let studio = try Studio(map)
    do throws(RetakeError) {
      _ = try studio.pipeline.process(FrameSet(index: 0, color: color, depth: depth, faces: []))
      return nil
    } catch { return error.code }
  }

  @Test
  func `a frame that is not whole throws .corrupt`() throws {
    let color = try FrameLayout(.rgb24, width: 8, height: 6)
    let depth = try FrameLayout(.depthMillimeters16, width: 8, height: 6)
    let wholeColor = frame(color, [UInt8](repeating: 9, count: 144))
    let wholeDepth = frame(depth, [UInt8](repeating: 9, count: 96))
    #expect(try Self.code(wholeColor, wholeDepth) == nil)
    for count in [0, 1, 95, 97] {
      #expect(try Self.code(wholeColor, frame(depth, [UInt8](repeating: 9, count: count))) == .corrupt)
    }
    for count in [0, 1, 143, 145] {
      #expect(try Self.code(frame(color, [UInt8](repeating: 9, count: count)), wholeDepth) == .corrupt)
    }
  }

  @Test
  func `a frame of another size throws .corrupt, and so does one with padded rows`() throws {
    let wholeColor = try colorFrame(RGBImage(width: 8, height: 6))
    let wholeDepth = try depthFrame(DepthMap(8, 6) { _, _ in 700 })
    #expect(try Self.code(wholeColor, try depthFrame(DepthMap(6, 8) { _, _ in 700 })) == .corrupt)
    #expect(try Self.code(try colorFrame(RGBImage(width: 6, height: 8)), wholeDepth) == .corrupt)
    let padded = try FrameLayout(.depthMillimeters16, width: 8, height: 6, bytesPerRow: 20)
    #expect(try Self.code(wholeColor, frame(padded, [UInt8](repeating: 0, count: 120))) == .corrupt)
    let paddedColor = try FrameLayout(.rgb24, width: 8, height: 6, bytesPerRow: 32)
    #expect(try Self.code(frame(paddedColor, [UInt8](repeating: 0, count: 192)), wholeDepth) == .corrupt)
  }

  @Test
  func `a frame of a format that the pipeline was not prepared for throws .corrupt`() throws {
    let wholeColor = try colorFrame(RGBImage(width: 8, height: 6))
    let wholeDepth = try depthFrame(DepthMap(8, 6) { _, _ in 700 })
    for (format, pixelBytes) in [(PixelFormat.rgb24, 3), (.motion, 2), (.disparityFloat32, 4)] {
      let layout = try FrameLayout(format, width: 8, height: 6)
      #expect(
        try Self.code(wholeColor, frame(layout, [UInt8](repeating: 0, count: 48 * pixelBytes))) == .corrupt,
        "\(format) for depth")
    }
    let disparity = try disparityFrame(8, 6, [Float](repeating: 1, count: 48))
    #expect(try Self.code(disparity, wholeDepth) == .corrupt)
    let grey = frame(try FrameLayout(.grey8, width: 8, height: 6), [UInt8](repeating: 0, count: 48))
    #expect(try Self.code(grey, wholeDepth) == .corrupt)
  }

  @Test
  func `streams that are not colour and depth are refused as unsupported`() throws {
    let color = try FrameLayout(.rgb24, width: 8, height: 6)
    let depth = try FrameLayout(.depthMillimeters16, width: 8, height: 6)
    let motion = try FrameLayout(.motion, width: 8, height: 6)
    for (first, second) in [(color, color), (depth, depth), (motion, depth), (color, motion), (depth, color)] {
      let error = #expect(throws: RetakeError.self) { try PipelineFormat(color: first, depth: second) }
      #expect(error?.code == .unsupported)
    }
  }
}
