import Dispatch
import Foundation
import FrameModel
import FrameSync
import RecordingStore
import Support

/// Frame sets of running cameras: admitted, numbered and paired as a recorder does it, without a file between.
///
/// Devices deliver on threads of their own and are never held up: who is slow finds the newest sets here, and what had to make
/// room is counted. The depth of a set that made room goes to the set after it, so that none is lost with it. Frames of a
/// device that has no clock wait for room in place of that, and then everything here is a function of them: the sets are those of
/// a recording of the same frames.
package final class LiveFrameSets: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  package struct Options: Sendable {
    /// On which sets depth is due; on others it is held back.
    package var isDepthDue: @Sendable (_ set: Int) -> Bool = { _ in true }
    /// Whether depth is wanted at all: without it nothing waits for it.
    package var usesDepth = true
    /// Sets beyond so many in a second are left out, by their presentation times. Nil: none is.
    package var largestRate: FrameRate?
    /// Frames from this presentation time on are not taken: for devices that have no clock, whose end it is.
    package var endNanoseconds: Int64?
    /// Sets that may wait.
    package var limit = 2
    /// Sets that who takes them holds on to, as look-ahead does.
    package var heldCount = 0
    package init() {}
  }

  /// What became of the sets, and of frames that are in none.
  package struct Counts: Hashable, Sendable {
    /// Frames that came of each stream.
    package var frames: [Int]
    /// Frames of each stream that a camera saw and that never came.
    package var lost: [Int]
    package var sets = 0
    /// Sets that had to make room for newer ones, or that nobody took before it was closed.
    package var droppedSets = 0
    /// Sets that were left out to keep to the largest rate.
    package var thinnedSets = 0
    /// Depth was due on so many sets that had none.
    package var depthMissing = 0
    /// Faces are no longer looked for, since their detector failed.
    package var faceFailure: RetakeError?
  }

  private let streams: [StreamDescription]
  private let options: Options
  private let isLive: Bool
  private let condition = NSCondition()
  /// Raised for who waits for a set. Not `condition`: its waits end by the wall clock, which may be set back.
  private let news = DispatchSemaphore(value: 0)
  private var isAwaited = false
  private var admission: FrameAdmission
  private var builder: LiveSetBuilder
  private let packer: FramePacker
  private var waiting: [FrameSet] = []
  private var isEnded = false
  private var isClosed = false
  private var lastSlot: Int?
  private var carriedDepth: Frame?
  /// Streams that came to `endNanoseconds`.
  private var endedStreams: Set<Int> = []
  private var own: Counts

  /// - Parameters:
  ///   - streams: of all devices, in order.
  ///   - isLive: whether the devices keep time of their own.
  ///   - faces: who looks for faces.
  package init(
    _ streams: [StreamDescription], isLive: Bool, faces: LiveFaces, options: Options = Options()
  ) {
    self.streams = streams
    self.isLive = isLive
    self.options = options
    admission = FrameAdmission(streams: streams)
    packer = FramePacker(streams, heldCount: options.heldCount)
    let depth = options.usesDepth ? streams.firstIndex { $0.kind == .depth } : nil
    builder = LiveSetBuilder(streams, depth: depth, isLive: isLive, faces: faces)
    own = Counts(frames: streams.map { _ in 0 }, lost: streams.map { _ in 0 })
    waiting.reserveCapacity(options.limit + 1)
  }

  /// The sink of one device, whose first stream is `firstStream` of all.
  /// - Parameter onFinished: called when the device has no more frames, on its thread.
  package func sink(
    firstStream: Int, onFinished: @escaping @Sendable (RetakeError?) -> Void
  ) -> any CaptureSink {
    LiveSink(sets: self, firstStream: firstStream, onFinished: onFinished)
  }

  package var counts: Counts {
    condition.withLock {
      var counts = own
      counts.faceFailure = builder.faceFailure
      return counts
    }
  }

  package enum Next {
    case set(FrameSet)
    case nothing
    /// No more will come.
    case ended
  }

  /// The set that waits longest; waits for one so long.
  package func next(milliseconds: Int) -> Next {
    let deadline = DispatchTime.now() + .milliseconds(milliseconds)
    while true {
      let next: Next = condition.withLock {
        guard !waiting.isEmpty else {
          isAwaited = !isEnded
          return isEnded ? .ended : .nothing
        }
        defer { condition.broadcast() }
        return .set(waiting.removeFirst())
      }
      if case .nothing = next, news.wait(timeout: deadline) == .success { continue }
      return next
    }
  }

  /// No more frames come: sets that waited for frames are complete. Stop the devices first.
  package func finish() {
    condition.withLock {
      guard !isEnded else { return }
      let sets = builder.finish()
      if !isClosed { for set in sets { take(set) } }
      for event in admission.finish() { note(event) }
      isEnded = true
      tell()
    }
  }

  /// Every stream that pictures come of is at its `endNanoseconds`.
  package var isAtEnd: Bool {
    condition.withLock {
      options.endNanoseconds != nil
        && streams.indices.allSatisfy { streams[$0].kind == .motion || endedStreams.contains($0) }
    }
  }

  /// Nobody takes sets any more: nothing waits for room from here on, and what waits is left out.
  package func close() {
    condition.withLock {
      isClosed = true
      own.droppedSets += waiting.count
      waiting = []
      condition.broadcast()
    }
  }

  // MARK: On the devices' threads

  fileprivate func deliver(_ frame: CapturedFrame, stream: Int) {
    condition.withLock {
      guard !isEnded, !isClosed else { return }
      guard
        let admitted = admission.admit(frame, stream: stream, droppedBefore: 0, end: options.endNanoseconds)
      else {
        endedStreams.insert(stream)
        return
      }
      own.frames[stream] += 1
      for event in admitted.events { note(event) }
      guard builder.uses(stream) else { return }
      let placed = packer.packed(frame, stream: stream, admitted)
      let sets = builder.add(placed, frame.faces)
      for set in sets { take(set) }
      guard !sets.isEmpty else { return }
      tell()
      while !isLive && waiting.count > options.limit && !isClosed { condition.wait() }
    }
  }

  fileprivate func report(_ loss: CaptureLoss, stream: Int) {
    condition.withLock { if !endedStreams.contains(stream) { note(admission.admit(loss, stream: stream)) } }
  }

  /// Under the lock.
  private func tell() {
    guard isAwaited else { return }
    isAwaited = false
    news.signal()
  }

  private func note(_ event: FrameEvent) { if event.isLoss { own.lost[event.stream] += event.count } }

  private func take(_ set: FrameSet) {
    own.sets += 1
    var set = set
    if !options.isDepthDue(set.index) {
      set.depth = nil
    } else if set.depth == nil, options.usesDepth {
      own.depthMissing += 1
    }
    set.depth = set.depth ?? carriedDepth
    carriedDepth = nil
    guard isWithinRate(set.color.timestamps.presentation) else {
      own.thinnedSets += 1
      carriedDepth = set.depth
      return
    }
    guard isLive, waiting.count >= options.limit else { return waiting.append(set) }
    let dropped = waiting.removeFirst()
    own.droppedSets += 1
    if waiting.isEmpty {
      set.depth = set.depth ?? dropped.depth
    } else {
      waiting[0].depth = waiting[0].depth ?? dropped.depth
    }
    waiting.append(set)
  }

  /// The first in each period of the largest rate.
  private func isWithinRate(_ time: PresentationTime) -> Bool {
    guard let rate = options.largestRate else { return true }
    let slot = rate.periods(in: time.nanoseconds)
    guard slot != lastSlot else { return false }
    lastSlot = slot
    return true
  }
}

private struct LiveSink: CaptureSink {
  let sets: LiveFrameSets
  let firstStream: Int
  let onFinished: @Sendable (RetakeError?) -> Void

  func deliver(_ frame: CapturedFrame) { sets.deliver(frame, stream: firstStream + frame.streamIndex) }
  func report(_ loss: CaptureLoss) { sets.report(loss, stream: firstStream + loss.streamIndex) }
  func finished(_ error: RetakeError?) { onFinished(error) }
}
