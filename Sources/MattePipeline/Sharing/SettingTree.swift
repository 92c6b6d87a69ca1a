import FrameModel
import Kernels
import Parameters
import Synchronization

/// Many settings over the same frames: whatever settings agree on up to a stage is made once for all of them.
///
/// The stages are those of `MattePipeline`, each single one on one thread and many of them at once; what comes out of a setting is
/// what its own pipeline would give, to the bit.
package final class SettingTree {
  /// Stages that there are, of each kind: fewer than settings where these have something in common.
  package struct StageCounts: Hashable, Sendable {
    package var depth: Int
    package var mask: Int
    package var matte: Int
    package var composite: Int
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
  private let mattes: [SharedMatte]
  private let composites: [SharedComposite]
  /// Of each setting, where its composite stands.
  private let places: [Int]
  /// Those of the settings, 0 and on: kept, so that no frame makes them anew.
  private let settingNumbers: [Int]

  /// Whether two settings can be in one tree: what is prepared for the frames themselves has to be the same.
  package static func canShare(_ a: ParameterSet, _ b: ParameterSet) -> Bool {
    a[PipelineParameters.registration] == b[PipelineParameters.registration]
      && a[PipelineParameters.lookAhead] == b[PipelineParameters.lookAhead]
      && a[PipelineParameters.background] == b[PipelineParameters.background]
      && a[PipelineParameters.maskModel] == b[PipelineParameters.maskModel]
      && a[PipelineParameters.maskQuality] == b[PipelineParameters.maskQuality]
  }

  /// - Parameters:
  ///   - settings: one or more, of the same declarations, that can share a tree.
  ///   - wanted: what leads to none of these is not made.
  ///   - threadCount, processor: change how long a frame takes and nothing else.
  /// - Throws: `.unsupported` for a setting that needs what the streams and sources do not give, with its place in the list.
  package init(
    _ format: PipelineFormat, settings: [ParameterSet], sources: PipelineSources, wanted: PipelineStages,
    threadCount: Int, processor: Processor = .best
  ) throws(RetakeError) {
    precondition(settings.allSatisfy { Self.canShare($0, settings[0]) })
    self.settings = settings
    self.format = format
    threads = BandRunner(threadCount: threadCount)
    color = try SourceColor(format)
    lookAhead = LookAhead(frameCount: settings[0][PipelineParameters.lookAhead])
    let maker = StageMaker(
      format: format, wanted: wanted, background: sources.background.map(SharedBackground.init),
      segmenter: sources.segmenter.map(SharedSegmenter.init), threadCount: 1, processor: processor)
    var builder = SettingTreeBuilder(maker)
    for setting in settings { try builder.add(setting) }
    (depths, masks, mattes) = (builder.depths.values, builder.masks.values, builder.mattes.values)
    (composites, places) = (builder.composites.values, builder.places)
    settingNumbers = Array(builder.places.indices)
  }

  package var stageCounts: StageCounts {
    StageCounts(depth: depths.count, mask: masks.count, matte: mattes.count, composite: composites.count)
  }

  /// Why a setting has come to its end; nil while it goes on. The others go on all the same.
  package func failure(ofSetting setting: Int) -> RetakeError? { composites[places[setting]].failure }

  /// - Parameter body: called for each setting that has an output for this frame set, or with look-ahead for the one that came
  ///   so many before: at once on several threads, for each setting on one. Planes hold during the call.
  /// - Throws: `.corrupt` for frames that are not whole.
  package func process(_ frames: FrameSet, _ body: (Int, PipelineOutput) -> Void) throws(RetakeError) {
    try check(frames)
    if let timed = lookAhead.push(frames) { try process(timed, body) }
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
    try color.convert(frames.color, bands: threads)
    let picture = color.output
    forEach(depths) { $0.take(timed, bands: single) }
    forEach(masks) { $0.take(frames, picture: picture, bands: single) }
    forEach(mattes) { $0.take(picture: picture, bands: single) }
    forEach(composites) { $0.take(frames, picture: picture, bands: single) }
    forEach(settingNumbers) { setting in
      if let output = composites[places[setting]].output { body(setting, output) }
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
