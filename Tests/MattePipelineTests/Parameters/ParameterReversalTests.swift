import FrameModel
import Kernels
import MattePipeline
import Parameters
import Support
import TestSupport
import Testing

/// What lasts from frame to frame outlives a change of parameters.
@Suite struct ParameterReversalTests {
  private static let shape = SceneShape(40, 23, depth: 16, 9)
  private static let count = 14

  /// Something to remember in every stage.
  struct Base: Sendable, CustomStringConvertible {
    let description: String
    let assignments: [String]
    /// Video frames that have no face.
    let faceless: ClosedRange<Int>
    /// Frames for which parameters change.
    let places: [Int]
  }
  static let bases = [
    Base(
      description: "plate and network",
      assignments: [
        "mask.kind=plate", "mask.plate-frames=1", "mask.second=segmentation", "mask.every=4", "depth.temporal=smooth",
        "depth.persistence=3", "composite.mix=0.4", "matte.blur=1",
      ], faceless: 0...0, places: [7, 9, 10]),
    Base(
      description: "a face seen long ago", assignments: ["matte.blur=1", "depth.temporal=smooth", "composite.mix=0.1"],
      faceless: 4...13, places: [7]),
    Base(
      description: "network alone",
      assignments: ["mask.kind=segmentation", "mask.every=4", "matte.blur=1", "mask.holes=near"], faceless: 3...5,
      places: [9]),
    Base(
      description: "look-ahead",
      assignments: ["depth.look-ahead=2", "depth.temporal=interpolate", "depth.holes=farthest", "mask.holes=near"],
      faceless: 4...13, places: [7, 8]),
  ]
  /// Parameters of filters that would go on from values that they would never have had: these begin anew.
  private static let beginsAnew: Set = [
    "depth.shift-x", "depth.shift-y", "depth.spatial-passes", "depth.temporal", "depth.temporal-alpha",
    "depth.temporal-delta", "depth.persistence",
  ]

  private static func parameters(_ assignments: [String]) throws -> ParameterSet {
    try PipelineCase(name: "", preset: "truedepth-backdrop", assignments: assignments).parameters()
  }

  private static func frames(faceless: ClosedRange<Int>, _ format: PixelFormat = .depthMillimeters16) throws
    -> [FrameSet]
  {
    try SeededScene(shape: shape, depthFormat: format).frames(count).map { set in
      var set = set
      if faceless.contains(set.index) { set.faces = [] }
      return set
    }
  }

  private static func pipeline(
    _ assignments: [String], _ segmenter: any PersonSegmenter = ReddishSegmenter(width: 16, height: 9),
    format: PixelFormat = .depthMillimeters16
  ) throws -> MattePipeline {
    try MattePipeline(
      try SeededScene(shape: shape, depthFormat: format).format(), parameters: try parameters(assignments),
      sources: PipelineSources(background: StillBackground(noiseImage(50, 40, seed: 2)), segmenter: segmenter),
      threadCount: 1)
  }

  private static func digests(
    _ base: [String], _ frames: [FrameSet], changes: [(index: Int, assignments: [String])] = [],
    format: PixelFormat = .depthMillimeters16
  ) throws -> [Int: StageDigests] {
    let pipeline = try pipeline(base, format: format)
    for change in changes { try pipeline.change(to: parameters(base + change.assignments), at: change.index) }
    return try pipeline.digests(frames)
  }

  /// Some other values of a parameter.
  private static func others(_ declaration: ParameterDeclaration, than value: String) -> [String] {
    let values: [String]
    switch declaration.domain {
    case .integer(let range): values = ["\(range.lowerBound)", "\(min(range.upperBound, range.lowerBound + 3))"]
    case .real(let range): values = ["\(range.lowerBound)", "\((range.lowerBound + range.upperBound) / 2)"]
    case .flag: values = ["true", "false"]
    case .choice(let choices): values = choices
    case .color: values = ["#123456"]
    case .fraction, .path, .text, .size, .rate, .frames, .span: values = []
    }
    return values.filter { $0 != value }
  }

  @Test(arguments: bases)
  func `a change that is taken back at the next frame leaves no trace, whatever it was`(_ base: Base) throws {
    let frames = try Self.frames(faceless: base.faceless)
    let unchanged = try Self.digests(base.assignments, frames)
    #expect(unchanged.count == Self.count)
    let values = Dictionary(
      uniqueKeysWithValues: try Self.parameters(base.assignments).entries.map { ($0.name, $0.value) })
    let hasMix = base.assignments.contains { $0.hasPrefix("composite.mix") }
    var changes = [["composite.kind=filter", "composite.mix=0"], ["mask.kind=segmentation", "composite.mix=0"]]
    for declaration in PipelineParameters.all {
      guard !PipelineParameters.fixedWhileRunning.contains(declaration.name),
        !Self.beginsAnew.contains(declaration.name)
      else { continue }
      changes += Self.others(declaration, than: values[declaration.name] ?? "").map { ["\(declaration.name)=\($0)"] }
    }
    #expect(changes.count > 80)
    for change in changes {
      for place in base.places {
        // Asked at another frame, the network says something else, until it is asked again.
        if change[0].hasPrefix("mask.every"), place != 7 { continue }
        // A mask of everything is as large as the video where there is no depth, which is refused.
        if change[0] == "mask.kind=all", !base.assignments[0].hasPrefix("mask.kind=plate"), !hasMix { continue }
        let changed = try Self.digests(base.assignments, frames, changes: [(place, change), (place + 1, [])])
        for index in 0..<Self.count where index != place {
          let isSame = changed[index] == unchanged[index]
          #expect(isSame, "\(change) for frame \(place): frame \(index)")
          if !isSame { break }
        }
      }
    }
  }

  @Test
  func `depth that holds teaches the plate once, however often parameters of the mask change`() throws {
    let base = ["mask.kind=plate", "mask.plate-frames=3"]
    let frames = try Self.frames(faceless: 0...13)
    let margins = (1..<5).map { (index: $0, assignments: ["mask.plate-margin=0.0\($0)"]) }
    let changed = try Self.digests(base, frames, changes: margins + [(5, [])])
    let unchanged = try Self.digests(base, frames)
    // Depth comes with every second frame.
    #expect(unchanged.keys.min() == 4 && changed.keys.min() == 4)
    for index in 5..<Self.count { #expect(changed[index] == unchanged[index]) }
  }

  @Test
  func `another label, threshold or softness does not ask the network again`() throws {
    let base = ["mask.kind=segmentation", "mask.every=30"]
    let segmenter = ReddishSegmenter(width: 16, height: 9)
    let pipeline = try Self.pipeline(base, segmenter)
    let frames = try Self.frames(faceless: 0...0)
    let changes = [
      (3, "mask.threshold=0.9"), (5, "mask.soft=true"), (7, "mask.label=3"), (9, "mask.kind=segmentation"),
    ]
    for (index, assignment) in changes { try pipeline.change(to: Self.parameters(base + [assignment]), at: index) }
    let digests = try pipeline.digests(frames)
    #expect(segmenter.askedCount == 1)
    for (from, assignment) in changes {
      let fromTheStart = try Self.digests(base + [assignment], frames)
      for index in from...from + 1 { #expect(digests[index] == fromTheStart[index], "frame \(index)") }
    }
    #expect(digests[2]?.mask != digests[3]?.mask && digests[4]?.mask != digests[5]?.mask)
  }

  @Test
  func `a network that was not needed when its turn came is asked when it is needed again`() throws {
    let base = ["mask.kind=segmentation", "mask.every=4"]
    let segmenter = ReddishSegmenter(width: 16, height: 9)
    let pipeline = try Self.pipeline(base, segmenter)
    try pipeline.change(to: Self.parameters(base + ["composite.kind=filter"]), at: 2)
    try pipeline.change(to: Self.parameters(base), at: 6)
    let frames = try Self.frames(faceless: 0...0)
    _ = try pipeline.digests(Array(frames[..<6]))
    #expect(segmenter.askedCount == 1)
    _ = try pipeline.digests(Array(frames[6..<8]))
    #expect(segmenter.askedCount == 2)
  }

  @Test(arguments: ["mask.kind=high-pass", "mask.holes=near"], ["smooth", "interpolate"])
  func `depth keeps its past when a mask asks more of it, and the mask is as from the start`(
    assignment: String, temporal: String
  ) throws {
    for format in [PixelFormat.depthMillimeters16, .disparityFloat32] {
      let frames = try Self.frames(faceless: 20...20, format)
      let base = ["depth.temporal=\(temporal)", "depth.persistence=3"]
      let unchanged = try Self.digests(base, frames, format: format)
      let fromTheStart = try Self.digests(base + [assignment], frames, format: format)
      for place in [6, 7] {
        let changed = try Self.digests(base, frames, changes: [(place, [assignment])], format: format)
        for index in 0..<Self.count {
          #expect(changed[index]?.depth == unchanged[index]?.depth)
          #expect(changed[index] == (index < place ? unchanged : fromTheStart)[index], "frame \(index)")
        }
      }
    }
  }

  @Test
  func `stages that are not needed for some frames go on with the plate, the face and the range that they had`() throws
  {
    for (base, faceless) in [
      (["mask.kind=plate", "mask.plate-frames=1"], 0...0), ([], 4...13), (["composite.mix=0.5"], 4...13),
    ] {
      let frames = try Self.frames(faceless: faceless)
      let unchanged = try Self.digests(base, frames)
      for pause in [["composite.kind=filter", "composite.mix=0"], ["mask.kind=segmentation", "composite.mix=0"]] {
        // Parameters that change meanwhile, and back, are of no account.
        let changes = [(6, pause), (8, pause + ["mask.offset=2", "matte.blur=9"]), (10, [])]
        let changed = try Self.digests(base, frames, changes: changes)
        for index in 10..<Self.count { #expect(changed[index] == unchanged[index], "\(base) \(pause) \(index)") }
      }
    }
  }

  @Test
  func `masks that cannot be made are refused when they are asked for, also where no mask was needed before`() throws {
    let scene = SeededScene(shape: Self.shape, depthFormat: .depthMillimeters16)
    let filter = ["composite.kind=filter"]
    let noNetwork = try MattePipeline(try scene.format(), parameters: try Self.parameters(filter), threadCount: 1)
    let error = #expect(throws: RetakeError.self) {
      try noNetwork.change(to: Self.parameters(["mask.kind=segmentation"]), at: 1)
    }
    #expect(error?.code == .unsupported)
    #expect(try noNetwork.digests(try scene.frames(4)).count == 4)
    // The first masks say how large all are.
    let pipeline = try Self.pipeline(filter, ReddishSegmenter(width: 5, height: 5))
    try pipeline.change(to: Self.parameters([]), at: 1)
    let other = #expect(throws: RetakeError.self) {
      try pipeline.change(to: Self.parameters(["mask.kind=segmentation"]), at: 2)
    }
    #expect(other?.code == .usage)
    #expect(try pipeline.digests(try scene.frames(4)).count == 4)
  }

  @Test
  func `an output says what is not as the output before had it`() throws {
    let base = ["mask.kind=segmentation", "mask.every=4", "composite.mix=0.5"]
    let pipeline = try Self.pipeline(base)
    try pipeline.change(to: Self.parameters(base + ["matte.blur=2"]), at: 3)
    try pipeline.change(to: Self.parameters(base + ["matte.blur=2", "mask.threshold=0.7"]), at: 5)
    var told: [PipelineStages] = []
    try pipeline.processAll(try Self.frames(faceless: 0...0)) { told.append($0.changed) }
    let all: PipelineStages = [.depth, .mask, .matte]
    #expect(told[..<7] == [all, [], .depth, .matte, all, [.mask, .matte], .depth])
  }
}
