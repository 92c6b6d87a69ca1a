import FrameModel
import MattePipeline
import Parameters
import RecordingStore

/// What a batch takes, estimated from the sizes of its planes: rather too much than too little.
struct SweepMemory {
  private let video: Int
  private let depth: Int
  /// Of one frame set as it is decoded.
  let frameSetByteCount: Int
  private let frameCount: Int
  private let hasTruth: Bool
  private(set) var byteCount: Int
  private var seen: Set<String> = []
  private var origins: Set<DistinctMatte.Origin> = []

  // Bytes a pixel.
  private enum Cost {
    /// Prepared depth, what it is measured into, filters over time and in the map, filled holes.
    static let depth = 24
    /// The mask and its soft form, a learned plate.
    static let mask = 14
    /// Of the mask's pixels: samples before and after smoothing, shaping, a filter along the picture's edges.
    static let softMatte = 14
    static let guidedMatte = 40
    /// Of the video's: the matte, and what a scorer keeps of the frame before.
    static let matte = 2
    static let lag = 2
    /// What all share: pictures, scenes, features of the truth, scratch of some threads.
    static let scene = 120
  }
  /// A frame's row of scores.
  private static let rowByteCount = 400
  /// Tables and what else does not grow with the picture.
  private static let stageByteCount = 256 << 10

  /// - Parameter frameCount: that are played.
  init(_ recording: Recording, frameCount: Int) {
    func pixels(_ kind: StreamKind) -> Int {
      recording.firstStream(kind).map { recording.streams[$0].layout }.map { $0.width * $0.height } ?? 0
    }
    func bytes(_ kind: StreamKind) -> Int {
      recording.firstStream(kind).map { recording.streams[$0].layout.packed.byteCount } ?? 0
    }
    video = pixels(.color)
    depth = pixels(.depth)
    hasTruth = recording.firstStream(.alpha) != nil
    frameSetByteCount = bytes(.color) + bytes(.depth) + bytes(.alpha)
    self.frameCount = frameCount
    byteCount = video * Cost.scene + 32 * frameSetByteCount
  }

  func byteCount(with matte: DistinctMatte) -> Int {
    var other = self
    other.add(matte)
    return other.byteCount
  }

  mutating func add(_ matte: DistinctMatte) {
    add(matte.origin)
    if let reference = matte.reference {
      add(reference)
      byteCount += Cost.lag * video
    }
    byteCount += (Cost.matte - 1) * video + frameCount * Self.rowByteCount
  }

  private mutating func add(_ origin: DistinctMatte.Origin) {
    guard origins.insert(origin).inserted else { return }
    let parameters = origin.parameters
    let mask = max(depth, PipelineNeeds(parameters).needsSegmentation ? video : 0)
    let depthKey = parameters.text(ofGroup: "depth")
    let maskKey = depthKey + parameters.text(ofGroup: "mask")
    if seen.insert(depthKey).inserted { byteCount += Cost.depth * depth + Self.stageByteCount }
    if seen.insert(maskKey).inserted { byteCount += Cost.mask * mask + Self.stageByteCount }
    let isGuided = parameters[PipelineParameters.guidedRadius] > 0
    byteCount += (isGuided ? Cost.guidedMatte : Cost.softMatte) * mask + video + Self.stageByteCount
  }
}
