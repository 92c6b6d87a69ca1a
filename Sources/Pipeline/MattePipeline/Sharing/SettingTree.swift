import FrameModel
import Kernels
import Parameters
import Support
import Synchronization

/// Many settings over the same frames: whatever settings agree on up to a stage is made once for all of them.
///
/// The stages are those of `MattePipeline`, with the blur apart, each single one on one thread and many of them at once; what comes out of a setting is
/// what its own pipeline would give, to the bit.
package final class SettingTree {
  /// Stages that there are, of each kind: fewer than settings where these have something in common.
  package struct StageCounts: Hashable, Sendable {
    package var depth: Int
    package var mask: Int
    package var blur: Int
    package var matte: Int
    package var composite: Int

    package init(depth: Int = 0, mask: Int = 0, blur: Int = 0, matte: Int = 0, composite: Int = 0) {
      (self.depth, self.mask, self.blur, self.matte, self.composite) = (depth, mask, blur, matte, composite)
    }
  }

  /// CPU time that a setting's stages took, of those it shares with others too: what it would take by itself. Nanoseconds, of all
  /// frames together.
  package struct StageTimes: Hashable, Sendable {
    package var color = 0
    package var depth = 0
    package var mask = 0
    package var matte = 0
    package var frameCount = 0
  }

  package let settings: [ParameterSet]
  private let format: PipelineFormat
  private let threads: BandRunner
  /// What a stage runs on: the threads are taken by stages.
  private let single = BandRunner(threadCount: 1)
  private let color: SourceColor
  private var lookAhead: LookAhead
  private let depths: [SharedDepth]
  private let masks: [SharedMask]
  private let blurs: [SharedBlur]
  private let mattes: [SharedMatte]
  private let composites: [SharedComposite]
  /// Of each setting, where its composite stands; nil for one that could not be made.
  private let places: [Int?]
  private let failures: [Int: RetakeError]
  /// Of each composite, whose it is.
  private let settingsOfComposites: [[Int]]
  /// 0 and on: kept, so that no frame makes them anew.
  private let compositePlaces: [Int]
  private var colorNanoseconds = 0
  private var frameCount = 0

  /// Whether two settings can be in one tree: what is prepared for the frames themselves has to be the same.
  package static func canShare(_ a: ParameterSet, _ b: ParameterSet) -> Bool {
    a[PipelineParameters.registration] == b[PipelineParameters.registration]
      && a[PipelineParameters.lookAhead] == b[PipelineParameters.lookAhead]
      && a[PipelineParameters.background] == b[PipelineParameters.background]
      && a[PipelineParameters.maskModel] == b[PipelineParameters.maskModel]
      && a[PipelineParameters.maskQuality] == b[PipelineParameters.maskQuality]
  }

  /// - Parameters:
  ///   - settings: one or more, of the same declarations, that can share a tree. One that needs what the streams and sources do not
  ///     give fails by itself: see `failure(ofSetting:)`.
  ///   - wanted: what leads to none of these is not made.
  ///   - threads, processor: change how long a frame takes and nothing else.
  /// - Throws: `.unsupported` for colour that cannot be converted.
  package init(
    _ format: PipelineFormat, settings: [ParameterSet], sources: PipelineSources, wanted: PipelineStages,
    threads: BandRunner, processor: Processor = .best
  ) throws(RetakeError) {
    precondition(settings.allSatisfy { Self.canShare($0, settings[0]) })
    self.settings = settings
    self.format = format
    self.threads = threads
    color = try SourceColor(format)
    lookAhead = LookAhead(frameCount: settings[0][PipelineParameters.lookAhead])
    let maker = StageMaker(
      format: format, wanted: wanted, background: sources.background.map(SharedBackground.init),
      segmenter: sources.segmenter.map { $0 as? SharedSegmenter ?? SharedSegmenter($0) }, threadCount: 1,
      processor: processor)
    var builder = SettingTreeBuilder(maker)
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
    (self.places, self.failures, settingsOfComposites) = (places, failures, owners)
    compositePlaces = Array(owners.indices)
  }

  /// With threads of its own.
  package convenience init(
    _ format: PipelineFormat, settings: [ParameterSet], sources: PipelineSources, wanted: PipelineStages,
    threadCount: Int, processor: Processor = .best
  ) throws(RetakeError) {
    try self.init(
      format, settings: settings, sources: sources, wanted: wanted, threads: BandRunner(threadCount: threadCount),
      processor: processor)
  }

  package var stageCounts: StageCounts {
    StageCounts(
      depth: depths.count, mask: masks.count, blur: blurs.count, matte: mattes.count, composite: composites.count)
  }

  /// Why a setting has come to its end; nil while it goes on. The others go on all the same.
  package func failure(ofSetting setting: Int) -> RetakeError? {
    failures[setting] ?? places[setting].flatMap { composites[$0].failure }
  }

  /// The matte that a setting has for the frame set whose turn it was last; holds until the next.
  package func matte(ofSetting setting: Int) -> PixelPlane<UInt8>? {
    places[setting].flatMap { composites[$0].output?.matte }
  }

  package func times(ofSetting setting: Int) -> StageTimes {
    guard let place = places[setting] else { return StageTimes(frameCount: frameCount) }
    let matte = composites[place].matte
    return StageTimes(
      color: colorNanoseconds, depth: matte.mask.depth.nanoseconds, mask: matte.mask.nanoseconds,
      matte: matte.nanoseconds, frameCount: frameCount)
  }

  /// - Parameter body: called for each setting that has an output for this frame set, or with look-ahead for the one that came
  ///   so many before: at once on several threads, for each setting on one. Planes hold during the call.
  /// - Returns: false where look-ahead waits for more.
  /// - Throws: `.corrupt` for frames that are not whole.
  @discardableResult
  package func process(_ frames: FrameSet, _ body: (Int, PipelineOutput) -> Void) throws(RetakeError) -> Bool {
    try check(frames)
    guard let timed = lookAhead.push(frames) else { return false }
    try process(timed, body)
    return true
  }

  /// After the last frame set: what look-ahead still holds, one at each call.
  /// - Returns: false when nothing is left.
  package func drain(_ body: (Int, PipelineOutput) -> Void) throws(RetakeError) -> Bool {
    guard let timed = lookAhead.drain() else { return false }
    try process(timed, body)
    return true
  }

  private func check(_ frames: FrameSet) throws(RetakeError) {
    try color.check(frames.color)
    guard depths.contains(where: { $0.stage != nil }), let depth = frames.depth, let layout = format.depth?.layout
    else {
      return
    }
    guard depth.layout == layout, depth.byteCount == layout.byteCount else {
      throw RetakeError(.corrupt, "Depth frame \(depth.number) is not whole, or of another format than its stream.")
    }
  }

  private func process(_ timed: TimedFrames, _ body: (Int, PipelineOutput) -> Void) throws(RetakeError) {
    let frames = timed.frames
    // On one thread, as the other stages are, so that its time is that of one.
    let start = ThreadTime.nanoseconds()
    try color.convert(frames.color, bands: single)
    colorNanoseconds += ThreadTime.nanoseconds() - start
    frameCount += 1
    let picture = color.output
    forEach(depths) { $0.take(timed, bands: single) }
    forEach(masks) { $0.take(frames, picture: picture, bands: single) }
    forEach(blurs) { $0.take(bands: single) }
    // Where every matte has one composite, it goes on while the matte is still near.
    let areSingle = composites.count == mattes.count
    if !areSingle { forEach(mattes) { $0.take(picture: picture, bands: single) } }
    forEach(compositePlaces) { place in
      let composite = composites[place]
      if areSingle { composite.matte.take(picture: picture, bands: single) }
      composite.take(frames, picture: picture, bands: single)
      if let output = composite.output { for setting in settingsOfComposites[place] { body(setting, output) } }
    }
  }

  /// Each on one thread; a thread that is done takes the next one.
  private func forEach<Node>(_ nodes: [Node], _ body: (Node) -> Void) {
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
