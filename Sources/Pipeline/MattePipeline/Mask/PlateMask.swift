import FrameModel
import Kernels
import Parameters
import Support

/// The person is everything nearer than the empty scene. That is read from a file, or learned from the
/// first depth frames without a face; until then there is no mask. With `mask.plate-renew` it follows
/// slow changes.
final class PlateMask: MaskSource {
  let geometry: PlaneGeometry
  let isSoft = false
  var hasFilledGaps: Bool { usesColors && colors != nil }
  private let marginMillimeters: Int
  private let mostSpread: Int
  private let outliers: Double
  private let holes: BackgroundPlate.Hole
  private let cut: DepthCut
  /// Nil once the plate is learned.
  private var learning: PlateLearning?
  private var plate: BackgroundPlate
  private let limits: PixelPlane<UInt16>
  /// Nil if they were not asked for when the scene was learned: then the mask is of depth alone.
  private var colors: PlateColors?
  private let usesColors: Bool
  private let cleaning: MaskCleaning?
  /// Nil if the scene is to stay as it was learned.
  private var renewal: PlateRenewal?
  /// Nearer than these, depth may be the person, if colour says so.
  private let possible: PixelPlane<UInt16>
  private var hasMask = false
  private let isRead: Bool
  private var learnedCount = 0
  private(set) var changedWhileLearning = 0.0

  /// - Parameter scene: nil to learn it.
  /// - Throws: `.unsupported` for a scene of another size than the depth.
  init(
    _ geometry: PlaneGeometry, _ parameters: ParameterSet, scene: EmptyScene?, threadCount: Int, processor: Processor
  ) throws(RetakeError) {
    try scene?.checkFits(geometry.size)
    self.geometry = geometry
    marginMillimeters = Int.millimeters(parameters[PipelineParameters.mask.plateMargin])
    mostSpread = Int.millimeters(parameters[PipelineParameters.mask.plateDoubt])
    outliers = parameters[PipelineParameters.mask.plateOutliers]
    holes = parameters[PipelineParameters.mask.plateHoles]
    cut = DepthCut(parameters, processor: processor)
    let (width, height) = (geometry.width, geometry.height)
    let frameCount = parameters[PipelineParameters.mask.plateFrames]
    isRead = scene != nil
    learning =
      isRead ? nil : PlateLearning(frameCount: frameCount, width: width, height: height, processor: processor)
    plate = BackgroundPlate(width: width, height: height)
    limits = PixelPlane(width: width, height: height)
    usesColors = parameters[PipelineParameters.mask.plateColor]
    let (horizontal, vertical) = geometry.lines
    colors =
      usesColors
      ? PlateColors(
        frameCount: isRead ? nil : frameCount, horizontal: horizontal, vertical: vertical, threadCount: threadCount,
        processor: processor) : nil
    possible = usesColors ? PixelPlane(width: width, height: height) : limits
    // Small pieces stay until colour has looked round them.
    cleaning = usesColors ? MaskCleaning(geometry, parameters, removes: false) : nil
    let seconds = parameters[PipelineParameters.mask.plateRenew]
    renewal = seconds > 0 ? PlateRenewal(seconds: seconds, width: width, height: height) : nil
    guard let scene else { return }
    scene.write(to: plate, colors)
    writeLimits()
  }

  func update(_ input: MaskInput, into mask: Mask, bands: BandRunner) -> MaskUpdate {
    guard let depth = input.depthDue(hasMask: hasMask) else { return hasMask ? .held : .missing }
    if let learning {
      guard input.newDepth != nil, input.depthFaces.isEmpty else { return .missing }
      learning.add(depth.millimeters)
      colors?.add(input.picture, bands: bands)
      guard learning.isComplete else { return .missing }
      finish(learning, bands)
    }
    renew(depth, input, bands: bands)
    cut.cut(depth, at: limits, into: mask.plane, bands: bands)
    let used = usesColors ? colors : nil
    if let used {
      used.correct(mask.plane, depth: depth.millimeters, limits: possible, picture: input.picture, bands: bands) {
        cleaning?.apply(mask.plane, input)
      }
    }
    (mask.emptyColors, mask.colors) = (used?.lit, used?.colors)
    hasMask = true
    return .new
  }

  private func finish(_ learning: PlateLearning, _ bands: BandRunner) {
    learning.finish(plate, outliers: outliers, bands: bands)
    (changedWhileLearning, learnedCount) = (learning.changedShare, learning.framesSeen)
    colors?.finish(bands: bands)
    writeLimits()
    self.learning = nil
  }

  /// Frames that the scene was learned from, or has been so far.
  var seenCount: Int { learning?.framesSeen ?? learnedCount }

  /// Nil while it is learned, if it was read, or if no colours were asked for.
  var learnedScene: LearnedScene? {
    guard learning == nil, learnedCount > 0, let colors else { return nil }
    return LearnedScene(
      scene: EmptyScene(plate, colors), frameCount: learnedCount, changedShare: changedWhileLearning)
  }

  private func renew(_ depth: PreparedDepth, _ input: MaskInput, bands: BandRunner) {
    guard let renewal, let frame = input.newDepth,
      renewal.isDue(nanoseconds: frame.timestamps.presentation.nanoseconds)
    else { return }
    let isChanged = renewal.look(
      depth.millimeters, plate, limits: limits, mostSpread: mostSpread, bands: bands,
      addFaces: { $0.add(input.depthFaces, geometry) })
    guard isChanged else { return }
    colors?.renew(renewal.settled, from: input.picture, bands: bands)
    writeLimits()
  }

  private func writeLimits() {
    plate.writeLimits(marginMillimeters: marginMillimeters, mostSpread: mostSpread, holes: holes, to: limits)
    guard usesColors else { return }
    // Half a standard deviation: colour has to confirm it.
    plate.writeLimits(
      marginMillimeters: marginMillimeters, mostSpread: mostSpread, divisor: 8, holes: .background, to: possible)
  }

  // MARK: Doubt

  /// Counts in every fourth row only, and only runs of at least four pixels: noise and outlines are narrower.
  private static let (rowStep, leastRun) = (4, 4)

  /// How many pixels lie behind the empty scene, side by side, of how many where that is known.
  func countFarther(_ depth: PixelPlane<UInt16>) -> (farther: Int, known: Int) {
    var (known, farther) = (0, 0)
    for y in stride(from: 0, to: depth.height, by: Self.rowStep) {
      let (here, empty, limit) = (depth.row(y), plate.millimeters.row(y), limits.row(y))
      var run = 0
      for x in 0..<depth.width where empty[x] != 0 {
        known += 1
        // As far behind as the person is before it.
        run = Int(here[x]) - Int(empty[x]) > Int(empty[x]) - Int(limit[x]) ? run + 1 : 0
        if run >= Self.leastRun { farther += run == Self.leastRun ? run : 1 }
      }
    }
    return (farther, known)
  }

  /// Whether a face at this distance is before the empty scene; nil where that is not known.
  func isNearer(_ millimeters: UInt16, _ box: FaceObservation.Box, _ distance: FaceDistance) -> Bool? {
    distance.median(of: limits, box, geometry).map { millimeters <= $0 }
  }

  // MARK: Changes of parameters

  /// Keeps a finished plate. An unfinished one goes on if `mask.plate-frames` is the same.
  func carryOn(from old: any MaskSource) {
    guard let old = old as? PlateMask, old.limits.width == limits.width, old.limits.height == limits.height else {
      return
    }
    if let unfinished = old.learning {
      guard unfinished.frameCount == learning?.frameCount else { return }
      (learning, colors) = (unfinished, old.colors)
      return
    }
    // Colours are kept while they are not used, and cannot be learned later.
    (plate, changedWhileLearning, learnedCount) = (old.plate, old.changedWhileLearning, old.learnedCount)
    colors = old.colors ?? (isRead ? colors : nil)
    learning = nil
    if let before = old.renewal, renewal?.fits(before) == true { renewal = before }
    writeLimits()
  }
}
