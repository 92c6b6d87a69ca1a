import Dispatch
import FrameModel
import Parameters
import RecordingStore
import Replay
import Scores
import Support
import Sweeps
import Synchronization

/// The scores of a view's setting over its span, computed in the background and told as far as they are.
package final class ScoreWatch: Sendable {
  package struct Question: Hashable, Sendable {
    package var setting: ViewSetting
    package var span: ViewSpan
    package var scores: [ScoreKind]
    /// Of the painted truth, so that a changed one is compared with anew.
    var truthRevision = 0

    package init(setting: ViewSetting, span: ViewSpan, scores: [ScoreKind]) {
      (self.setting, self.span, self.scores) = (setting, span, scores)
    }
  }

  package struct Progress: Sendable {
    package var doneCount = 0
    package var totalCount = 0
    /// Those that the recording can have.
    package var scores: [ScoreKind] = []
    package var absences: [SweepIdentity.Absence] = []
    package var frames: [ScoredFrame] = []
    /// Of the whole span; nil before its end.
    package var summary: ScoreRow?
    package var failure: RetakeError?
  }

  private struct State {
    var question: Question?
    /// That asked it, and when it asked last.
    var (page, askedAt) = ("", MonotonicTime.now())
    /// Of the work for the question, so that work for an older one ends.
    var number = 0
    var progress = Progress()
  }

  /// Work that its page has not asked for in this time gives way to another page's.
  private static let waitNanoseconds = 2_000_000_000

  private let recording: Recording
  private let firstNumber: Int
  private let truth: PaintedTruth
  private let queue = DispatchQueue(label: "retake.scores", qos: .utility)
  private let state = Mutex(State())

  package init(_ recording: Recording, firstNumber: Int, truth: PaintedTruth) {
    (self.recording, self.firstNumber, self.truth) = (recording, firstNumber, truth)
  }

  /// How far the scores are. A new question begins them, and ends the work for the page's one before. Pages take turns.
  package func progress(_ question: Question, page: String = "") -> Progress {
    var question = question
    question.truthRevision = truth.revision
    let (progress, number) = state.withLock { state -> (Progress, Int?) in
      let now = MonotonicTime.now()
      guard state.question != question else {
        if state.page == page { state.askedAt = now }
        return (state.progress, nil)
      }
      let isWorking = state.question != nil && state.progress.summary == nil && state.progress.failure == nil
      if isWorking, state.page != page, now.nanoseconds - state.askedAt.nanoseconds < Self.waitNanoseconds {
        return (Progress(totalCount: question.span.frames.count), nil)
      }
      (state.page, state.askedAt) = (page, now)
      state.question = question
      state.number += 1
      state.progress = Progress(totalCount: question.span.frames.count)
      return (state.progress, state.number)
    }
    if let number { begin(question, number) }
    return progress
  }

  private func begin(_ question: Question, _ number: Int) {
    queue.async { [self] in
      do throws(RetakeError) {
        let frames = question.span.frames
        let order = PlayOrder(frames: frames.lowerBound - firstNumber..<frames.upperBound - firstNumber)
        let source = SweepSource(recording, path: recording.folder.path, order: order, truth: try truth.folder(frames))
        step(
          Work(
            scoring: try SettingScoring(source, setting: question.setting.parameters, scores: question.scores),
            number: number))
      } catch {
        fail(error, number)
      }
    }
  }

  /// Unchecked, because it is used on the queue only.
  private struct Work: @unchecked Sendable {
    let scoring: SettingScoring
    let number: Int
  }

  private func step(_ work: Work) {
    guard state.withLock({ $0.number == work.number }) else { return }
    do throws(RetakeError) {
      let goesOn = try work.scoring.step()
      let (frames, scores) = (work.scoring.frames, work.scoring.scores)
      let summary = goesOn ? nil : try work.scoring.summary()
      state.withLock { state in
        guard state.number == work.number else { return }
        state.progress.scores = scores
        state.progress.absences = work.scoring.absences
        state.progress.frames = frames
        state.progress.doneCount = goesOn ? frames.count : state.progress.totalCount
        state.progress.summary = summary
      }
      if goesOn { queue.async { [self] in step(work) } }
    } catch {
      fail(error, work.number)
    }
  }

  private func fail(_ error: RetakeError, _ number: Int) {
    state.withLock { if $0.number == number { $0.progress.failure = error } }
  }
}
