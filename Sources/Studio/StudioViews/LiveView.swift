import Dispatch
import FrameModel
import LiveSessions
import MattePipeline
import Parameters
import Replay
import Support

/// What one view of a page shows of running cameras: the newest frame set with the view's setting.
package final class LiveView: Sendable {
  package struct Answer: Sendable {
    /// Of the set that was processed last.
    package let index: Int
    /// Nil until the pipeline gives one.
    package let picture: ViewPicture?
    package let arrival: MonotonicTime
  }
  /// Nil where no newer set came in time.
  package typealias Reply = @Sendable (Result<Answer?, RetakeError>) -> Void

  private let queue = DispatchQueue(label: "retake.live-view")
  private let feed: LiveFeed
  private let worker: Worker

  /// - Parameter streams: of the running cameras, with a colour stream.
  package init(_ feed: LiveFeed, streams: [StreamDescription]) {
    self.feed = feed
    worker = Worker(feed, streams)
  }

  /// Shows the newest set.
  /// - Parameters:
  ///   - after: index of the last set that the page has; -1 for none.
  ///   - holds: shows set `after` again, each setting with the same picture.
  package func show(_ setting: ViewSetting, after: Int, holds: Bool, reply: @escaping Reply) {
    let process: @Sendable (FrameSet?) -> Void = { [queue, worker] set in
      queue.async {
        reply(
          Result { () throws(RetakeError) in
            if holds { return try worker.hold(set, setting) }
            return try set.map { set throws(RetakeError) in try worker.show(set, setting) }
          })
      }
    }
    guard holds else { return feed.next(after: after, reply: process) }
    let schedule = DepthSchedule(setting.parameters)
    process(feed.hold(after) { schedule.isDepthDue(onVideoFrame: $0) })
  }
}

/// Unchecked, because it is used on its view's queue only.
private final class Worker: @unchecked Sendable {
  /// Pictures of live sets: a page that holds one may have asked for the next already.
  private static let shownCount = 2
  private static let keptByteLimit = 48 << 20

  private let feed: LiveFeed
  private let color: StreamDescription?
  private let depth: StreamDescription?
  private var run: (pipeline: MattePipeline, hasDepth: Bool, hasNetwork: Bool)?
  private var setting: ViewSetting?
  private var last: FrameSet?
  private var picture: ViewPicture?
  private var shown: [(index: Int, setting: ViewSetting, picture: ViewPicture)] = []
  /// Of a held set; the first is the one that was shown.
  private var kept: (index: Int, pictures: [(setting: ViewSetting, picture: ViewPicture)]) = (-1, [])

  init(_ feed: LiveFeed, _ streams: [StreamDescription]) {
    self.feed = feed
    color = streams.first { $0.kind == .color }
    depth = streams.first { $0.kind == .depth }
  }

  func show(_ set: FrameSet, _ new: ViewSetting) throws(RetakeError) -> LiveView.Answer {
    let isSame = last?.index == set.index
    if !isSame || new != setting || picture == nil {
      let schedule = DepthSchedule(new.parameters)
      try process(set, new) { last in
        feed.depth(after: last, upTo: set.index) { schedule.isDepthDue(onVideoFrame: $0) }
      }
    }
    if let picture {
      shown.append((set.index, new, picture))
      if shown.count > Self.shownCount { shown.removeFirst() }
    }
    return LiveView.Answer(index: set.index, picture: picture, arrival: set.color.timestamps.arrival)
  }

  /// Shows a set with its own depth. The setting that it was shown with has that picture. Others have one without
  /// smoothing over time, which would mix in the pictures of settings before it.
  /// - Parameter set: nil if it is gone; the last one then stands for it.
  func hold(_ set: FrameSet?, _ new: ViewSetting) throws(RetakeError) -> LiveView.Answer? {
    guard let set = set ?? last else { return nil }
    if kept.index != set.index {
      kept = (set.index, shown.filter { $0.index == set.index }.map { ($0.setting, $0.picture) })
    }
    let known = kept.pictures.first { $0.setting == new }?.picture
    if known == nil {
      var parameters = new.parameters
      parameters.reset(PipelineParameters.depth.lookAhead)
      parameters.reset(PipelineParameters.depth.temporal)
      parameters.reset(PipelineParameters.matte.temporal)
      parameters.reset(PipelineParameters.matte.still)
      try process(set, ViewSetting(preset: new.preset, parameters: parameters)) { _ in set.depth }
      if let picture { kept.pictures.append((new, picture)) }
      while kept.pictures.count > 2, kept.pictures.reduce(0, { $0 + $1.picture.byteCount }) > Self.keptByteLimit {
        kept.pictures.remove(at: 1)
      }
    }
    return LiveView.Answer(index: set.index, picture: known ?? picture, arrival: set.color.timestamps.arrival)
  }

  private func process(
    _ set: FrameSet, _ new: ViewSetting, depth: (_ after: Int?) -> Frame?
  ) throws(RetakeError) {
    do throws(RetakeError) {
      try processed(set, new, depth: depth)
    } catch {
      // The next picture begins with a new pipeline.
      if error.code != .corrupt { run = nil }
      throw error
    }
  }

  /// - Parameter depth: gives the depth for a pipeline that has seen those up to a set, or none.
  private func processed(
    _ set: FrameSet, _ new: ViewSetting, depth: (_ after: Int?) -> Frame?
  ) throws(RetakeError) {
    let isKept = try change(to: new)
    setting = new
    var frames = set
    // A pipeline holds the depth that it was given.
    frames.depth = isKept && last?.index == set.index ? nil : depth(isKept ? last?.index : nil)
    last = set
    guard let run else { return }
    switch try run.pipeline.process(frames) {
    case .output(let output):
      picture = ViewPicture(output, frame: output.index, exact: [], faces: set.faces)
    case .skipped:
      let unmasked = run.pipeline.takeUnmasked()
      let missing = MissingPicture(
        skipped: new.parameters, hasDepth: unmasked?.depth != nil,
        learnedFrameCount: run.pipeline.learnedFrameCount, isLive: true)
      picture = ViewPicture(missing, unmasked, frame: set.index, exact: [], faces: set.faces)
    case .waiting: break
    }
  }

  /// - Returns: false if another pipeline begins, which has seen nothing.
  private func change(to new: ViewSetting) throws(RetakeError) -> Bool {
    if let run, let setting, canChange(run, from: setting, to: new) {
      if new.parameters == setting.parameters { return true }
      // Some changes need masks of another size, which only the pipeline knows.
      do throws(RetakeError) {
        try run.pipeline.change(to: new.parameters, at: 0)
        return true
      } catch  where error.code == .usage {}
    }
    run = nil
    picture = nil
    let needs = PipelineNeeds(new.parameters)
    guard let color else { return false }
    if needs.needsDepth, depth == nil {
      throw RetakeError(
        .unsupported, "The cameras deliver no depth, which this setting needs.",
        hint: PipelineNeeds.withoutDepthHint)
    }
    let segmenter = try Segmenters.make(new.parameters, recording: nil, note: { _ in })
    // The page shows depth even where the setting needs none.
    let pipeline = try MattePipeline(
      PipelineFormat(color: color, depth: depth, new.parameters), parameters: new.parameters,
      sources: PipelineSources(
        background: BackgroundFile.named(in: new.parameters)?.source, segmenter: segmenter,
        scene: EmptyScene.named(in: new.parameters)),
      threadCount: ProcessorCount.usable)
    pipeline.keepsUnmasked = true
    run = (pipeline, depth != nil, segmenter != nil)
    return false
  }

  private func canChange(
    _ run: (pipeline: MattePipeline, hasDepth: Bool, hasNetwork: Bool), from old: ViewSetting, to new: ViewSetting
  ) -> Bool {
    if new.parameters == old.parameters { return true }
    // With look-ahead, a set that is shown again would be taken for a later one.
    guard new.parameters[PipelineParameters.depth.lookAhead] == 0 else { return false }
    let needs = PipelineNeeds(new.parameters)
    guard run.hasDepth || !needs.needsDepth, run.hasNetwork || !needs.needsSegmentation else { return false }
    let fixed = PipelineParameters.fixedWhileRunning.union(ReplayParameters.all.map(\.name))
    return zip(old.parameters.entries, new.parameters.entries).allSatisfy {
      $0.value == $1.value || !fixed.contains($0.name)
    }
  }
}
