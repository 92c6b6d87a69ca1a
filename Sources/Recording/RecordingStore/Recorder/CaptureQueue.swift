import DequeModule
import Foundation
import FrameModel

/// The bounded queue between devices and the recorder's writer.
///
/// A push from a live device never blocks. When the queue is full, frames are dropped as
/// `DropPolicy` decides, and the count travels with the stream's next frame. Other devices block
/// until there is room.
package final class CaptureQueue: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  package enum Item: Sendable {
    /// `droppedBefore`: frames of this stream that were dropped since its last accepted frame.
    case frame(CapturedFrame, stream: Int, droppedBefore: Int, isLive: Bool)
    case loss(CaptureLoss, stream: Int)
    /// The time is on the host clock; nil: at the frame that is being recorded.
    case mark(String, MonotonicTime?)
    case idle
  }

  /// Queue length at which a push from a device that is not live blocks.
  private static let waitingDeviceLimit = 128

  private let limit: Int?
  private let backlog: Backlog?
  private var policy: DropPolicy
  private let condition = NSCondition()
  private var items: Deque<Item> = []
  private var isClosed = false
  private var dropped: [Int]
  /// By stream, whether a dropped frame carried `.restarted`; the next accepted frame gets the
  /// flag.
  private var owesRestart: [Bool]
  private var hasNews = false

  /// - Parameters:
  ///   - limit: maximum number of queued frames, plus those that complete a device's current moment
  ///     (see `DropPolicy`); nil: bounded by `backlog` only.
  ///   - backlog: accounts for frames in this queue and after it.
  package init(limit: Int?, streams: [StreamDescription], backlog: Backlog? = nil) {
    self.limit = limit
    self.backlog = backlog
    policy = DropPolicy(streams: streams)
    dropped = Array(repeating: 0, count: streams.count)
    owesRestart = Array(repeating: false, count: streams.count)
    items.reserveCapacity(1024)
  }

  /// The share in use of what live devices may queue; 1 is full.
  private var loadLocked: Double {
    max(backlog?.load() ?? 0, limit.map { Double(items.count) / Double($0) } ?? 0)
  }

  var load: Double { condition.withLock { loadLocked } }

  var depth: Int { condition.withLock { items.count } }

  @discardableResult
  package func push(_ frame: CapturedFrame, stream: Int, waits: Bool) -> Bool {
    condition.withLock {
      while waits && items.count >= limit ?? Self.waitingDeviceLimit && !isClosed { condition.wait() }
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

  /// Queues a loss. Losses are small and rare, so they are always accepted.
  package func push(_ loss: CaptureLoss, stream: Int) { pushSmall(.loss(loss, stream: stream)) }

  /// Queues a mark, regardless of the load.
  /// - Returns: false after the queue is closed.
  package func push(mark label: String, at time: MonotonicTime?) -> Bool { pushSmall(.mark(label, time)) }

  /// Queues `.idle` if the queue is empty and no frame came since the last call. Call periodically.
  func pushIdle() {
    let isIdle = condition.withLock {
      defer { hasNews = false }
      return !hasNews && items.isEmpty
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
  package func pop() -> Item? {
    condition.withLock {
      while items.isEmpty && !isClosed { condition.wait() }
      guard !items.isEmpty else { return nil }
      let item = items.removeFirst()
      condition.broadcast()
      return item
    }
  }

  /// Accepts no more items; queued items can still be popped. Unblocks every waiting producer.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  var droppedAtEnd: [Int] { condition.withLock { dropped } }
}
