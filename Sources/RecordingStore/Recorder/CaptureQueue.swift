import Foundation
import FrameModel

/// What devices hand to the recorder's writer, bounded.
///
/// A live device is never made to wait: when there is no room its frame is dropped, counted, and the count travels with
/// the next frame of that stream. Any other device waits for room.
final class CaptureQueue: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  enum Item: Sendable {
    /// `droppedBefore`: frames of this stream that the queue had no room for since its last one.
    /// `fill`: for a live device, how full the queue was when the frame was taken out of it, 0 to 1; nil for a device that
    /// waits.
    case frame(CapturedFrame, stream: Int, droppedBefore: Int, fill: Double?)
    case loss(CaptureLoss, stream: Int)
    /// At a moment on the host's clock; nil: at what is being recorded.
    case mark(String, MonotonicTime?)
    /// Nothing came for a while.
    case idle
  }

  private let limit: Int
  private let condition = NSCondition()
  private var items: [Item?] = []
  private var head = 0
  private var isClosed = false
  private var dropped: [Int]
  /// Of each stream, whether a frame was dropped that said that its device had been opened again: the next one says so.
  private var owesRestart: [Bool]
  /// Whether anything came since the last `pushIdle`.
  private var hasNews = false

  /// - Parameter limit: frames held at most.
  init(limit: Int, streamCount: Int) {
    self.limit = limit
    dropped = Array(repeating: 0, count: streamCount)
    owesRestart = Array(repeating: false, count: streamCount)
    items.reserveCapacity(limit * 2)
  }

  private var depthLocked: Int { items.count - head }

  var depth: Int { condition.withLock { depthLocked } }

  /// - Returns: whether the frame was taken.
  @discardableResult
  func push(_ frame: CapturedFrame, stream: Int, waits: Bool) -> Bool {
    condition.withLock {
      while waits && depthLocked >= limit && !isClosed { condition.wait() }
      guard depthLocked < limit, !isClosed else {
        dropped[stream] += 1
        if frame.flags.contains(.restarted) { owesRestart[stream] = true }
        return false
      }
      hasNews = true
      var frame = frame
      if owesRestart[stream] { frame.flags.insert(.restarted) }
      owesRestart[stream] = false
      items.append(.frame(frame, stream: stream, droppedBefore: dropped[stream], fill: waits ? nil : 0))
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
      var item = items[head]
      if case .frame(let frame, let stream, let droppedBefore, .some) = item {
        item = .frame(
          frame, stream: stream, droppedBefore: droppedBefore, fill: Double(depthLocked) / Double(limit))
      }
      items[head] = nil  // lets go of the frame's buffer
      head += 1
      if head >= limit {
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
