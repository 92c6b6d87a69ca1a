import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support

/// The segmentation networks of a batch. Opens each once, and saves its masks when the batch ends.
final class BatchSegmenters {
  private struct Opened {
    let kept: KeptSegmenter
    let shared: SharedSegmenter
  }

  private let recording: Recording
  private let keeps: Bool
  private let note: (String) -> Void
  private var opened: [NetworkChoice: Result<Opened, RetakeError>] = [:]

  /// - Parameter keeps: false to store nothing beside the recording.
  init(_ recording: Recording, keeps: Bool, note: @escaping (String) -> Void) {
    (self.recording, self.keeps, self.note) = (recording, keeps, note)
  }

  deinit { finish() }

  var isEmpty: Bool { opened.isEmpty }

  /// - Returns: nil if the parameters need no network.
  /// - Throws: the errors of `Segmenters.make`, on every call.
  func segmenter(_ parameters: ParameterSet) throws(RetakeError) -> SharedSegmenter? {
    guard PipelineNeeds(parameters).needsSegmentation else { return nil }
    let key = NetworkChoice(parameters)
    let result = opened[key] ?? open(parameters)
    opened[key] = result
    return try result.get().shared
  }

  private func open(_ parameters: ParameterSet) -> Result<Opened, RetakeError> {
    do throws(RetakeError) {
      guard let kept = try Segmenters.make(parameters, recording: recording, keeps: keeps, note: note) else {
        preconditionFailure("it needs a network")
      }
      return .success(Opened(kept: kept, shared: SharedSegmenter(kept)))
    } catch {
      return .failure(error)
    }
  }

  func finish() {
    for result in opened.values { if case .success(let one) = result { one.kept.finish() } }
    opened = [:]
  }
}
