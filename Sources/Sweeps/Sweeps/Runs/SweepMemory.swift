import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Scores

/// Estimates the memory of a batch from the sizes of its planes; rather too high than too low.
struct SweepMemory {
  private let threadCount: Int
  private let video: Int
  private let depth: Int
  /// Width of the wider stream, in pixels.
  private let width: Int
  /// Size of one decoded frame set, in bytes.
  let frameSetByteCount: Int
  /// Bytes that a scorer keeps, and those it adds for lag.
  private let scorerByteCount: Int
  private let lagByteCount: Int
  private(set) var byteCount: Int
  /// Groups are numbered in order of appearance. They share no memory.
  private var groups: [DistinctMatte.Group: Int] = [:]
  private var scenes: Set<SceneStream.Key> = []
  private var seen: Set<String> = []
  private var scratchCounts: [String: Int] = [:]
  private var origins: Set<DistinctMatte.Origin> = []

  // Bytes per pixel of the named plane.
  private enum Cost {
    static let picture = 3
    /// Prepared depth, its conversion buffers, temporal filter state, filled holes.
    static let depth = 20
    /// The mask, its soft form, and a background plate.
    static let mask = 10
    /// Mask shaping and the blurred mask; and rows that the blur keeps at once.
    static let blurred = 7
    static let blurredRow = 5
    /// Matte samples, temporal smoothing, and the guided filter.
    static let samples = 3
    static let smoothing = 5
    static let guide = 14
    /// Colours, belts, window models and coefficients of a refined edge.
    static let refinement = 111
    /// Colours of the empty scene and of the picture, and what they are learned from for each frame.
    static let plateColors = 30
    static let plateColor = 6
    /// The file of an empty scene.
    static let plateFile = 16
    /// What differs from the empty scene, and for how long.
    static let plateRenewal = 6
    /// What was seen so far, and what has moved.
    static let movement = 11
    /// Runs of connected pieces.
    static let pieces = 40
    /// The matte, and what the guided filter keeps of the picture.
    static let matte = 1
    static let guidedMatte = 3
    /// The last matte and its picture, for smoothing where the picture stands still.
    static let still = 4
    /// Shared by settings with the same colour frames: pictures, a few scenes with their truth
    /// features, scratch of a few threads.
    static let scene = 80
  }
  /// Tables, scratch and other memory that is independent of the picture size.
  private static let stageByteCount = 64 << 10
  /// Frame sets that cursors have prefetched or just released.
  private static let heldFrameSetCount = 24

  init(_ recording: Recording, scores: Set<ScoreKind>, frameCount: Int, threadCount: Int) {
    self.threadCount = threadCount
    func pixels(_ kind: StreamKind) -> Int {
      recording.firstStream(kind).map { recording.streams[$0].layout }.map { $0.width * $0.height } ?? 0
    }
    func bytes(_ kind: StreamKind) -> Int {
      recording.firstStream(kind).map { recording.streams[$0].layout.packed.byteCount } ?? 0
    }
    video = pixels(.color)
    depth = pixels(.depth)
    width = [.color, .depth].compactMap(recording.firstStream).map { recording.streams[$0].layout.width }.max() ?? 0
    frameSetByteCount = bytes(.color) + bytes(.depth) + bytes(.alpha)
    let layout = recording.firstStream(.color).map { recording.streams[$0].layout }
    func scorer(_ scores: Set<ScoreKind>) -> Int {
      SettingScorer.byteCount(
        width: layout?.width ?? 0, height: layout?.height ?? 0, scores: scores, frameCount: frameCount)
    }
    scorerByteCount = scorer(scores.subtracting([.lag]))
    lagByteCount = scorer(scores) - scorerByteCount
    byteCount = Self.heldFrameSetCount * frameSetByteCount
    let references = (try? SweepBatch.references(scores, frameCount: frameCount)) ?? []
    for (number, origin) in references.enumerated() { add(origin, reference: number) }
  }

  /// The minimum for a single setting: scenes and a scorer.
  var leastByteCount: Int { video * Cost.scene + scorerByteCount }

  mutating func add(_ matte: DistinctMatte) {
    add(matte.origin)
    if scenes.insert(SceneStream.Key(matte.origin.group(.everything).plan)).inserted { byteCount += Cost.scene * video }
    if let reference = matte.reference {
      add(reference)
      byteCount += lagByteCount
    }
    byteCount += scorerByteCount
  }

  /// - Parameter reference: each of those that others are compared with has a tree of its own.
  private mutating func add(_ origin: DistinctMatte.Origin, reference: Int? = nil) {
    guard origins.insert(origin).inserted else { return }
    let parameters = origin.parameters
    let needs = PipelineNeeds(parameters)
    let mask = max(depth, needs.needsSegmentation ? video : 0)
    let group = number(of: origin.group(.everything))
    let depthKey = "\(group) " + parameters.text(ofGroup: "depth")
    if seen.insert(depthKey).inserted { byteCount += Cost.depth * depth + Self.stageByteCount }
    let maskKey = depthKey + parameters.text(ofGroup: "mask")
    if seen.insert(maskKey).inserted {
      let frameCount = needs.learnsPlate ? parameters[PipelineParameters.mask.plateFrames] : 0
      byteCount += (Cost.mask + 2 * frameCount) * mask + Self.stageByteCount
      let hasColors = parameters[PipelineParameters.mask.plateColor] && needs.hasPlate
      if hasColors {
        byteCount += (Cost.plateColors + Cost.plateColor * min(32, frameCount)) * mask
      }
      if needs.hasPlate, parameters[PipelineParameters.mask.plateRenew] > 0 {
        byteCount += (Cost.plateRenewal + Cost.pieces) * mask
      }
      if parameters[PipelineParameters.mask.movement] { byteCount += Cost.movement * mask }
      let hasPieces = parameters[PipelineParameters.mask.pieces] != .all || parameters[PipelineParameters.mask.fill] > 0
      if hasPieces { byteCount += (hasColors ? 2 : 1) * Cost.pieces * mask }
    }
    if seen.insert(maskKey + parameters.blurText).inserted {
      // The blur window's rows on both sides, up to 5 σ, plus the rows computed at once.
      let rowCount = 128 + 10 * Int(parameters[PipelineParameters.matte.blur].rounded(.up))
      byteCount += Cost.blurred * mask + Cost.blurredRow * width * rowCount + Self.stageByteCount
    }
    byteCount += Self.stageByteCount + Cost.matte * video
    let scratchKey =
      "\(group) \(reference ?? -1) \(needs.needsSegmentation) \(parameters[PipelineParameters.depth.decimation]) "
      + "\(parameters[PipelineParameters.depth.scaleBy]) "
    addScratch(scratchKey, Cost.samples * mask)
    if parameters[PipelineParameters.matte.temporal] != nil { byteCount += Cost.smoothing * mask }
    if parameters[PipelineParameters.matte.still] > 0 { byteCount += Cost.still * video }
    if parameters[PipelineParameters.matte.refine] == .color {
      addScratch(scratchKey + parameters.refinementText, Cost.refinement * mask)
    } else if parameters[PipelineParameters.matte.guidedRadius] > 0 {
      byteCount += Cost.guide * mask + (Cost.guidedMatte - Cost.matte) * video
    }
  }

  /// What a matte needs only while it is made: as much for each key as mattes are made at once.
  private mutating func addScratch(_ key: String, _ count: Int) {
    guard scratchCounts[key, default: 0] < threadCount else { return }
    scratchCounts[key, default: 0] += 1
    byteCount += count
  }

  private mutating func number(of group: DistinctMatte.Group) -> Int {
    if let known = groups[group] { return known }
    let number = groups.count
    groups[group] = number
    if !group.plate.isEmpty { byteCount += Cost.plateFile * depth }
    byteCount += Cost.picture * video + group.lookAhead * frameSetByteCount + Self.stageByteCount
    return number
  }
}
