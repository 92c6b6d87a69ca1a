import FrameModel
import Kernels
import MattePipeline
import Parameters
import TestSupport

/// A preset, or parameters that lead through what no preset uses, over a seeded scene.
struct PipelineCase: Hashable, Sendable, CustomStringConvertible {
  let name: String
  let preset: String
  var assignments: [String] = []
  /// Frames at the start without a person.
  var emptyCount = 0

  var description: String { name }

  /// An empty scene is learned from the first frame that has no face.
  static let presets = Preset.all.map {
    PipelineCase(
      name: $0.name, preset: $0.name, assignments: $0.name == "static-camera" ? ["mask.plate-frames=1"] : [])
  }

  static let others = [
    PipelineCase(
      name: "depth filters", preset: "truedepth-backdrop",
      assignments: [
        "depth.holes=farthest", "depth.spatial-passes=2", "depth.temporal=smooth", "depth.persistence=3",
        "depth.decimation=2",
      ]),
    PipelineCase(
      name: "look-ahead", preset: "truedepth-backdrop",
      assignments: ["depth.temporal=interpolate", "depth.look-ahead=3", "matte.temporal=uncertainty"]),
    PipelineCase(
      name: "mask of two kinds", preset: "truedepth-backdrop",
      assignments: ["mask.kind=plate", "mask.second=cutoff", "mask.combine=union", "mask.plate-frames=1"]),
    PipelineCase(
      name: "matte filters", preset: "truedepth-backdrop",
      assignments: [
        "matte.open=1", "matte.close=2", "matte.grow=-1", "matte.feather=in", "matte.guided-radius=3",
        "matte.temporal=average", "matte.scale=bilinear",
      ]),
    PipelineCase(
      name: "light", preset: "truedepth-backdrop",
      assignments: [
        "composite.light=linear", "composite.light-wrap=0.5", "composite.despill=green", "composite.fit=fit",
        "composite.mix=0.3", "composite.color=#204060",
      ]),
  ]

  /// Learns the empty room. Then a person comes, whose face is found two frames later.
  static let emptyStart = PipelineCase(
    name: "empty start", preset: "desk", assignments: ["mask.plate-frames=2"], emptyCount: 4)

  var depthFormat: PixelFormat { preset.hasPrefix("video-depth-maps") ? .disparityFloat32 : .depthMillimeters16 }

  func parameters() throws -> ParameterSet {
    var parameters = try Preset.named(preset).parameters(PipelineParameters.all)
    for assignment in assignments { try parameters.set(assignment) }
    return parameters
  }

  func scene(_ shape: SceneShape) -> SeededScene {
    SeededScene(shape: shape, depthFormat: depthFormat, emptyCount: emptyCount)
  }

  func pipeline(
    _ shape: SceneShape, wanted: PipelineStages = .all, heldOutputs: Int = 3, threadCount: Int = 1,
    processor: Processor = .best
  ) throws -> MattePipeline {
    try MattePipeline(
      try scene(shape).format(), parameters: try parameters(),
      sources: PipelineSources(
        background: StillBackground(noiseImage(50, 40, seed: 2)), segmenter: ReddishSegmenter()),
      wanted: wanted, heldOutputs: heldOutputs, threadCount: threadCount, processor: processor)
  }
}

extension MattePipeline {
  /// What becomes of all of them, to the last that look-ahead holds; `body` is called with what is an output.
  func processAll(_ frames: [FrameSet], _ body: (PipelineOutput) throws -> Void) throws {
    for set in frames { if let output = try process(set).output { try body(output) } }
    while true {
      switch try drain() {
      case .waiting: return
      case .skipped: continue
      case .output(let output): try body(output)
      }
    }
  }

  /// A digest of each stage of each output, by frame.
  func digests(_ frames: [FrameSet]) throws -> [Int: StageDigests] {
    var digests: [Int: StageDigests] = [:]
    try processAll(frames) { digests[$0.index] = StageDigests($0) }
    return digests
  }
}

/// Of one output.
struct StageDigests: Hashable, Sendable {
  let original: PlaneDigest
  /// Nil for what was not made.
  let depth: PlaneDigest?
  let mask: PlaneDigest?
  let matte: PlaneDigest?
  let composite: PlaneDigest

  init(_ output: PipelineOutput) {
    func digest<Sample>(_ plane: PixelPlane<Sample>) -> PlaneDigest {
      var digest = PlaneDigest()
      digest.add(plane.width)
      withExtendedLifetime(plane) { digest.add(plane.bytes) }
      return digest
    }
    original = digest(output.original)
    depth = output.depth.map(digest)
    mask = output.mask.map(digest)
    matte = output.matte.map(digest)
    composite = digest(output.composite)
  }

  var text: String {
    [original, depth, mask, matte, composite].map { $0?.description ?? "none" }.joined(separator: " ")
  }
}
