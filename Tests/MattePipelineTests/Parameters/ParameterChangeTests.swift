import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import Testing

@Suite struct ParameterChangeTests {
  private static let backdrop = PipelineCase(name: "backdrop", preset: "truedepth-backdrop")
  private static let shape = SceneShape(101, 57, depth: 33, 17)
  private static let count = 12

  private static func parameters(_ assignments: [String]) throws -> ParameterSet {
    try PipelineCase(name: "", preset: "truedepth-backdrop", assignments: assignments).parameters()
  }

  /// Digests by frame, with changes that are known before the first frame.
  private static func digests(
    _ assignments: [String] = [], lookAhead: Int = 0, threads: Int = 1,
    changes: [(index: Int, assignments: [String])] = []
  ) throws -> [Int: StageDigests] {
    let delay = ["depth.look-ahead=\(lookAhead)"]
    let one = PipelineCase(name: "", preset: "truedepth-backdrop", assignments: delay + assignments)
    let pipeline = try one.pipeline(shape, threadCount: threads)
    for change in changes { try pipeline.change(to: parameters(delay + change.assignments), at: change.index) }
    return try pipeline.digests(try one.scene(shape).frames(count))
  }

  /// Expects what one pipeline gave up to a frame, and another from it on.
  private static func expect(
    _ digests: [Int: StageDigests], _ parts: [(until: Int, digests: [Int: StageDigests])],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var from = 0
    for part in parts {
      for index in from..<part.until {
        #expect(
          digests[index] != nil && digests[index] == part.digests[index], "frame \(index)",
          sourceLocation: sourceLocation)
      }
      from = part.until
    }
  }

  @Test(
    arguments: [
      "matte.blur=1.5", "matte.gamma=2", "mask.offset=1.4", "mask.kind=cutoff", "matte.open=2", "matte.grow=1",
      "matte.scale=nearest", "composite.color=#ff8000", "composite.light=linear", "composite.kind=blur",
      "composite.despill=green", "depth.holes=farthest", "depth.spatial-passes=1", "mask.holes=foreground",
    ], [0, 3])
  func `from its frame on a change gives what the new parameters would have given from the start, and nothing before`(
    assignment: String, lookAhead: Int
  ) throws {
    let old = try Self.digests(lookAhead: lookAhead)
    let new = try Self.digests([assignment], lookAhead: lookAhead)
    #expect(old.count == Self.count && new.count == Self.count)
    // With new depth, while depth holds, and where the face is lost.
    for index in [1, 2, 7, 8] {
      let changed = try Self.digests(lookAhead: lookAhead, changes: [(index, [assignment])])
      Self.expect(changed, [(index, old), (Self.count, new)])
    }
    if ["matte.blur", "matte.gamm", "mask.offse"].contains(assignment.prefix(10)) {
      for index in 0..<Self.count { #expect(old[index]?.matte != new[index]?.matte) }
    }
  }

  @Test
  func `changes come one after the other, in whatever order they are given; of one frame's the last counts`() throws {
    let parts = try [[], ["matte.blur=2"], ["matte.gamma=1"], ["matte.blur=9", "mask.offset=1"]].map {
      try Self.digests($0)
    }
    let expected = [(3, parts[0]), (5, parts[1]), (8, parts[2]), (Self.count, parts[3])]
    let changes: [(index: Int, assignments: [String])] = [
      (8, ["matte.blur=9", "mask.offset=1"]), (5, ["matte.blur=7"]), (3, ["matte.blur=2"]), (5, ["matte.gamma=1"]),
    ]
    for threads in [1, 3] { Self.expect(try Self.digests(threads: threads, changes: changes), expected) }
  }

  @Test
  func `a change for a frame that has passed counts from the next one on`() throws {
    let (old, new) = (try Self.digests(), try Self.digests(["matte.blur=2"]))
    let pipeline = try Self.backdrop.pipeline(Self.shape)
    let frames = try Self.backdrop.scene(Self.shape).frames(Self.count)
    var digests = try pipeline.digests(Array(frames[..<7]))
    try pipeline.change(to: Self.parameters(["matte.blur=2"]), at: 2)
    digests.merge(try pipeline.digests(Array(frames[7...]))) { $1 }
    Self.expect(digests, [(7, old), (Self.count, new)])
  }

  @Test
  func `while depth holds, only what a change concerns is made again`() throws {
    func held(_ assignment: String) throws -> (before: StageDigests, after: StageDigests, output: PipelineOutput) {
      let pipeline = try Self.backdrop.pipeline(Self.shape)
      let frames = try Self.backdrop.scene(Self.shape).frames(2)
      let before = StageDigests(try #require(try pipeline.process(frames[0]).output))
      try pipeline.change(to: Self.parameters([assignment]), at: 1)
      let output = try #require(try pipeline.process(frames[1]).output)
      return (before, StageDigests(output), output)
    }
    let composite = try held("composite.color=#123456")
    #expect(!composite.output.depthIsNew && !composite.output.maskIsNew)
    #expect(composite.after.mask == composite.before.mask && composite.after.matte == composite.before.matte)
    let matte = try held("matte.blur=1")
    #expect(!matte.output.depthIsNew && !matte.output.maskIsNew)
    #expect(matte.after.mask == matte.before.mask && matte.after.matte != matte.before.matte)
    let mask = try held("mask.offset=1.4")
    #expect(mask.output.maskIsNew)
    #expect(mask.after.depth == mask.before.depth && mask.after.mask != mask.before.mask)
    let depth = try held("depth.holes=farthest")
    #expect(depth.output.depthIsNew && depth.output.maskIsNew)
  }

  @Test
  func `the cut-off that holds goes on when parameters of the mask change while no face is seen`() throws {
    let pipeline = try Self.backdrop.pipeline(Self.shape)
    let frames = try Self.backdrop.scene(Self.shape).frames(6)
    var cutoff: UInt16?
    for set in frames[..<4] { cutoff = try pipeline.process(set).output?.cutoffMillimeters }
    // A parameter that says nothing while a cut-off holds; frame 4 has depth and no face.
    try pipeline.change(to: Self.parameters(["mask.start=3"]), at: 4)
    #expect(try pipeline.process(frames[4]).output?.cutoffMillimeters == cutoff)
  }

  @Test
  func `the background stays when parameters of the composite change`() throws {
    let new = try Self.digests(["composite.color=#ff0000"])
    let changed = try Self.digests(changes: [
      (3, ["composite.color=#ff0000"]), (6, []), (9, ["composite.color=#00ff00"]),
    ])
    // A whole background hides the colour behind it.
    Self.expect(changed, [(Self.count, new)])
  }

  @Test
  func `what shapes frames, or lies outside of the pipeline, cannot change and is named`() throws {
    let pipeline = try Self.backdrop.pipeline(Self.shape)
    for assignment in [
      "depth.registration=none", "depth.decimation=2", "depth.look-ahead=1", "mask.model=a.onnx", "mask.quality=fast",
      "composite.background=a.png", "mask.plate=a.retake-plate",
    ] {
      let error = #expect(throws: RetakeError.self) {
        try pipeline.change(to: Self.parameters([assignment, "matte.blur=3"]), at: 4)
      }
      #expect(error?.code == .usage)
      #expect(error?.message.contains(assignment.split(separator: "=")[0]) == true)
      #expect(error?.message.contains("matte.blur") == false)
    }
    let others = ParameterSet(Array(PipelineParameters.all.dropFirst()))
    #expect(throws: RetakeError.self) { try pipeline.change(to: others, at: 4) }
    // A refused change changes nothing.
    let digests = try pipeline.digests(try Self.backdrop.scene(Self.shape).frames(Self.count))
    Self.expect(digests, [(Self.count, try Self.digests())])
  }

  @Test
  func `what the streams and sources do not allow is refused when it is asked for`() throws {
    let color = try FrameLayout(.rgb24, width: 20, height: 10)
    let depth = try FrameLayout(.depthMillimeters16, width: 20, height: 10)
    let filter = PipelineCase(name: "", preset: "avcam-filter", assignments: ["composite.mix=0"])
    let noDepth = try MattePipeline(
      try PipelineFormat(color: color, depth: nil), parameters: try filter.parameters(), threadCount: 1)
    let mixed = PipelineCase(name: "", preset: "avcam-filter")
    #expect(throws: RetakeError.self) { try noDepth.change(to: mixed.parameters(), at: 0) }
    let noNetwork = try MattePipeline(
      try PipelineFormat(color: color, depth: depth), parameters: try Self.backdrop.parameters(), threadCount: 1)
    #expect(throws: RetakeError.self) { try noNetwork.change(to: Self.parameters(["mask.kind=segmentation"]), at: 0) }
    // A network's masks are of another size, for which who takes masks has no room.
    let error = #expect(throws: RetakeError.self) {
      try Self.backdrop.pipeline(Self.shape).change(to: Self.parameters(["mask.kind=segmentation"]), at: 0)
    }
    #expect(error?.code == .usage)
  }
}
