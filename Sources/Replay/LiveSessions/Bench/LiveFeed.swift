import Foundation
import FrameModel
import Support
import Synchronization

/// The newest frame set of running cameras, for pages that ask when they have time for one.
///
/// It reads every set at once, so that none is counted as left out, and keeps the newest. Requests wait for a set that they
/// have not seen. Nothing queues: a slow page sees fewer sets.
package final class LiveFeed: Sendable {
  package typealias Reply = @Sendable (FrameSet?) -> Void

  /// Recent depth frames that are kept, so that a slow page misses none that is due.
  private static let depthCount = 32
  /// Buffers that are held here and by views.
  package static let heldCount = depthCount + givenCount + heldSetCount + 8
  /// Sets that requests were answered with lately, so that several views of a page show the same one.
  private static let givenCount = 8
  /// Sets that pages hold.
  private static let heldSetCount = 6
  /// A set this much older than the newest is not given again.
  private static let greatestLag = 3
  private static let patienceNanoseconds: Int64 = 1_000_000_000
  private static let waitMilliseconds = 50

  private struct State {
    var newest: FrameSet?
    var depths: [(set: Int, frame: Frame)] = []
    var given: [(after: Int, set: FrameSet)] = []
    var held: [FrameSet] = []
    var waiting: [(after: Int, deadline: Int64, reply: Reply)] = []
    var isEnded = false
  }

  private let sets: LiveFrameSets
  private let isBusy: @Sendable () -> Bool
  private let state = Mutex(State())

  /// - Parameter isBusy: whether views have to wait, because a recorder needs the processor.
  package init(_ sets: LiveFrameSets, isBusy: @escaping @Sendable () -> Bool) {
    (self.sets, self.isBusy) = (sets, isBusy)
  }

  /// Starts the thread that reads sets. It ends with them.
  package func start() {
    let thread = Thread { [self] in
      while serve() {}
      for wait in state.withLock({ state in
        state.isEnded = true
        defer { state.waiting = [] }
        return state.waiting
      }) { wait.reply(nil) }
    }
    thread.name = "retake.feed"
    thread.start()
  }

  package var newestIndex: Int? { state.withLock { $0.newest?.index } }

  /// Replies with the newest set once it is later than set `after`; with nil if none comes within a second.
  package func next(after: Int, reply: @escaping Reply) {
    let busy = isBusy()
    let found: (set: FrameSet?, isAnswer: Bool) = state.withLock { state in
      guard let newest = state.newest, !state.isEnded else { return (nil, state.isEnded) }
      // A page that has seen more than there is belongs to an earlier run.
      if let set = Self.take(&state, after: after > newest.index ? -1 : after), !busy { return (set, true) }
      return (nil, false)
    }
    if found.isAnswer { return reply(found.set) }
    let deadline = MonotonicTime.now().nanoseconds + Self.patienceNanoseconds
    let isEnded = state.withLock { state in
      if !state.isEnded { state.waiting.append((after, deadline, reply)) }
      return state.isEnded
    }
    if isEnded { reply(nil) }
  }

  /// A set that was given lately, with the depth that was in force. It is kept, so that all views of a page that holds it
  /// show the same one.
  package func hold(_ index: Int, isDue: (Int) -> Bool) -> FrameSet? {
    state.withLock { state in
      if let known = state.held.last(where: { $0.index == index }) { return known }
      guard
        var set = state.newest?.index == index ? state.newest : state.given.first(where: { $0.set.index == index })?.set
      else { return nil }
      set.depth = Self.depth(state.depths, after: nil, upTo: index, isDue: isDue)
      state.held.append(set)
      if state.held.count > Self.heldSetCount { state.held.removeFirst() }
      return set
    }
  }

  /// The depth that a view gets with set `index`, having seen those up to `last`: the latest that was due since.
  /// - Parameter last: nil for a view that has seen none; it gets the latest depth.
  package func depth(after last: Int?, upTo index: Int, isDue: (Int) -> Bool) -> Frame? {
    state.withLock { Self.depth($0.depths, after: last, upTo: index, isDue: isDue) }
  }

  private static func depth(
    _ depths: [(set: Int, frame: Frame)], after last: Int?, upTo index: Int, isDue: (Int) -> Bool
  ) -> Frame? {
    let before = depths.filter { $0.set <= index }
    guard let last else { return before.last { isDue($0.set) }?.frame ?? before.last?.frame }
    return before.last { $0.set > last && isDue($0.set) }?.frame
  }

  private func serve() -> Bool {
    switch sets.next(milliseconds: Self.waitMilliseconds) {
    case .ended: return false
    case .nothing: break
    case .set(let set):
      state.withLock { state in
        state.newest = set
        guard let depth = set.depth else { return }
        state.depths.append((set.index, depth))
        if state.depths.count > Self.depthCount { state.depths.removeFirst() }
      }
    }
    let (busy, now) = (isBusy(), MonotonicTime.now().nanoseconds)
    let answers: [(reply: Reply, set: FrameSet?)] = state.withLock { state in
      var answers: [(reply: Reply, set: FrameSet?)] = []
      state.waiting.removeAll { wait in
        let set = busy ? nil : Self.take(&state.newest, &state.given, after: wait.after)
        guard set != nil || now >= wait.deadline else { return false }
        answers.append((wait.reply, set))
        return true
      }
      return answers
    }
    for answer in answers { answer.reply(answer.set) }
    return true
  }

  private static func take(_ state: inout State, after: Int) -> FrameSet? {
    take(&state.newest, &state.given, after: after)
  }

  private static func take(
    _ newest: inout FrameSet?, _ given: inout [(after: Int, set: FrameSet)], after: Int
  ) -> FrameSet? {
    guard let newest, newest.index > after else { return nil }
    if let known = given.last(where: { $0.after == after })?.set, newest.index - known.index <= greatestLag {
      return known
    }
    given.append((after, newest))
    if given.count > givenCount { given.removeFirst() }
    return newest
  }
}
