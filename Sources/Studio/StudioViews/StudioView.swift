import Dispatch
import FrameModel
import MattePipeline
import Parameters
import RecordingStore
import Replay
import Support
import Synchronization

package struct ViewRequest: Sendable {
  package var frame: Int
  package var span: ViewSpan
  package var setting: ViewSetting
  /// Tells pages that are open at the same time apart.
  package var page: String

  package init(frame: Int, span: ViewSpan, setting: ViewSetting, page: String = "") {
    (self.frame, self.span, self.setting, self.page) = (frame, span, setting, page)
  }

  var key: PictureCache.Key { PictureCache.Key(setting: setting, span: span, frame: frame) }
}

package struct ViewAnswer: Sendable {
  /// Nil while the exact picture is not there yet.
  package var picture: ViewPicture?
  /// While `picture` is nil: frames of its history that are computed, of those that it needs; nil if they are too many.
  package var history: (done: Int, total: Int)?
  /// While `picture` is nil: a frame of its history that cannot be read.
  package var unreadFrame: Int?
}

/// What one view of the page shows. Its latest picture is made at once, with what the pipeline remembers; the exact one
/// where that differs is computed from the span's begin, in the background, and then shown from.
package final class StudioView: Sendable {
  package typealias Reply = @Sendable (Result<ViewAnswer, RetakeError>) -> Void
  /// More frames of history are not played for one picture.
  package static let longestHistory = 6000

  private let queue = DispatchQueue(label: "retake.view", qos: .userInteractive)
  private let worker: Worker
  private let exact: ExactWorker
  /// Questions that wait for a picture.
  private let waitingCount = Atomic(0)

  package init(_ recording: Recording, firstNumber: Int, cache: PictureCache) {
    let source = ViewSource(recording: recording, firstNumber: firstNumber, cache: cache)
    worker = Worker(source)
    exact = ExactWorker(source)
  }

  /// Shows a frame now.
  package func show(_ request: ViewRequest, reply: @escaping Reply) {
    exact.keep(only: request)
    exact.pause()
    waitingCount.add(1, ordering: .relaxed)
    queue.async { [self] in
      defer { exact.goOn() }
      waitingCount.subtract(1, ordering: .relaxed)
      reply(Result { () throws(RetakeError) in try worker.show(request) })
    }
  }

  /// Shows the frame that may be wanted next, if it is a step from where the view stands or known already. Otherwise, and
  /// while anything else is asked for, there is no picture: the view would leave a frame that costs much to return to.
  package func showNext(_ request: ViewRequest, reply: @escaping Reply) {
    queue.async { [self] in
      reply(
        Result { () throws(RetakeError) in
          waitingCount.load(ordering: .relaxed) == 0 ? try worker.showNext(request) : ViewAnswer()
        })
    }
  }

  /// The picture as a replay of the span has it, or how far that is after a quarter of a second.
  package func showExact(_ request: ViewRequest, reply: @escaping Reply) {
    queue.async { [worker, exact, queue] in
      if let picture = worker.exactPicture(request) { return reply(.success(ViewAnswer(picture: picture))) }
      // Too far from the span's begin to play up to it for one picture.
      guard request.frame - request.span.frames.lowerBound <= Self.longestHistory else {
        return reply(.success(ViewAnswer()))
      }
      exact.show(request) { result in
        switch result {
        case .failure(let error): reply(.failure(error))
        case .success(.progress(let done, let total)):
          reply(.success(ViewAnswer(history: (done, total))))
        case .success(.blocked(let frame)): reply(.success(ViewAnswer(unreadFrame: frame)))
        case .success(.reached(let run)):
          queue.async {
            worker.adopt(run)
            reply(.success(ViewAnswer(picture: run.picture())))
          }
        }
      }
    }
  }
}

/// What runs of a recording are made from.
struct ViewSource: Sendable {
  let recording: Recording
  let firstNumber: Int
  let cache: PictureCache

  func run(_ request: ViewRequest) throws(RetakeError) -> ViewRun {
    try ViewRun(
      recording, request.span, request.setting, firstNumber: firstNumber,
      background: BackgroundFile.named(in: request.setting.parameters), threadCount: ProcessorCount.usable,
      note: { _ in })
  }
}

/// Unchecked, because it is used on its view's queue only.
private final class Worker: @unchecked Sendable {
  private let source: ViewSource
  private var run: ViewRun?

  init(_ source: ViewSource) { self.source = source }

  func show(_ request: ViewRequest) throws(RetakeError) -> ViewAnswer {
    if let picture = source.cache.picture(request.key) { return ViewAnswer(picture: picture) }
    let run: ViewRun
    if let old = self.run, old.span == request.span, old.canShow(request.frame, request.setting) {
      run = old
    } else {
      run = try source.run(request)
    }
    // A run that fails is not used again.
    self.run = nil
    try run.show(request.frame, request.setting)
    self.run = run
    guard let picture = run.picture() else { return ViewAnswer() }
    if picture.exact == .all { source.cache.add(picture, request.key) }
    return ViewAnswer(picture: picture)
  }

  func showNext(_ request: ViewRequest) throws(RetakeError) -> ViewAnswer {
    if let picture = source.cache.picture(request.key) { return ViewAnswer(picture: picture) }
    guard let run, run.span == request.span, run.setting == request.setting, run.frame == request.frame - 1 else {
      return ViewAnswer()
    }
    return try show(request)
  }

  func exactPicture(_ request: ViewRequest) -> ViewPicture? { source.cache.picture(request.key) }

  func adopt(_ run: ViewRun) { self.run = run }
}
