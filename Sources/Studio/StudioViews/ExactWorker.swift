import Dispatch
import FrameModel
import Support
import Synchronization

/// Plays from the span's begin to a frame, beside the view, one frame at a time.
final class ExactWorker: Sendable {
  enum Progress: Sendable {
    case progress(done: Int, total: Int)
    case reached(ViewRun)
    /// A frame before it cannot be read, so a replay does not come to it.
    case blocked(byFrame: Int)
  }
  typealias Reply = @Sendable (Result<Progress, RetakeError>) -> Void

  /// Pictures before the wanted one that are kept, for stepping back.
  private static let keptCount = 16
  private static let patience = DispatchTimeInterval.milliseconds(250)
  private static let pauseStep = DispatchTimeInterval.milliseconds(4)

  /// Work that its page has not asked for in this time gives way to another page's.
  private static let waitNanoseconds = 1_500_000_000

  private struct Job {
    var run: ViewRun
    var askedAt = MonotonicTime.now()
    var request: ViewRequest
    var reply: Reply?
    /// Whether its next step is on the queue.
    var isRunning = false
    let number: Int

    /// Whether it plays the same up to a frame that is still to come.
    func leads(to other: ViewRequest) -> Bool {
      request.setting == other.setting && request.span == other.span && run.frame.map { $0 <= other.frame } ?? true
    }
  }
  /// Unchecked, because it is used on the queue only.
  private final class State: @unchecked Sendable {
    var job: Job?
    var jobCount = 0
    var replyNumber = 0
    /// What ended the last job, with the frame that could not be read.
    var blocked: (request: ViewRequest, frame: Int)?
  }

  private let source: ViewSource
  private let queue = DispatchQueue(label: "retake.exact", qos: .utility)
  private let state = State()
  private let pauseCount = Atomic(0)

  init(_ source: ViewSource) { self.source = source }

  /// While the view works, this waits.
  func pause() { pauseCount.add(1, ordering: .relaxed) }
  func goOn() { pauseCount.subtract(1, ordering: .relaxed) }

  /// Ends the page's work for another setting or span.
  func keep(only request: ViewRequest) {
    queue.async { [state] in
      guard let job = state.job, job.request.page == request.page,
        job.request.setting != request.setting || job.request.span != request.span
      else { return }
      job.reply?(.success(.progress(done: 0, total: 0)))
      state.job = nil
    }
  }

  func show(_ request: ViewRequest, reply: @escaping Reply) {
    queue.async { [self] in
      do throws(RetakeError) {
        try begin(request, reply)
      } catch {
        state.job = nil
        reply(.failure(error))
      }
    }
  }

  private func begin(_ request: ViewRequest, _ reply: @escaping Reply) throws(RetakeError) {
    let serves = state.job?.leads(to: request) ?? false
    if !serves, let job = state.job, job.request.page != request.page,
      MonotonicTime.now().nanoseconds - job.askedAt.nanoseconds < Self.waitNanoseconds
    {
      // Pages take turns: each would end the other's work for ever.
      let total = request.frame - request.span.frames.lowerBound + 1
      return queue.asyncAfter(deadline: .now() + Self.patience) { reply(.success(.progress(done: 0, total: total))) }
    }
    state.job?.reply?(.success(progress))
    if let (known, frame) = state.blocked, known.setting == request.setting, known.span == request.span,
      frame < request.frame
    {
      state.job = nil
      return reply(.success(.blocked(byFrame: frame)))
    }
    if serves {
      state.job?.request = request
      state.job?.askedAt = .now()
    } else {
      state.jobCount += 1
      state.job = Job(run: try source.run(request), request: request, number: state.jobCount)
    }
    state.job?.reply = reply
    state.replyNumber += 1
    let number = state.replyNumber
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
      guard state.replyNumber == number, let reply = state.job?.reply else { return }
      state.job?.reply = nil
      reply(.success(progress))
    }
    guard let job = state.job, !job.isRunning else { return }
    state.job?.isRunning = true
    step(job.number)
  }

  private var progress: Progress {
    guard let job = state.job else { return .progress(done: 0, total: 0) }
    let first = job.request.span.frames.lowerBound
    return .progress(
      done: (job.run.frame ?? first - 1) - first + 1, total: job.request.frame - first + 1)
  }

  private func step(_ number: Int) {
    guard let job = state.job, job.number == number else { return }
    guard pauseCount.load(ordering: .relaxed) == 0 else {
      return queue.asyncAfter(deadline: .now() + Self.pauseStep) { [self] in step(number) }
    }
    do throws(RetakeError) {
      let hasMore = try job.run.frame == job.request.frame ? false : job.run.step()
      let isThere = job.run.frame == job.request.frame
      if let unread = job.run.unread,
        unread.frame < job.request.frame || isThere && job.run.picture()?.exact != .all
      {
        (state.job, state.blocked) = (nil, (job.request, unread.frame))
        job.reply?(.success(.blocked(byFrame: unread.frame)))
        return
      }
      if let frame = job.run.frame, job.request.frame - frame < Self.keptCount, let picture = job.run.picture(),
        picture.exact == .all
      {
        var request = job.request
        request.frame = frame
        source.cache.add(picture, request.key)
      }
      guard !hasMore || job.run.frame == job.request.frame else {
        return queue.async { [self] in step(number) }
      }
      state.job?.isRunning = false
      // Without an asker it stays, for the next question.
      guard let reply = job.reply else { return }
      state.job = nil
      reply(.success(.reached(job.run)))
    } catch {
      state.job = nil
      job.reply?(.failure(error))
    }
  }
}
