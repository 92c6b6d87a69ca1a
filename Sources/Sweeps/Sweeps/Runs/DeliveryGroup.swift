import FrameModel
import Kernels
import MattePipeline
import RecordingStore
import Replay
import Support

/// Mattes of settings with the same input frames: one cursor and one stage tree, which advance one
/// output at a time.
final class DeliveryGroup {
  /// Positions in the batch of the group's mattes, in the order of the tree's settings.
  let mattes: [Int]
  private(set) var plan: ReplayPlan
  private(set) var failure: RetakeError?
  private let recording: Recording
  private let readsDepth: Bool
  private let decoded: DecodedFrames
  private var cursor: ReplayCursor
  private let tree: StageTree
  private var next: FrameSet?
  private var waiting: [Int] = []

  /// - Parameters:
  ///   - mattes: position in the batch and parameters of each matte in the group.
  ///   - segmenter: nil if none needs a network.
  ///   - measuresCosts: whether `times` has an answer.
  ///   - blurs: of earlier groups; affects speed only.
  /// - Throws: errors that affect all mattes of the group.
  init(
    _ recording: Recording, _ group: DistinctMatte.Group, mattes: [(place: Int, origin: DistinctMatte.Origin)],
    segmenter: SharedSegmenter?, decoded: DecodedFrames, threads: BandRunner, measuresCosts: Bool,
    blurs: BlurMemory?
  ) throws(RetakeError) {
    self.mattes = mattes.map(\.place)
    (plan, readsDepth) = (group.plan, group.readsDepth)
    (self.recording, self.decoded) = (recording, decoded)
    let settings = mattes.map(\.origin.parameters)
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(.unsupported, "There is no colour stream.", hint: "'retake info' lists its streams")
    }
    try mattes[0].origin.checkDepth(of: recording)
    let depth = group.readsDepth ? recording.firstStream(.depth).map { recording.streams[$0] } : nil
    let format = try PipelineFormat(
      color: recording.streams[color], depth: depth, settings[0],
      alignment: depth == nil ? .none : recording.depthShift())
    let sources = PipelineSources(segmenter: segmenter, scene: try EmptyScene.named(in: settings[0]))
    tree = try StageTree(
      format, settings: settings, sources: sources, wanted: .matte, threads: threads, measuresTimes: measuresCosts,
      blurs: blurs)
    cursor = try ReplayCursor(recording, group.plan, readsDepth: group.readsDepth, decoded: decoded)
    do throws(RetakeError) { next = try cursor.next() } catch { failure = error }
  }

  /// Plays other frames, and nothing of earlier ones is left.
  /// - Throws: errors that affect all mattes of the group; it is then not to be used.
  func restart(_ order: PlayOrder) throws(RetakeError) {
    plan.order = order
    try tree.restart()
    cursor = try ReplayCursor(recording, plan, readsDepth: readsDepth, decoded: decoded)
    (next, waiting, failure) = (nil, [], nil)
    do throws(RetakeError) { next = try cursor.next() } catch { failure = error }
  }

  /// Number of the next frame set to output; nil at the end.
  var nextNumber: Int? { failure != nil ? nil : waiting.first ?? next?.index }

  /// - Parameter body: called with the position of each matte that has an output, concurrently on
  ///   several threads. Planes are valid until the next call.
  func advance(_ body: (Int, PipelineOutput) -> Void) {
    func take(_ setting: Int, _ output: PipelineOutput) { body(mattes[setting], output) }
    do throws(RetakeError) {
      var hasCome = false
      while !hasCome {
        if let frames = next {
          waiting.append(frames.index)
          hasCome = try tree.process(frames, take)
          next = try cursor.next()
        } else {
          hasCome = true
          _ = try tree.drain(take)
        }
      }
      waiting.removeFirst()
    } catch {
      failure = error
    }
  }

  func failure(of index: Int) -> RetakeError? { failure ?? tree.failure(ofSetting: index) }
  func matte(of index: Int) -> PixelPlane<UInt8>? { failure == nil ? tree.matte(ofSetting: index) : nil }
  func times(of index: Int) -> StageTimes { tree.times(ofSetting: index) }
}
