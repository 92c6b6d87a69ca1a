import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Replay
import Scores
import Support

/// Plays several settings over a recording in lockstep, one frame at a time.
///
/// Groups advance by outputs, not by inputs, since look-ahead needs more inputs. So a setting and
/// its lag reference are always at the same frame, for which the scene is made.
final class SweepBatch {
  private struct Slot {
    let origin: DistinctMatte.Origin
    /// The settings that use it; empty for a matte that is only a lag reference.
    let settings: [Int]
    /// Nil for a matte that is only a lag reference.
    var scorer: SettingScorer?
    var reference: Int?
    /// The group, and the index in it; nil if the matte could not be prepared.
    var home: (group: Int, index: Int)?
    var failure: RetakeError?
  }

  private let threads: BandRunner
  private let recordingNumber: Int
  private let segmenters: BatchSegmenters
  private let source: SweepSource
  private let reading: SharedReading
  private let scores: Set<ScoreKind>
  private var streams: [SceneStream]
  /// Those of the references first: the others' mattes are compared with them.
  private let groups: [DeliveryGroup]
  /// Of the first groups; empty if no wanted score compares with them.
  private let references: [ReferenceMatte]
  /// By group, the index of its scene stream; nil if none of its mattes is scored.
  private let streamOfGroup: [Int?]
  /// Scene errors by group. Its mattes continue, since other mattes may use them as lag references.
  private var sceneFailures: [Int: RetakeError] = [:]
  private var slots: [Slot]
  /// Numbers of the frames to score; nil for all.
  var scored: Set<Int>?

  /// - Parameters:
  ///   - keeps: whether to store the masks of networks.
  ///   - measuresCosts: whether the runs tell costs.
  ///   - blurs: of earlier batches; affects speed only.
  /// - Throws: errors that affect the whole recording.
  init(
    _ source: SweepSource, number: Int, _ mattes: [DistinctMatte], scores: Set<ScoreKind>, reading: SharedReading,
    threads: BandRunner, keeps: Bool, measuresCosts: Bool = true, blurs: BlurMemory? = nil,
    note: @escaping (String) -> Void
  ) throws(RetakeError) {
    (self.threads, self.source, self.reading, self.scores) = (threads, source, reading, scores)
    recordingNumber = number
    let segmenters = BatchSegmenters(source.recording, keeps: keeps, note: note)
    let (order, firstNumber) = (try source.playedOrder(), try source.recording.firstNumber())
    var slots = Self.slots(mattes, scores, try source.colorStream().layout, source.boundaryTolerance)

    var members: [(group: DistinctMatte.Group, slots: [Int])] = []
    var places: [DistinctMatte.Group: Int] = [:]
    for place in slots.indices {
      do throws(RetakeError) { _ = try segmenters.segmenter(slots[place].origin.parameters) } catch {
        slots[place].failure = error
        continue
      }
      let group = slots[place].origin.group(order, firstNumber: firstNumber)
      if let known = places[group] {
        members[known].slots.append(place)
      } else {
        places[group] = members.count
        members.append((group, [place]))
      }
    }
    var groups: [DeliveryGroup] = []
    var streams: [SceneStream] = []
    var streamPlaces: [SceneStream.Key: Int] = [:]
    var streamOfGroup: [Int?] = []
    func addStream(_ group: DistinctMatte.Group) throws(RetakeError) {
      let key = SceneStream.Key(group.plan)
      if streamPlaces[key] == nil {
        streamPlaces[key] = streams.count
        streams.append(try SceneStream(source, key, scores: scores, reading: reading))
      }
      streamOfGroup.append(streamPlaces[key])
    }
    let video = try source.colorStream().layout
    for origin in try Self.references(scores, frameCount: order.countOfOnePass) {
      let group = origin.group(order, firstNumber: firstNumber)
      groups.append(
        try DeliveryGroup(
          source.recording, group, mattes: [(0, origin)], segmenter: nil, decoded: reading.decoded,
          threads: threads, measuresCosts: measuresCosts, blurs: blurs))
      try addStream(group)
    }
    references = groups.map { _ in
      ReferenceMatte(width: video.width, height: video.height, tolerance: source.boundaryTolerance)
    }
    for (group, places) in members {
      var segmenter: SharedSegmenter?
      for place in places where segmenter == nil {
        segmenter = try segmenters.segmenter(slots[place].origin.parameters)
      }
      let made: DeliveryGroup
      do throws(RetakeError) {
        made = try DeliveryGroup(
          source.recording, group, mattes: places.map { ($0, slots[$0].origin) }, segmenter: segmenter,
          decoded: reading.decoded, threads: threads, measuresCosts: measuresCosts, blurs: blurs)
      } catch {
        for place in places { slots[place].failure = error }
        continue
      }
      for (index, place) in places.enumerated() { slots[place].home = (groups.count, index) }
      groups.append(made)
      guard places.contains(where: { !slots[$0].settings.isEmpty }) else {
        streamOfGroup.append(nil)
        continue
      }
      try addStream(group)
    }
    (self.groups, self.streams, self.streamOfGroup) = (groups, streams, streamOfGroup)
    (self.slots, self.segmenters) = (slots, segmenters)
  }

  /// Whether `restart` may follow. Masks of networks are stored when a batch ends, and references depend on how many
  /// frames are played.
  var canRestart: Bool { references.isEmpty && segmenters.isEmpty && slots.allSatisfy { $0.failure == nil } }

  /// Plays other frames of the recording, with the results of a new batch. For a batch that `canRestart`.
  /// - Throws: errors of starting again; the batch must not be used after one.
  func restart(_ order: PlayOrder) throws(RetakeError) {
    precondition(canRestart)
    for group in groups { try group.restart(order) }
    var keys: [(stream: Int, key: SceneStream.Key)] = []
    for (group, stream) in streamOfGroup.enumerated() {
      guard let stream, !keys.contains(where: { $0.stream == stream }) else { continue }
      keys.append((stream, SceneStream.Key(groups[group].plan)))
    }
    for (stream, key) in keys { streams[stream] = try SceneStream(source, key, scores: scores, reading: reading) }
    sceneFailures = [:]
    let video = try source.colorStream().layout
    for place in slots.indices where slots[place].scorer != nil {
      slots[place].scorer = SettingScorer(
        scores: scores, width: video.width, height: video.height, tolerance: source.boundaryTolerance)
    }
  }

  static func references(_ scores: Set<ScoreKind>, frameCount: Int) throws(RetakeError) -> [DistinctMatte.Origin] {
    guard scores.contains(where: \.usesReferences) else { return [] }
    return try AgreementReferences.parameters(frameCount: frameCount).map(DistinctMatte.Origin.init)
  }

  private static func slots(
    _ mattes: [DistinctMatte], _ scores: Set<ScoreKind>, _ video: FrameLayout, _ tolerance: Int?
  ) -> [Slot] {
    var places: [DistinctMatte.Origin: Int] = [:]
    var slots = mattes.map { matte in
      Slot(
        origin: matte.origin, settings: matte.settings,
        scorer: SettingScorer(scores: scores, width: video.width, height: video.height, tolerance: tolerance))
    }
    for (place, slot) in slots.enumerated() { places[slot.origin] = place }
    for (place, matte) in mattes.enumerated() {
      guard let reference = matte.reference else { continue }
      if places[reference] == nil {
        places[reference] = slots.count
        slots.append(Slot(origin: reference, settings: [], scorer: nil))
      }
      slots[place].reference = places[reference]
    }
    return slots
  }

  /// - Returns: the frame number; nil at the end.
  func step() -> Int? {
    guard groups.indices.contains(where: { streamOfGroup[$0] != nil && sceneFailures[$0] == nil }) else { return nil }
    let numbers = groups.map(\.nextNumber)
    guard let number = numbers.compactMap({ $0 }).min() else { return nil }
    for group in groups.indices where numbers[group] == number { advance(group, number) }
    measureLag { numbers[$0] == number }
    return number
  }

  private func advance(_ group: Int, _ number: Int) {
    var scene: Scene?
    if let stream = streamOfGroup[group], sceneFailures[group] == nil {
      do throws(RetakeError) { scene = try streams[stream].scene(number) } catch { sceneFailures[group] = error }
    }
    if references.indices.contains(group) {
      groups[group].advance { _, _ in }
      let matte = (groups[group].matte(of: 0)?.samples).map { UnsafePointer($0) }
      if let scene { references[group].take(matte, scene) }
      return
    }
    groups[group].advance { place, output in
      guard let scene, let scorer = slots[place].scorer, scored?.contains(number) ?? true else { return }
      scorer.take(scene, matte: (output.matte?.samples).map { UnsafePointer($0) }, references: references)
    }
  }

  private func measureLag(_ hasAdvanced: (Int) -> Bool) {
    func samples(_ slot: Slot) -> UnsafePointer<UInt8>? {
      guard let (group, index) = slot.home, hasAdvanced(group) else { return nil }
      return (groups[group].matte(of: index)?.samples).map { UnsafePointer($0) }
    }
    let lagging = slots.filter { $0.reference != nil && ($0.home.map { hasAdvanced($0.group) } ?? false) }
    threads.run(rowCount: lagging.count) { rows in
      for slot in lagging[rows] {
        guard let scorer = slot.scorer, let reference = slot.reference else { continue }
        scorer.takeForLag(matte: samples(slot), reference: samples(slots[reference]))
      }
    }
  }

  /// The frames scored so far of a matte that settings use, by its position.
  func scoredFrames(ofMatte place: Int) -> [ScoredFrame] { slots[place].scorer?.frames ?? [] }

  /// The error that ended a matte, by its position; nil while it continues.
  func failure(ofMatte place: Int) -> RetakeError? { failure(of: slots[place]) }

  /// Returns the result of every setting. Call after the last frame.
  /// - Throws: read errors that a later attempt may not meet.
  func runs() throws(RetakeError) -> [SettingRun] {
    var runs: [SettingRun] = []
    for slot in slots where !slot.settings.isEmpty {
      let outcome = try outcome(of: slot)
      for setting in slot.settings {
        runs.append(
          SettingRun(
            key: RunKey(setting: setting, recording: recordingNumber), outcome: outcome, cost: cost(of: slot)))
      }
    }
    return runs.sorted { $0.key < $1.key }
  }

  private func failure(of slot: Slot) -> RetakeError? {
    slot.home.flatMap { sceneFailures[$0.group] } ?? playFailure(of: slot)
  }

  /// The error that prevents mattes, regardless of scene errors.
  private func playFailure(of slot: Slot) -> RetakeError? {
    slot.failure ?? slot.home.flatMap { groups[$0.group].failure(of: $0.index) }
  }

  private func outcome(of slot: Slot) throws(RetakeError) -> SettingRun.Outcome {
    // An I/O error may be temporary, see below. After another one, the scores have no value.
    for group in references.indices {
      if let failure = groups[group].failure, failure.code == .inputOutput { throw failure }
    }
    var failure = failure(of: slot)
    if failure == nil, let reference = slot.reference, let other = playFailure(of: slots[reference]) {
      failure = RetakeError(
        other.code, "What its lag is measured beside cannot be played: \(other.message)", hint: other.hint)
    }
    if let failure {
      // An I/O error may be temporary. No result is written, so that the run is repeated later.
      guard failure.code != .inputOutput else { throw failure }
      return .failed(failure.description)
    }
    guard let scorer = slot.scorer else { preconditionFailure("it has settings and no scorer") }
    let hasReferences = references.indices.allSatisfy { groups[$0].failure(of: 0) == nil }
    return .scored(scorer.finish(reference: hasReferences ? ReferenceMatte.best(references) : nil))
  }

  private func cost(of slot: Slot) -> StageCost? {
    guard failure(of: slot) == nil, let (group, index) = slot.home else { return nil }
    let times = groups[group].times(of: index)
    guard times.frameCount > 0 else { return nil }
    func mean(_ nanoseconds: Int) -> Double { Double(nanoseconds) / Double(times.frameCount) }
    return StageCost(
      color: mean(times.color), depth: mean(times.depth), mask: mean(times.mask), matte: mean(times.matte))
  }

  func finish() { segmenters.finish() }
}
