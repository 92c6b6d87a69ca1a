import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Segmentation
import Support

/// The networks that a batch's masks are made by: each is opened once, and keeps what it said when the batch is done.
final class BatchSegmenters {
  private struct Opened {
    let kept: KeptSegmenter
    let shared: SharedSegmenter
  }

  private let recording: Recording
  private let keeps: Bool
  private let note: (String) -> Void
  private var opened: [[String]: Result<Opened, RetakeError>] = [:]

  /// - Parameter keeps: false where nothing is to be written beside the recording.
  init(_ recording: Recording, keeps: Bool, note: @escaping (String) -> Void) {
    (self.recording, self.keeps, self.note) = (recording, keeps, note)
  }

  deinit { finish() }

  /// - Returns: nil where the parameters need none.
  /// - Throws: what `Segmenters.make` throws, every time.
  func segmenter(_ parameters: ParameterSet) throws(RetakeError) -> SharedSegmenter? {
    guard PipelineNeeds(parameters).needsSegmentation else { return nil }
    let key = [parameters[PipelineParameters.maskModel], parameters[PipelineParameters.maskQuality]]
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

  /// What networks took minutes for is kept, however the batch ends.
  func finish() {
    for result in opened.values { if case .success(let one) = result { one.kept.finish() } }
    opened = [:]
  }
}
