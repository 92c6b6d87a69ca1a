import Dispatch
import Foundation
import FrameModel
import FrameSync
import RecordingStore
import Support

/// Builds frame sets from running cameras: admits, numbers and pairs frames as a recorder does.
///
/// Live devices deliver on their own threads and never block. A slow reader gets the newest sets;
/// older ones are dropped and counted. The depth of a dropped set moves to the next set. Devices
/// without a clock block until there is room instead, so the sets are exactly those of a recording
/// of the same frames.
package final class LiveFrameSets: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  package struct Options: Sendable {
    /// Whether a set gets its own depth; other sets get only that of a dropped set.
    package var isDepthDue: @Sendable (_ set: Int) -> Bool = { _ in true }
    /// Whether depth is used at all; if false, no set waits for it.
    package var usesDepth = true
    /// Maximum rate of sets by presentation time; sets beyond it are left out. Nil: no limit.
    package var largestRate: FrameRate?
    /// Frames at or after this presentation time are not accepted. Sets the duration for devices
    /// without a clock.
    package var endNanoseconds: Int64?
    package var limit = 2
    /// Sets that the reader holds, for example for look-ahead.
    package var heldCount = 0
    package init() {}
  }

  package struct Counts: Hashable, Sendable {
    package var frames: [Int]
    /// Frames that a camera captured and that never arrived, by stream.
    package var lost: [Int]
    package var sets = 0
    /// Sets dropped for newer ones or not read before `close`.
    package var droppedSets = 0
    /// Sets left out to keep to `largestRate`.
    package var thinnedSets = 0
    /// Sets without depth although depth was due.
    package var depthMissing = 0
    package var faceFailure: RetakeError?
  }

  private let streams: [StreamDescription]
  private let options: Options
  private let isLive: Bool
  private let condition = NSCondition()
  /// Signals a waiting reader. Not `condition`, whose timeouts follow the wall clock, which may be
  /// set back.
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
  private var endedStreams: Set<Int> = []
  private var own: Counts

  /// - Parameters:
  ///   - streams: of all devices, in order.
  ///   - isLive: whether the devices have clocks of their own.
  ///   - faces: the source of faces.
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

  /// Returns a sink for a device whose stream 0 is stream `firstStream` of `streams`.
  /// - Parameter onFinished: called on the device's thread when the device has no more frames.
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
    case ended
  }

  /// Returns the oldest queued set, after waiting for one up to the timeout.
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

  /// Completes the pending sets. Stop the devices first. Idempotent.
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

  /// Whether every stream except motion has reached `endNanoseconds`.
  package var isAtEnd: Bool {
    condition.withLock {
      options.endNanoseconds != nil
        && streams.indices.allSatisfy { streams[$0].kind == .motion || endedStreams.contains($0) }
    }
  }

  /// Drops the queued sets and unblocks waiting devices. Call when no more sets are read.
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

  /// Wakes a waiting reader. Call with `condition` locked.
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

  /// Whether a set is the first in its period of `largestRate`.
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
