import Foundation
import FrameModel

/// What devices hand to the recorder's writer, bounded.
///
/// A live device is never made to wait: when too much waits, frames are dropped as `DropPolicy` says and counted, and the
/// count travels with the next frame of that stream. Any other device waits for room.
final class CaptureQueue: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  enum Item: Sendable {
    /// `droppedBefore`: frames of this stream that the queue had no room for since its last one.
    case frame(CapturedFrame, stream: Int, droppedBefore: Int, isLive: Bool)
    case loss(CaptureLoss, stream: Int)
    /// At a moment on the host's clock; nil: at what is being recorded.
    case mark(String, MonotonicTime?)
    /// Nothing came for a while.
    case idle
  }

  /// Frames that a device that waits may have in the queue.
  private static let waitingDeviceLimit = 128

  private let limit: Int?
  private let backlog: Backlog?
  private var policy: DropPolicy
  private let condition = NSCondition()
  private var items: [Item?] = []
  private var head = 0
  private var isClosed = false
  private var dropped: [Int]
  /// Of each stream, whether a frame was dropped that said that its device had been opened again: the next one says so.
  private var owesRestart: [Bool]
  /// Whether anything came since the last `pushIdle`.
  private var hasNews = false

  /// - Parameters:
  ///   - limit: frames held at most, and one more of each stream whose moment was begun; nil: as many as `backlog` allows.
  ///   - backlog: what waits here and behind.
  init(limit: Int?, streams: [StreamDescription], backlog: Backlog? = nil) {
    self.limit = limit
    self.backlog = backlog
    policy = DropPolicy(streams: streams)
    dropped = Array(repeating: 0, count: streams.count)
    owesRestart = Array(repeating: false, count: streams.count)
    items.reserveCapacity(1024)
  }

  /// The share of what live devices may have waiting.
  private var loadLocked: Double {
    max(backlog?.load() ?? 0, limit.map { Double(depthLocked) / Double($0) } ?? 0)
  }

  private var depthLocked: Int { items.count - head }

  var depth: Int { condition.withLock { depthLocked } }

  /// - Returns: whether the frame was taken.
  @discardableResult
  func push(_ frame: CapturedFrame, stream: Int, waits: Bool) -> Bool {
    condition.withLock {
      while waits && depthLocked >= limit ?? Self.waitingDeviceLimit && !isClosed { condition.wait() }
      guard !isClosed, waits || policy.takes(stream: stream, arrival: frame.arrival, load: loadLocked) else {
        dropped[stream] += 1
        if frame.flags.contains(.restarted) { owesRestart[stream] = true }
        return false
      }
      hasNews = true
      var frame = frame
      if owesRestart[stream] { frame.flags.insert(.restarted) }
      owesRestart[stream] = false
      backlog?.enter(byteCount: frame.byteCount)
      items.append(.frame(frame, stream: stream, droppedBefore: dropped[stream], isLive: !waits))
      dropped[stream] = 0
      condition.broadcast()
      return true
    }
  }

  /// Losses are small and rare; they always find room.
  func push(_ loss: CaptureLoss, stream: Int) { pushSmall(.loss(loss, stream: stream)) }

  /// So are marks.
  /// - Returns: whether it was taken: not after the end.
  func push(mark label: String, at time: MonotonicTime?) -> Bool { pushSmall(.mark(label, time)) }

  /// Called now and then: says that nothing came since the last time.
  func pushIdle() {
    let isIdle = condition.withLock {
      defer { hasNews = false }
      return !hasNews && depthLocked == 0
    }
    if isIdle { pushSmall(.idle) }
  }

  @discardableResult
  private func pushSmall(_ item: Item) -> Bool {
    condition.withLock {
      guard !isClosed else { return false }
      items.append(item)
      condition.broadcast()
      return true
    }
  }

  /// Waits for the next item; nil when the queue is closed and empty.
  func pop() -> Item? {
    condition.withLock {
      while depthLocked == 0 && !isClosed { condition.wait() }
      guard depthLocked > 0 else { return nil }
      let item = items[head]
      items[head] = nil  // lets go of the frame's buffer
      head += 1
      if head == items.count || head >= 512 {
        items.removeFirst(head)
        head = 0
      }
      condition.broadcast()
      return item
    }
  }

  /// Takes no more; what is in it can still be popped. Frees every producer that waits.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Frames of each stream that were dropped after the last one that was taken.
  var droppedAtEnd: [Int] { condition.withLock { dropped } }
}
