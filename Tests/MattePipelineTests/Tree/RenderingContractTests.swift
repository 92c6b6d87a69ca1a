import AllocationCounter
import Foundation
import FrameModel
import Kernels
import MattePipeline
import Media
import Support
import TestSupport
import Testing

/// What `MattePipeline` promises to programs that render (E.27).
@Suite(.long) struct RenderingContractTests {
  private static let backdrop = PipelineCase(name: "backdrop", preset: "truedepth-backdrop")
  private static let shape = SceneShape(101, 57, depth: 33, 17)

  fileprivate static let shifted = PipelineCase(
    name: "shifted depth", preset: "static-camera",
    assignments: ["mask.plate-frames=1", "depth.shift-x=2", "depth.shift-y=-3"])

  private static func digest(_ output: PipelineOutput) -> PlaneDigest { StageDigests(output).composite }

  @Test
  func `E.27 composites stay whole as long as they are held; a frame for which none is left is dropped and counted`()
    throws
  {
    let frames = try Self.backdrop.scene(Self.shape).frames(12)
    let expected = try Self.backdrop.pipeline(Self.shape).digests(frames)
    let pipeline = try Self.backdrop.pipeline(Self.shape, heldOutputs: 2)
    var held: [PipelineOutput] = []
    for index in 0..<3 { held.append(try #require(try pipeline.process(frames[index]).output)) }
    for index in 3..<6 {
      guard case .skipped(.allHeld) = try pipeline.process(frames[index]) else {
        Issue.record("frame \(index) was not dropped")
        continue
      }
    }
    for output in held { #expect(Self.digest(output) == expected[output.index]?.composite) }
    #expect(pipeline.counts == PipelineCounts(outputs: 3, allHeld: 3))
    held.removeFirst()
    // What comes later is what it would have been.
    for index in 6..<12 {
      let output = try #require(try pipeline.process(frames[index]).output)
      #expect(StageDigests(output) == expected[index])
    }
    for output in held { #expect(Self.digest(output) == expected[output.index]?.composite) }
    #expect(pipeline.counts == PipelineCounts(outputs: 9, allHeld: 3))
  }

  @Test
  func `E.27 however long it runs, composites are made in as many planes as it was prepared with, and one`() throws {
    let frames = try Self.backdrop.scene(Self.shape).frames(12)
    for heldOutputs in [1, 3] {
      let pipeline = try Self.backdrop.pipeline(Self.shape, heldOutputs: heldOutputs)
      var held: [PipelineOutput] = []
      var places: Set<UnsafeMutablePointer<UInt8>> = []
      for set in frames {
        if held.count > heldOutputs { held.removeFirst() }
        held.append(try #require(try pipeline.process(set).output))
        places.insert(held[held.count - 1].composite.samples)
      }
      #expect(places.count == heldOutputs + 1)
    }
  }

  @Test
  func `E.27 who keeps the plane alone keeps the composite too`() throws {
    let frames = try Self.backdrop.scene(Self.shape).frames(4)
    let pipeline = try Self.backdrop.pipeline(Self.shape, heldOutputs: 1)
    let plane = try #require(try pipeline.process(frames[0]).output).composite
    let before = plane.array
    for index in 1..<4 { #expect(try pipeline.process(frames[index]).output != nil) }
    #expect(areSame(plane.array, before))
  }

  @Test
  func `E.27 after a reset nothing is left of what was, and held outputs stay; prepared again it is as new`() throws {
    let frames = try Self.backdrop.scene(Self.shape).frames(9)
    let pipeline = try Self.backdrop.pipeline(Self.shape)
    let expected = try Self.backdrop.pipeline(Self.shape).digests(frames)
    #expect(try pipeline.digests(frames) == expected)
    let held = try #require(try pipeline.process(frames[0]).output)
    let digest = Self.digest(held)
    let parameters = try PipelineCase(name: "", preset: "truedepth-backdrop", assignments: ["matte.blur=1"])
      .parameters()
    try pipeline.change(to: parameters, at: 0)
    pipeline.reset()
    let error = #expect(throws: RetakeError.self) { try pipeline.process(frames[0]) }
    #expect(error?.code == .usage)
    #expect(throws: RetakeError.self) { try pipeline.drain() }
    #expect(throws: RetakeError.self) { try pipeline.change(to: parameters, at: 0) }
    #expect(pipeline.sizes.depth == nil && pipeline.sizes.mask == nil)
    try pipeline.prepare(try Self.backdrop.scene(Self.shape).format())
    #expect(pipeline.counts == PipelineCounts())
    #expect(try pipeline.digests(frames) == expected)
    #expect(Self.digest(held) == digest)
  }

  @Test
  func `E.27 after a reset the cut-off is the first one again, and no depth holds`() throws {
    let pipeline = try Self.backdrop.pipeline(Self.shape)
    let frames = try Self.backdrop.scene(Self.shape).frames(2)
    #expect(try pipeline.process(frames[0]).output?.cutoffMillimeters != 1000)
    try pipeline.prepare(try Self.backdrop.scene(Self.shape).format())
    guard case .skipped(.withoutMask) = try pipeline.process(frames[1]) else {
      Issue.record("depth held beyond a reset")
      return
    }
    var faceless = frames[0]
    faceless.faces = []
    #expect(try pipeline.process(faceless).output?.cutoffMillimeters == 1000)
  }

  @Test
  func `E.27 it can be prepared for frames of another format`() throws {
    let other = SceneShape(64, 48, depth: 20, 15)
    let pipeline = try Self.backdrop.pipeline(Self.shape)
    let scene = Self.backdrop.scene(other)
    try pipeline.prepare(try scene.format(), heldOutputs: 2)
    #expect(pipeline.sizes.video == PictureSize(64, 48))
    let frames = try scene.frames(5)
    #expect(try pipeline.digests(frames) == Self.backdrop.pipeline(other).digests(frames))
  }

  @Test(arguments: [-1, 0, 17])
  func `E.27 a number of held outputs that is not possible is refused`(_ count: Int) throws {
    let error = #expect(throws: RetakeError.self) { try Self.backdrop.pipeline(Self.shape, heldOutputs: count) }
    #expect(error?.code == .usage)
  }

  @Test(arguments: PipelineCase.presets + [.emptyStart])
  func `a frame set that is not whole throws and leaves the pipeline as it was`(_ one: PipelineCase) throws {
    let frames = try one.scene(Self.shape).frames(9)
    let expected = try one.pipeline(Self.shape).digests(frames)
    let needsDepth = PipelineNeeds(try one.parameters()).needsDepth
    let pipeline = try one.pipeline(Self.shape)
    var digests: [Int: StageDigests] = [:]
    let other = one.scene(Self.shape)
    for set in frames {
      for bad in try Self.broken(set, other) {
        if !needsDepth && bad.color.byteCount == set.color.byteCount { continue }
        let error = #expect(throws: RetakeError.self) { try pipeline.process(bad) }
        #expect(error?.code == .corrupt)
      }
      if let output = try pipeline.process(set).output { digests[set.index] = StageDigests(output) }
    }
    #expect(digests == expected)
    #expect(pipeline.counts.failed == (needsDepth ? 18 : 9))
  }

  /// Depth of another frame with colour that is cut, and colour of another frame with depth that is cut.
  private static func broken(_ set: FrameSet, _ scene: SeededScene) throws -> [FrameSet] {
    let strange = try SeededScene(shape: scene.shape, depthFormat: scene.depthFormat, seed: 99).frames(1)[0]
    var first = strange
    first.color.byteCount -= 1
    var second = strange
    second.depth?.byteCount -= 2
    (first.index, second.index) = (set.index, set.index)
    return [first, second]
  }

  @Test
  func `a JPEG that cannot be decoded throws and leaves the pipeline as it was, depth that came with it too`() throws {
    let frames = try Self.backdrop.scene(Self.shape).frames(6)
    let jpeg = try JPEGEncoder.encode(noiseImage(Self.shape.width, Self.shape.height, seed: 5))
    let color = try FrameLayout(.jpeg, width: Self.shape.width, height: Self.shape.height)
    let format = try PipelineFormat(
      color: color,
      depth: FrameLayout(.depthMillimeters16, width: Self.shape.depthWidth, height: Self.shape.depthHeight))
    func pipeline() throws -> MattePipeline {
      try MattePipeline(format, parameters: try Self.backdrop.parameters(), threadCount: 1)
    }
    let sets = frames.map { set in
      var set = set
      set.color = frame(color, jpeg, number: set.index)
      return set
    }
    let expected = try pipeline().digests(sets)
    let tested = try pipeline()
    var digests: [Int: StageDigests] = [:]
    for set in sets {
      var bad = frames[0]
      bad.color = frame(color, Array(jpeg.prefix(100)), number: set.index)
      bad.faces = []
      let error = #expect(throws: RetakeError.self) { try tested.process(bad) }
      #expect(error?.code == .corrupt)
      if let output = try tested.process(set).output { digests[set.index] = StageDigests(output) }
    }
    #expect(digests == expected)
  }

  @Test
  func `behind look-ahead, a JPEG that cannot be decoded takes its own picture and nothing else`() throws {
    let one = PipelineCase(name: "", preset: "truedepth-backdrop", assignments: ["depth.look-ahead=2"])
    let jpeg = try JPEGEncoder.encode(noiseImage(Self.shape.width, Self.shape.height, seed: 5))
    let color = try FrameLayout(.jpeg, width: Self.shape.width, height: Self.shape.height)
    let format = try PipelineFormat(
      color: color,
      depth: FrameLayout(.depthMillimeters16, width: Self.shape.depthWidth, height: Self.shape.depthHeight))
    var sets = try one.scene(Self.shape).frames(9)
    for i in sets.indices { sets[i].color = frame(color, jpeg, number: i) }
    func pipeline() throws -> MattePipeline {
      try MattePipeline(format, parameters: try one.parameters(), threadCount: 1)
    }
    var expected = try pipeline().digests(sets)
    let tested = try pipeline()
    // Depth comes into force with it.
    sets[4].color = frame(color, Array(jpeg.prefix(100)), number: 4)
    expected[4] = nil
    var digests: [Int: StageDigests] = [:]
    for set in sets {
      if set.index == 6 {
        #expect(throws: RetakeError.self) { try tested.process(set) }
      } else if let output = try tested.process(set).output {
        digests[output.index] = StageDigests(output)
      }
    }
    digests.merge(try tested.digests([])) { $1 }
    #expect(digests == expected)
    #expect(expected.count == 8)
  }

  // In processes of their own: other tests allocate, and start threads, meanwhile.

  @Test
  func `E.27 after the first frames none allocates: every preset, on one thread and on three`() async {
    await #expect(processExitsWith: .success) {
      #expect(rtk_allocations_can_be_counted())
      for one in PipelineCase.presets + PipelineCase.others + [RenderingContractTests.shifted, .emptyStart] {
        for threads in [1, 3] {
          let count = try AllocationProbe.count(one, threads: threads)
          #expect(count == 0, "\(one), \(threads) threads: \(count) in 50 frames")
        }
      }
    }
  }

  @Test
  func `what allocates is counted`() async {
    await #expect(processExitsWith: .success) {
      rtk_allocations_begin()
      let planes = (1...7).map { PixelPlane<UInt8>(width: $0, height: 3) }
      #expect(rtk_allocations_end() >= 14)
      #expect(planes.count == 7)
    }
  }

  @Test
  func `E.27 threads end with the pipeline, or when it is reset`() async {
    await #expect(processExitsWith: .success) {
      func bandThreads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { task in
          let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
          return name?.hasPrefix("retake-band") ?? false
        }.count
      }
      let shape = SceneShape(64, 48, depth: 20, 15)
      let one = PipelineCase(name: "", preset: "truedepth-backdrop")
      let pipeline = try one.pipeline(shape, threadCount: 4)
      #expect(try bandThreads() == 3)
      pipeline.reset()
      // A thread that has been joined is listed until the kernel has put it away.
      for _ in 0..<6000 {
        if try bandThreads() == 0 { break }
        usleep(10_000)
      }
      #expect(try bandThreads() == 0)
      try pipeline.prepare(try one.scene(shape).format())
      #expect(try bandThreads() == 3)
    }
  }
}

enum AllocationProbe {
  /// Blocks that 50 frames allocate after 14 others.
  static func count(_ one: PipelineCase, threads: Int) throws -> Int64 {
    let shape = SceneShape(160, 90, depth: 64, 48)
    let pipeline = try one.pipeline(shape, threadCount: threads)
    let some = try one.scene(shape).frames(8)
    let frames = (0..<64).map { index in
      var set = some[index % 8]
      set.index = index
      return set
    }
    for set in frames[..<14] { _ = try pipeline.process(set) }
    rtk_allocations_begin()
    for index in 14..<64 { _ = try pipeline.process(frames[index]) }
    return rtk_allocations_end()
  }
}
