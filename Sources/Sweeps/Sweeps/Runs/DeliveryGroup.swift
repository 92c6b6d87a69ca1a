import FrameModel
import Kernels
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// Mattes of settings that are fed alike: one cursor and one tree of stages, which advance an output at a time.
final class DeliveryGroup {
  /// Places of the batch's mattes, as the tree counts them.
  let mattes: [Int]
  let plan: ReplayPlan
  /// Why all of them have come to their end.
  private(set) var failure: RetakeError?
  private let cursor: ReplayCursor
  private let tree: StageTree
  private var next: FrameSet?
  /// Numbers of frame sets that look-ahead holds.
  private var waiting: [Int] = []

  /// - Parameters:
  ///   - mattes: places of those that are the group's, and what each is made by.
  ///   - segmenter: nil where none needs a network.
  /// - Throws: what keeps all of them from being made.
  init(
    _ recording: Recording, _ group: DistinctMatte.Group, mattes: [(place: Int, origin: DistinctMatte.Origin)],
    segmenter: SharedSegmenter?, decoded: DecodedFrames, threads: BandRunner
  ) throws(RetakeError) {
    self.mattes = mattes.map(\.place)
    plan = group.plan
    let settings = mattes.map(\.origin.parameters)
    guard let color = recording.firstStream(.color) else {
      throw RetakeError(.unsupported, "There is no colour stream.", hint: "'retake info' lists its streams")
    }
    let depth = group.readsDepth ? recording.firstStream(.depth).map { recording.streams[$0] } : nil
    if group.readsDepth && depth == nil {
      throw RetakeError(
        .unsupported,
        "\(recording.folder.path) has no depth stream, which this setting needs for "
          + "\(PipelineNeeds.depthParameter(settings[0]) ?? "its mask").", hint: PipelineNeeds.withoutDepthHint)
    }
    let format = try PipelineFormat(color: recording.streams[color], depth: depth, settings[0])
    tree = try StageTree(
      format, settings: settings, sources: PipelineSources(segmenter: segmenter), wanted: .matte, threads: threads)
    cursor = try ReplayCursor(recording, group.plan, readsDepth: group.readsDepth, decoded: decoded)
    do throws(RetakeError) { next = try cursor.next() } catch { failure = error }
  }

  /// Of the frame set whose output comes next; nil at the end.
  var nextNumber: Int? { failure != nil ? nil : waiting.first ?? next?.index }

  /// Goes on to the next output.
  /// - Parameter body: called with the place of a matte for each that has one: at once on several threads. Planes hold until the
  ///   next call.
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

  /// - Parameter index: of the group's mattes.
  func failure(of index: Int) -> RetakeError? { failure ?? tree.failure(ofSetting: index) }
  func matte(of index: Int) -> PixelPlane<UInt8>? { failure == nil ? tree.matte(ofSetting: index) : nil }
  func times(of index: Int) -> StageTimes { tree.times(ofSetting: index) }
}
