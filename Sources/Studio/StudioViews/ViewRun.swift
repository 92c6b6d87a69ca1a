import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// A pipeline that stands at a frame of a recording, and goes to another one or to other parameters with as little work
/// as gives the picture. It knows which of its pictures are those of a replay of the span. Serves one thread at a time.
///
/// Unchecked, because it is handed from one thread to another.
final class ViewRun: @unchecked Sendable {
  /// A frame this near after the current one is reached by playing, which keeps what stages remember.
  private static let playedGap = 4
  /// Decoded frames that are kept for going back.
  private static let idleByteLimit = 32 << 20

  let span: ViewSpan
  private(set) var setting: ViewSetting
  /// The frame that was asked for; nil before the first one.
  private(set) var frame: Int?
  /// What the pipeline made last. Later than `frame` where frames were not delivered.
  private var latest: Made?

  private struct Made {
    let frame: Int
    /// Nil for a frame without a picture. Valid until the pipeline's next frame.
    let output: PipelineOutput?
    /// Valid as long as `output`.
    var unmasked: UnmaskedPictures?
    let faces: [FaceObservation]
  }

  private let recording: Recording
  private let firstNumber: Int
  private let decoded: DecodedFrames
  private let setup: PipelineSetup
  private let hasDepth: Bool
  /// What there is not for this setting: depth, or a network. Original and depth are made then, or the original alone.
  private let lacking: RetakeError?
  private var cursor: ReplayCursor?
  /// The frame set that the pipeline processed last.
  private var last: FrameSet?
  /// Pictures that depend on frames which were not processed, or with other parameters.
  private var inexact: PipelineStages = []
  /// The last frame that could not be read, and why. A replay of the span stops there; this goes on without it.
  private(set) var unread: (frame: Int, error: RetakeError)?
  /// Whether the depth that would be in force could not be read.
  private var lacksDepth = false

  /// - Parameter threadCount: affects speed only.
  /// - Throws: as `ReplaySession.init`.
  init(
    _ recording: Recording, _ span: ViewSpan, _ setting: ViewSetting, firstNumber: Int, background: BackgroundFile?,
    threadCount: Int, note: @escaping (String) -> Void
  ) throws(RetakeError) {
    (self.recording, self.span, self.setting, self.firstNumber) = (recording, span, setting, firstNumber)
    let request = ReplayRequest(preset: setting.preset, parameters: setting.parameters, firstNumber: firstNumber)
    func make(_ wanted: PipelineStages) throws(RetakeError) -> (setup: PipelineSetup, hasDepth: Bool) {
      let (color, depth) = try ReplaySession.streams(of: recording, request, wanted: wanted)
      let setup = try PipelineSetup(
        recording, request, color: color, depth: depth, wanted: wanted, background: background,
        threadCount: threadCount, note: note)
      return (setup, depth != nil)
    }
    do throws(RetakeError) {
      (setup, hasDepth) = try make(.all)
      lacking = nil
    } catch {
      let (needs, network) = (PipelineNeeds(setting.parameters), setting.parameters[PipelineParameters.mask.model])
      let isWithoutDepth = recording.firstStream(.depth) == nil
      let lacksDepth = error.code == .unsupported && needs.needsDepth && isWithoutDepth
      // What is wrong with a network that is named is an error of its own.
      let lacksNetwork = error.code == .usage && needs.needsSegmentation && network.isEmpty
      guard lacksDepth || lacksNetwork else { throw error }
      (setup, hasDepth) = try make(isWithoutDepth ? .original : [.original, .depth])
      lacking = error
    }
    decoded = try DecodedFrames(recording, threadCount: 1, idleByteLimit: Self.idleByteLimit)
    setup.pipeline.keepsUnmasked = true
  }

  deinit { setup.segmenter?.finish() }

  /// Whether this run can show the frame with the setting. Otherwise another one has to begin.
  func canShow(_ number: Int, _ new: ViewSetting) -> Bool {
    let isNext = latest.map { $0.frame < number && number - $0.frame <= Self.playedGap } ?? (last == nil)
    if new.parameters == setting.parameters, frame == number || isNext { return true }
    guard lacking == nil else { return false }
    // Look-ahead holds frames from elsewhere.
    guard last == nil || new.parameters[PipelineParameters.depth.lookAhead] == 0 else { return false }
    // A fresh start is exact, and near.
    guard number - span.frames.lowerBound > Self.playedGap || isForgetful(new) else { return false }
    let fixed = PipelineParameters.fixedWhileRunning.union(ReplayParameters.all.map(\.name))
    let (old, needs) = (setting.parameters, PipelineNeeds(new.parameters))
    guard hasDepth || !needs.needsDepth, setup.segmenter != nil || !needs.needsSegmentation else { return false }
    return zip(old.entries, new.parameters.entries).allSatisfy { $0.value == $1.value || !fixed.contains($0.name) }
  }

  private func isForgetful(_ setting: ViewSetting) -> Bool { PipelineMemory(setting.parameters).stages.isEmpty }

  /// Goes to a frame and a setting.
  /// - Parameters:
  ///   - number: in the span.
  ///   - new: one that `canShow` allows.
  func show(_ number: Int, _ new: ViewSetting) throws(RetakeError) {
    let before = frame
    frame = number
    if new.parameters != setting.parameters {
      try change(to: new)
      setting = new
      if latest?.frame == number, last?.index == number { return try remake() }
      latest = nil
    }
    setting = new
    if latest?.frame != number { try go(to: number, from: before) }
  }

  /// Plays the next frame of the span, from the first one on.
  /// - Returns: false at the end.
  func step() throws(RetakeError) -> Bool {
    let next = frame.map { $0 + 1 } ?? span.frames.lowerBound
    guard span.frames.contains(next) else { return false }
    try show(next, setting)
    return true
  }

  /// Copies the frame's planes; nil before the first `show`.
  func picture() -> ViewPicture? {
    guard let frame else { return nil }
    let made = latest.flatMap { $0.frame == frame ? $0 : nil }
    let exact = lacksDepth ? .original : PipelineStages.all.subtracting(inexact)
    if let lacking {
      let unmasked = made?.output.map { output in
        UnmaskedPictures(
          index: frame, original: output.original, depth: output.depth, depthIsNew: output.depthIsNew)
      }
      return ViewPicture(
        MissingPicture(lacking: lacking), unmasked ?? made?.unmasked, frame: frame,
        exact: exact.union([.mask, .matte, .composite]), faces: made?.faces ?? [])
    }
    if let made, let output = made.output {
      return ViewPicture(output, frame: frame, exact: exact, faces: made.faces)
    }
    if made == nil, let unread, frame...frame + 2 * lookAhead ~= unread.frame {
      return ViewPicture(MissingPicture(unread: unread.error), nil, frame: frame, exact: .all, faces: [])
    }
    let missing =
      made == nil
      ? .undelivered
      : MissingPicture(
        skipped: setting.parameters, hasDepth: made?.unmasked?.depth != nil,
        learnedFrameCount: inexact.isEmpty ? setup.pipeline.learnedFrameCount : nil)
    return ViewPicture(missing, made?.unmasked, frame: frame, exact: exact, faces: made?.faces ?? [])
  }

  private func change(to new: ViewSetting) throws(RetakeError) {
    try setup.pipeline.change(to: new.parameters, at: 0)
    guard let first = new.parameters.firstStage(thatDiffersFrom: setting.parameters) else { return }
    let memory = PipelineMemory(new.parameters)
    // What a stage before it remembers is not touched by the change.
    inexact = inexact.intersection(memory.stages).union(memory.remembered(from: first))
  }

  /// Processes the current frame again, after a change. Its depth is held already.
  private func remake() throws(RetakeError) {
    guard var frames = last else { return }
    frames.depth = nil
    try take(try setup.pipeline.process(frames), frames)
  }

  private func go(to number: Int, from before: Int?) throws(RetakeError) {
    let gap = number - (latest?.frame ?? span.frames.lowerBound - 1)
    if latest != nil || last == nil, 1...Self.playedGap ~= gap { return try play(to: number) }
    // Its own was not delivered, but a later one's was.
    if let latest, let before, before < number, number < latest.frame { return }
    try seek(number)
  }

  private var lookAhead: Int { setting.parameters[PipelineParameters.depth.lookAhead] }

  private func seek(_ number: Int) throws(RetakeError) {
    let plan = ReplayPlan(setting.parameters, firstNumber: firstNumber)
    let arrival = hasDepth ? try ReplayCursor.lastDepthArrival(recording, plan, upTo: number) : number
    // What is held came later, or too long ago.
    if arrival == nil { try forget() }
    lacksDepth = false
    let start = max(arrival ?? number, span.frames.lowerBound)
    // A pipeline that has seen nothing and begins where the span does is the replay's.
    let isFresh = last == nil && start == span.frames.lowerBound
    inexact = isFresh ? [] : PipelineMemory(setting.parameters).stages
    // A replay of the span may hold depth from before what was searched.
    let first = span.frames.lowerBound
    if arrival == nil, number > first {
      let isHeld = try ReplayCursor.lastDepthArrival(recording, plan, upTo: first) != nil
      if isHeld || number - first >= ReplayCursor.depthLookback { inexact = PipelineStages.all.subtracting(.original) }
    }
    cursor = try makeCursor(from: start)
    latest = nil
    try play(to: number)
  }

  private func forget() throws(RetakeError) {
    guard last != nil else { return }
    try setup.pipeline.prepare(setup.pipeline.format)
    try setup.pipeline.change(to: setting.parameters, at: 0)
    last = nil
  }

  private func makeCursor(from number: Int) throws(RetakeError) -> ReplayCursor {
    let order = PlayOrder(frames: number - firstNumber..<span.frames.upperBound - firstNumber)
    return try ReplayCursor(
      recording, ReplayPlan(setting.parameters, order: order, firstNumber: firstNumber), readsDepth: hasDepth,
      heldCount: MattePipeline.heldFrameSetCount(setting.parameters), decoded: decoded)
  }

  /// Plays until the frame's picture is there, or a later one's because its own was not delivered.
  private func play(to number: Int) throws(RetakeError) {
    if cursor == nil { cursor = try makeCursor(from: span.frames.lowerBound) }
    guard let cursor else { return }
    while latest.map({ $0.frame < number }) ?? true {
      let frames: FrameSet?
      do throws(RetakeError) {
        frames = try cursor.next()
      } catch {
        guard let frame = cursor.unreadable else { throw error }
        unread = (frame, error)
        lacksDepth = hasDepth
        inexact.formUnion(PipelineMemory(setting.parameters).stages)
        // What look-ahead holds comes with later frames, if those can be read.
        guard lookAhead > 0, frame < number + 2 * lookAhead else { return }
        continue
      }
      if let frames {
        try take(try setup.pipeline.process(frames), frames)
      } else {
        let result = try setup.pipeline.drain()
        guard case .waiting = result else {
          try take(result, nil)
          continue
        }
        // The span has ended: neither this frame nor a later one has a picture.
        latest = Made(frame: span.frames.upperBound, output: nil, faces: [])
      }
    }
  }

  /// - Parameter frames: what was processed; nil for what look-ahead held.
  private func take(_ result: PipelineResult, _ frames: FrameSet?) throws(RetakeError) {
    if let frames { last = frames }
    if frames?.depth != nil { lacksDepth = false }
    switch result {
    case .output(let output):
      let faces = frames?.index == output.index ? frames?.faces ?? [] : []
      latest = Made(frame: output.index, output: output, faces: faces)
    case .skipped:
      guard let unmasked = setup.pipeline.takeUnmasked() else { break }
      let faces = frames?.index == unmasked.index ? frames?.faces ?? [] : []
      latest = Made(frame: unmasked.index, output: nil, unmasked: unmasked, faces: faces)
    case .waiting: break
    }
  }
}
