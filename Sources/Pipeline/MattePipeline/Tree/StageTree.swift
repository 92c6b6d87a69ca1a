import FrameModel
import Kernels
import Parameters
import Support
import Synchronization

/// Runs frame sets through the stages of one or many settings. Settings that agree up to a stage
/// share it; each setting's pixels are identical to those of a tree of its own.
///
/// A node holds a stage and its state between frames. `MattePipeline` uses a tree of one setting,
/// whose stages split their rows between threads. In a sweep's tree each stage runs on one thread,
/// and many stages run at once.
package final class StageTree {
  package let settings: [ParameterSet]
  let maker: StageMaker
  /// `threads` run nodes in parallel; `bands` splits the rows of one node.
  private let threads: BandRunner
  private let bands: BandRunner
  private let color: SourceColor
  private var lookAhead: LookAhead
  private let isDelayed: Bool
  private let depths: [DepthNode]
  private let masks: [MaskNode]
  private let blurs: [BlurNode]
  private let mattes: [MatteNode]
  let composites: [CompositeNode]
  /// By setting, the index of its composite; nil for a setting that could not be made.
  private let places: [Int?]
  private let failures: [Int: RetakeError]
  private let owners: [[Int]]
  private let compositePlaces: [Int]
  private let mattePlaces: [Int]
  private var colorNanoseconds = 0
  private var frameCount = 0
  /// Counts pictures, and is never set back.
  private var turn = 0

  /// The current parameters, in a tree of one setting.
  var parameters: ParameterSet
  var changes = ParameterChanges()
  /// The size of the first masks, including those of an accepted change that has not taken effect.
  var maskSize: PictureSize?

  /// Whether two settings can be in one tree. Parameters that affect frames before any stage must
  /// be equal.
  package static func canShare(_ a: ParameterSet, _ b: ParameterSet) -> Bool {
    a[PipelineParameters.depth.registration] == b[PipelineParameters.depth.registration]
      && a[PipelineParameters.depth.lookAhead] == b[PipelineParameters.depth.lookAhead]
      && a[PipelineParameters.mask.quality] == b[PipelineParameters.mask.quality]
      && PipelineParameters.files.allSatisfy { a[$0] == b[$0] }
  }

  /// Creates a tree for many settings; each stage runs on one thread.
  /// - Parameters:
  ///   - settings: one or more that can share a tree, with the same declarations. A setting that
  ///     needs more than the streams and sources provide fails on its own: see
  ///     `failure(ofSetting:)`.
  ///   - wanted: the stages to compute; stages needed for none of them are not made.
  ///   - threads, processor: affect speed only.
  ///   - measuresTimes: whether `times` has an answer.
  ///   - blurs: of earlier trees; affects speed only.
  /// - Throws: `.unsupported` for colour that cannot be converted.
  package convenience init(
    _ format: PipelineFormat, settings: [ParameterSet], sources: PipelineSources, wanted: PipelineStages,
    threads: BandRunner, processor: Processor = .best, measuresTimes: Bool = true,
    blurs: BlurMemory? = nil
  ) throws(RetakeError) {
    precondition(settings.allSatisfy { Self.canShare($0, settings[0]) })
    let maker = StageMaker(
      format: format, wanted: wanted, background: sources.background.map(SharedBackground.init),
      segmenter: sources.segmenter.map { $0 as? SharedSegmenter ?? SharedSegmenter($0) }, scene: sources.scene,
      scratch: MatteScratch(isShared: true, measuresTimes: measuresTimes), threadCount: 1, processor: processor,
      clock: StageClock(isOn: measuresTimes), blurs: blurs)
    try self.init(maker, settings, heldOutputs: 0, threads: threads, bands: BandRunner(threadCount: 1))
  }

  /// - Throws: `.unsupported` for colour that cannot be converted.
  init(
    _ maker: StageMaker, _ settings: [ParameterSet], heldOutputs: Int, threads: BandRunner, bands: BandRunner
  ) throws(RetakeError) {
    (self.settings, self.maker, self.threads, self.bands) = (settings, maker, threads, bands)
    parameters = settings[0]
    color = try SourceColor(maker.format)
    let delay = settings[0][PipelineParameters.depth.lookAhead]
    lookAhead = LookAhead(frameCount: delay)
    isDelayed = delay > 0
    // A single matte is faster with the blur in the same pass; in a sweep, most mattes share a
    // blur.
    var builder = StageTreeBuilder(
      maker, sharesBlur: settings.count > 1 || maker.blurs != nil, heldOutputs: heldOutputs)
    var failures: [Int: RetakeError] = [:]
    var places: [Int?] = []
    for (number, setting) in settings.enumerated() {
      do throws(RetakeError) {
        places.append(try builder.add(setting))
      } catch {
        failures[number] = error
        places.append(nil)
      }
    }
    (depths, masks, blurs) = (builder.depths.values, builder.masks.values, builder.blurs.values)
    (mattes, composites) = (builder.mattes.values, builder.composites.values)
    var owners = [[Int]](repeating: [], count: composites.count)
    for (setting, place) in places.enumerated() { if let place { owners[place].append(setting) } }
    (self.places, self.failures, self.owners) = (places, failures, owners)
    // Mattes of one mask one after the other, since they share what a refinement learns of it.
    let maskPlaces = Dictionary(uniqueKeysWithValues: masks.enumerated().map { (ObjectIdentifier($1), $0) })
    func byMask<Node>(_ nodes: [Node], _ mask: (Node) -> MaskNode) -> [Int] {
      nodes.indices.map { (maskPlaces[ObjectIdentifier(mask(nodes[$0]))] ?? 0, $0) }.sorted { $0 < $1 }.map(\.1)
    }
    compositePlaces = byMask(composites, \.mask)
    mattePlaces = byMask(mattes, \.mask)
    maskSize = masks.first?.stage?.output.geometry.size
  }

  package var stageCounts: StageCounts {
    StageCounts(
      depth: depths.count, mask: masks.count, blur: blurs.count, matte: mattes.count, composite: composites.count)
  }

  var flawedColorCount: Int { color.flawedCount }

  /// The error that ended a setting; nil while it continues. Other settings are not affected.
  package func failure(ofSetting setting: Int) -> RetakeError? {
    failures[setting] ?? places[setting].flatMap { composites[$0].failure }
  }

  /// The matte of a setting for the last frame set that was processed; valid until the next one.
  package func matte(ofSetting setting: Int) -> PixelPlane<UInt8>? {
    places[setting].flatMap { composites[$0].result?.output?.matte }
  }

  /// Of no frames if they are not measured.
  package func times(ofSetting setting: Int) -> StageTimes {
    guard maker.clock.isOn else { return StageTimes() }
    guard let place = places[setting] else { return StageTimes(frameCount: frameCount) }
    let composite = composites[place]
    return StageTimes(
      color: colorNanoseconds, depth: composite.depth.nanoseconds, mask: composite.mask.nanoseconds,
      matte: composite.matte.nanoseconds, frameCount: frameCount)
  }

  /// Processes a frame set.
  /// - Parameter body: called for each setting that has an output for this frame set or, with
  ///   look-ahead, for an earlier one. Called concurrently on several threads, once per setting.
  ///   Planes are valid during the call.
  /// - Returns: false if look-ahead waits for more.
  /// - Throws: `.corrupt` for incomplete frames.
  @discardableResult
  package func process(_ frames: FrameSet, _ body: (Int, PipelineOutput) -> Void) throws(RetakeError) -> Bool {
    try checkDepth(frames)
    try color.check(frames.color)
    guard let timed = lookAhead.push(frames) else { return false }
    try process(timed, body)
    return true
  }

  /// Processes the frame sets that look-ahead still holds, one per call, after the last frame set.
  /// - Returns: false when nothing is left.
  package func drain(_ body: (Int, PipelineOutput) -> Void) throws(RetakeError) -> Bool {
    guard let timed = lookAhead.drain() else { return false }
    try process(timed, body)
    return true
  }

  /// Forgets all frames: what follows has the pixels that a new tree of these settings gives it.
  /// - Throws: the errors of making a stage again; the tree is then not to be used.
  package func restart() throws(RetakeError) {
    precondition(parameters == settings[0], "its parameters were changed")
    lookAhead = LookAhead(frameCount: settings[0][PipelineParameters.depth.lookAhead])
    (colorNanoseconds, frameCount) = (0, 0)
    for depth in depths { try depth.restart(maker) }
    for mask in masks { try mask.restart(maker) }
    for blur in blurs { blur.restart() }
    for matte in mattes { matte.restart(maker) }
    for composite in composites { try composite.restart(maker) }
  }

  private func checkDepth(_ frames: FrameSet) throws(RetakeError) {
    guard let depth = frames.depth, let format = maker.format.depth, depths.contains(where: { $0.stage != nil })
    else { return }
    try depth.check(format.layout, "Depth")
  }

  private func process(_ timed: TimedFrames, _ body: (Int, PipelineOutput) -> Void) throws(RetakeError) {
    let frames = timed.frames
    try applyChanges(upTo: frames.index)
    // Checks frames before any state changes, so that a rejected frame has no effect.
    try checkDepth(frames)
    let start = maker.clock.nanoseconds()
    do throws(RetakeError) {
      try color.convert(frames.color, bands: bands)
    } catch {
      // With look-ahead, the depth arrived with another, valid frame set, so it is kept.
      if isDelayed { holdDepth(timed) }
      throw error
    }
    colorNanoseconds += maker.clock.nanoseconds() - start
    frameCount += 1
    turn += 1
    holdDepth(timed)
    let picture = color.output
    forEach(depths) { $0.prepare(next: timed.nextDepth, bands: bands) }
    forEach(masks) { $0.take(frames, picture: picture, bands: bands) }
    forEach(blurs) { $0.take(bands: bands) }
    // If every matte has one composite, it is made while the matte is still in the cache.
    let areSingle = composites.count == mattes.count
    if !areSingle { forEach(mattePlaces) { mattes[$0].take(picture: picture, turn: turn, bands: bands) } }
    forEach(compositePlaces) { place in
      let composite = composites[place]
      if areSingle { composite.matte.take(picture: picture, turn: turn, bands: bands) }
      composite.take(frames, picture: picture, bands: bands)
      if let output = composite.result?.output { for setting in owners[place] { body(setting, output) } }
    }
  }

  private func holdDepth(_ timed: TimedFrames) {
    guard let came = timed.frames.depth, let format = maker.format.depth, came.isWhole(format.layout) else { return }
    for depth in depths { depth.hold(came, faces: timed.depthFaces) }
  }

  /// Runs each node on one thread; a finished thread takes the next node.
  private func forEach<Node>(_ nodes: [Node], _ body: (Node) -> Void) {
    guard nodes.count > 1, threads.threadCount > 1 else { return nodes.forEach(body) }
    let next = Atomic(0)
    threads.run(rowCount: min(nodes.count, threads.threadCount)) { (_: Range<Int>) in
      while true {
        let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard place < nodes.count else { return }
        body(nodes[place])
      }
    }
  }
}
