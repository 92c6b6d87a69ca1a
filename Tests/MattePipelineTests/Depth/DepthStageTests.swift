import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// What depth.* parameters make of depth, through the stage and the pipeline.
@Suite struct DepthStageTests {
  private static func rough(_ width: Int, _ height: Int, seed: Int) -> DepthMap {
    let noise = noiseImage(width, height, seed: UInt64(seed))
    return DepthMap(width, height) { x, y in
      let sample = noise.pixels[3 * (y * width + x)]
      return sample < 40 ? 0 : UInt16(x < width / 2 ? 800 : 1900) + UInt16(sample % 16)
    }
  }

  /// Prepared depth of some frames.
  private func prepared(
    _ maps: [DepthMap], _ assignments: [String], threadCount: Int = 1, processor: Processor = .best
  ) throws -> [[UInt16]] {
    let stage = try stage(
      maps[0].width, maps[0].height, assignments, threadCount: threadCount, processor: processor)
    return try maps.map { map in
      try stage.prepare(try depthFrame(map), next: nil, bands: BandRunner(threadCount: threadCount))
      return stage.output.millimeters.array
    }
  }

  private func stage(
    _ width: Int, _ height: Int, format: PixelFormat = .depthMillimeters16, _ assignments: [String],
    extras: DepthExtras = [], threadCount: Int = 1, processor: Processor = .best
  ) throws -> DepthStage {
    var parameters = try Preset.named("truedepth-backdrop").parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    let shape = try PipelineFormat(
      color: FrameLayout(.rgb24, width: 40, height: 30), depth: FrameLayout(format, width: width, height: height))
    return DepthStage(
      try #require(shape.depth), video: shape.color, parameters, extras: extras, threadCount: threadCount,
      processor: processor)
  }

  @Test
  func `filters come in librealsense's order: decimation, spatial, temporal and persistence, holes`() throws {
    let (width, height) = (33, 25)
    let maps = (0..<6).map { Self.rough(width, height, seed: $0) }
    let assignments = [
      "depth.decimation=2", "depth.spatial-passes=2", "depth.temporal=smooth", "depth.persistence=3",
      "depth.holes=farthest",
    ]
    let spatial = DepthSpatialFilter(
      width: 17, height: 13, alpha: 0.5, deltaMillimeters: 20, threadCount: 1)
    var pixels = [DepthFollowing.Reference](
      repeating: .init(alpha: 0.4, deltaMillimeters: 20, persistence: .validIn2OfLast4), count: 17 * 13)
    let expected = maps.map { map in
      var plane = DepthDecimation.reference(map.millimeters, width: width, height: height, factor: 2)
      for _ in 0..<2 { plane = spatial.reference(plane) }
      for i in plane.indices { plane[i] = pixels[i].next(plane[i]) }
      return DepthFill.reference(plane, width: 17, height: 13)
    }
    for threadCount in [1, 2, 5] {
      for processor in Processor.available {
        #expect(try prepared(maps, assignments, threadCount: threadCount, processor: processor) == expected)
      }
    }
  }

  @Test
  func `with no filter depth stays as it was measured`() throws {
    let map = Self.rough(31, 17, seed: 3)
    #expect(try prepared([map], [])[0] == map.millimeters)
  }

  /// - Parameter uncovered: what pixels show that nothing moves to.
  private func moved<Sample>(_ samples: [Sample], _ width: Int, _ x: Int, _ y: Int, uncovered: Sample) -> [Sample] {
    samples.indices.map { place in
      let (column, row) = (place % width - x, place / width - y)
      return (0..<width).contains(column) && (0..<samples.count / width).contains(row)
        ? samples[row * width + column] : uncovered
    }
  }

  @Test
  func `depth is moved as it was measured, before anything filters it, by the alignment and by hand`() throws {
    let maps = (0..<4).map { Self.rough(33, 25, seed: $0) }
    let filters = ["depth.decimation=2", "depth.spatial-passes=1", "depth.temporal=smooth", "depth.holes=farthest"]
    let movedMaps = maps.map { map in
      let moved = moved(map.millimeters, 33, 3, -2, uncovered: 0)
      return DepthMap(33, 25) { x, y in moved[y * 33 + x] }
    }
    for assignments in [[], filters] {
      let expected = try prepared(movedMaps, assignments)
      #expect(try prepared(maps, assignments + ["depth.shift-x=3", "depth.shift-y=-2"]) == expected)
      for threadCount in [2, 5] {
        let found = try prepared(
          maps, assignments + ["depth.shift-x=3", "depth.shift-y=-2"], threadCount: threadCount)
        #expect(found == expected)
      }
    }
    let video = try FrameLayout(.rgb24, width: 40, height: 30)
    let shape = try PipelineFormat(
      color: TestFrames.stream("color", .color, video),
      depth: TestFrames.stream("depth", .depth, FrameLayout(.depthMillimeters16, width: 33, height: 25)),
      PipelineCase(name: "", preset: "truedepth-backdrop").parameters(), alignment: DepthShift(x: 1, y: -3))
    let parameters = try PipelineCase(
      name: "", preset: "truedepth-backdrop", assignments: ["depth.shift-x=2", "depth.shift-y=1"]
    ).parameters()
    let stage = DepthStage(
      try #require(shape.depth), video: video, parameters, threadCount: 1, processor: .best)
    try stage.prepare(try depthFrame(maps[0]), next: nil, bands: BandRunner(threadCount: 1))
    #expect(stage.output.millimeters.array == movedMaps[0].millimeters)
  }

  @Test
  func `fine disparity is moved with the millimetres`() throws {
    let disparity = (0..<12).map { Float($0 + 1) / 16 }
    func output(_ assignments: [String]) throws -> [[UInt16]] {
      let stage = try stage(4, 3, format: .disparityFloat32, assignments, extras: .disparity)
      try stage.prepare(try disparityFrame(4, 3, disparity), next: nil, bands: BandRunner(threadCount: 1))
      return [stage.output.millimeters.array, try #require(stage.output.disparity).array]
    }
    let still = try output([])
    let found = try output(["depth.shift-x=-1", "depth.shift-y=2"])
    #expect(found[0] == moved(still[0], 4, -1, 2, uncovered: 0))
    #expect(found[1] == moved(still[1], 4, -1, 2, uncovered: .max))
  }

  @Test
  func `persistence shows what was measured last, and without temporal smoothing nothing else changes`() throws {
    let values: [UInt16] = [900, 910, 0, 0, 0, 0, 0, 920]
    let maps = values.map { value in DepthMap(3, 2) { _, _ in value } }
    func shown(_ code: Int) throws -> [UInt16] { try prepared(maps, ["depth.persistence=\(code)"]).map { $0[0] } }
    #expect(try shown(0) == values)
    #expect(try shown(2) == [900, 910, 910, 910, 0, 0, 0, 920])
    #expect(try shown(5) == [900, 910, 910, 910, 0, 0, 0, 920])
    #expect(try shown(6) == [900, 910, 910, 910, 910, 910, 910, 920])
    #expect(try shown(8) == [900, 910, 910, 910, 910, 910, 910, 920])
  }

  @Test
  func `a filled person keeps its hole, and the shadow beside it becomes background`() throws {
    let map = DepthMap(40, 30) { x, y in
      if (20..<23).contains(x) && (15..<18).contains(y) || (8..<12).contains(x) && y >= 8 { return 0 }
      return (12..<30).contains(x) && y >= 8 ? 800 : 2500
    }
    let filled = try prepared([map], ["depth.holes=farthest"])[0]
    #expect(filled[16 * 40 + 21] == 800)
    #expect((8..<12).allSatisfy { filled[20 * 40 + $0] == 2500 })
    #expect(!filled.contains(0))
  }

  @Test(arguments: [1, 2, 3, 4, 7, 8])
  func `decimated depth lies over the video where the depth map did`(factor: Int) throws {
    for (width, height, videoWidth, videoHeight) in [(640, 480, 1280, 720), (641, 481, 641, 481), (33, 57, 1920, 1080)]
    {
      let whole = PlaneGeometry(
        depthWidth: width, depthHeight: height, videoWidth: videoWidth, videoHeight: videoHeight)
      let small = PlaneGeometry(
        depthWidth: width, depthHeight: height, videoWidth: videoWidth, videoHeight: videoHeight, decimation: factor)
      #expect(small.width == (width + factor - 1) / factor && small.height == (height + factor - 1) / factor)
      for (x, y) in [(0.0, 0.0), (100, 37.5), (Double(videoWidth), Double(videoHeight))] {
        let (a, b) = (whole.point(videoX: x, videoY: y), small.point(videoX: x, videoY: y))
        #expect(abs(a.x / Double(factor) - b.x) < 1e-9 && abs(a.y / Double(factor) - b.y) < 1e-9)
      }
    }
  }

  @Test(arguments: [2, 3, 4, 8])
  func `a decimated matte ends where the person does`(factor: Int) throws {
    // 121 columns: the last ones of the smaller map are cut off.
    let map = DepthMap(121, 90) { x, _ in x < 48 ? 700 : 2000 }
    let studio = try Studio(
      video: noiseImage(242, 180, seed: 1), depth: (121, 90),
      ["matte.blur=0", "matte.gamma=1", "depth.decimation=\(factor)"])
    let output = try #require(try studio.process(try depthFrame(map)))
    for y in [0, 90, 179] {
      let covered = (0..<242).reduce(0) { $0 + Int(output.allMatte.row(y)[$1]) }
      // 48 depth pixels are 96 of the video.
      #expect(abs(Double(covered) / 255 - 96) < 1, "row \(y)")
    }
    #expect(try #require(output.depth).width == (121 + factor - 1) / factor)
  }

  @Test
  func `float sources: what is no number is a hole, whatever its bits; without disparity it is infinitely far`() throws
  {
    let disparity: [Float] = [
      .nan, -.nan, .signalingNaN, .infinity, -.infinity, -1, 0, -0.0, .leastNonzeroMagnitude,
      .leastNormalMagnitude, .greatestFiniteMagnitude, 0.5, 1, 0.75, 2000, 0.0152,
    ]
    let stage = try stage(16, 1, format: .disparityFloat32, [], extras: .disparity)
    try stage.prepare(try disparityFrame(16, 1, disparity), next: nil, bands: BandRunner(threadCount: 1))
    #expect(
      stage.output.millimeters.array
        == [0, 0, 0, 1, 65_535, 65_535, 65_535, 65_535, 65_535, 65_535, 1, 2000, 1000, 1333, 1, 65_535])
    // C.12: clamped to 0 ... 1, and what is no number to 1.
    let fine = try #require(stage.output.disparity).array
    #expect(
      fine == [
        65_535, 65_535, 65_535, 65_535, 0, 0, 0, 0, 0, 0, 65_535, 32_768, 65_535, 49_151, 65_535, 996,
      ])
  }

  @Test
  func `C.12: fine disparity is there for those who ask, of a float source that nothing filters`() throws {
    func has(_ format: PixelFormat, _ assignments: [String], _ extras: DepthExtras) throws -> Bool {
      try stage(16, 12, format: format, assignments, extras: extras).output.disparity != nil
    }
    #expect(try has(.disparityFloat32, [], .disparity))
    #expect(try !has(.disparityFloat32, [], []))
    #expect(try !has(.depthMillimeters16, [], .disparity))
    for filter in [
      "depth.decimation=2", "depth.spatial-passes=1", "depth.temporal=smooth", "depth.temporal=interpolate",
      "depth.persistence=8", "depth.holes=farthest",
    ] { #expect(try !has(.disparityFloat32, [filter], .disparity)) }
    var parameters = try Preset.named("video-depth-maps").parameters(PipelineParameters.all)
    #expect(PipelineNeeds(parameters).depthExtras == .disparity)
    try parameters.set("mask.kind=face")
    #expect(PipelineNeeds(parameters).depthExtras == [])
  }

  @Test
  func `kinds of holes are those of what was measured, though the holes are filled`() throws {
    let stage = try stage(40, 2, ["depth.holes=farthest", "depth.persistence=8"], extras: .holes)
    let bands = BandRunner(threadCount: 1)
    let scene = DepthMap(40, 2) { x, _ in x < 20 ? 2500 : 900 }
    var shadowed = scene
    for y in 0..<2 { for x in 17..<20 { shadowed[x, y] = 0 } }
    try stage.prepare(try depthFrame(scene), next: nil, bands: bands)
    let holes = try #require(stage.output.holes)
    #expect(holes.array.allSatisfy { $0 == DepthHole.measured.rawValue })
    try stage.prepare(try depthFrame(shadowed), next: nil, bands: bands)
    #expect(!stage.output.millimeters.array.contains(0))
    for x in 0..<40 {
      #expect(holes.row(1)[x] == (17..<20 ~= x ? DepthHole.shadow : DepthHole.measured).rawValue)
    }
  }

  @Test
  func `a next frame that is not whole is not used, and told when its turn comes`() throws {
    let stage = try stage(8, 6, ["depth.temporal=interpolate"])
    let whole = try depthFrame(DepthMap(8, 6) { _, _ in 900 })
    let broken = frame(whole.layout, [1, 2, 3])
    let bands = BandRunner(threadCount: 1)
    try stage.prepare(whole, next: broken, bands: bands)
    #expect(stage.output.millimeters.array.allSatisfy { $0 == 900 })
    let error = #expect(throws: RetakeError.self) { try stage.prepare(broken, next: nil, bands: bands) }
    #expect(error?.code == .corrupt)
  }
}
