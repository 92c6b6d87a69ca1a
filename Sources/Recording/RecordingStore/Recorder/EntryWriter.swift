import ChunkFormat
import Foundation
import FrameModel

/// Writes entries in order on its own thread, through the mark window if there is one. This thread
/// may wait for the disk while frames are admitted and encoded.
final class EntryWriter: @unchecked Sendable {
  // Unchecked: what threads share is guarded by `condition`; the window and the parts are the
  // thread's alone.
  private enum Item {
    case open(RecordingParts)
    case begin(RecordingIdentity)
    case entry(RecordEntry)
    case flush
    case none
  }

  /// Nil before `open`; the window then holds everything.
  private var parts: RecordingParts?
  private var identity: RecordingIdentity?
  private var window: MarkWindow?
  /// Called with each frame's payload once it is written, buffered or discarded.
  private let onWritten: ([UInt8]) -> Void

  private let condition = NSCondition()
  private var waiting: [Item] = []
  private var waitingByteCount = 0
  private var isEnding = false
  private var hasEnded = false
  private var snapshot: RecorderStatus

  /// - Parameters:
  ///   - parts: nil to open them later. There must be a window then, and no mark before.
  ///   - streamCount: of the recording.
  init(_ parts: RecordingParts?, window: MarkWindow?, streamCount: Int, onWritten: @escaping ([UInt8]) -> Void) {
    precondition(parts != nil || window != nil)
    self.parts = parts
    self.window = window
    self.onWritten = onWritten
    snapshot = parts?.status ?? RecorderStatus(streamCount: streamCount)
    let thread = Thread { [self] in run() }
    thread.name = "retake.disk"
    thread.start()
  }

  // MARK: The writer's side

  var status: RecorderStatus { condition.withLock { snapshot } }

  /// What the next mark keeps goes to these.
  func open(_ parts: RecordingParts) { push(.open(parts), byteCount: 0, byteLimit: .max) }

  func begin(_ identity: RecordingIdentity) { push(.begin(identity), byteCount: 0, byteLimit: .max) }

  /// - Parameter byteLimit: blocks while at least this many bytes of memory are queued.
  func write(_ entry: RecordEntry, byteLimit: Int) {
    push(.entry(entry), byteCount: entry.memoryByteCount, byteLimit: byteLimit)
  }

  func flush() { push(.flush, byteCount: 0, byteLimit: .max) }

  private func push(_ item: Item, byteCount: Int, byteLimit: Int) {
    condition.withLock {
      while waitingByteCount >= byteLimit { condition.wait() }
      waiting.append(item)
      waitingByteCount += byteCount
      condition.broadcast()
    }
  }

  /// Writes everything that is queued, and closes the files. Call once.
  func close() {
    condition.withLock {
      isEnding = true
      condition.broadcast()
      while !hasEnded { condition.wait() }
    }
  }

  // MARK: The disk's side

  private func run() {
    var batch: [Item] = []
    while true {
      let isLast = condition.withLock {
        while waiting.isEmpty && !isEnding { condition.wait() }
        swap(&batch, &waiting)
        return batch.isEmpty
      }
      if isLast { break }
      for index in batch.indices {
        let item = batch[index]
        // Drops this reference to the payload, so that its memory can be reused without a copy.
        batch[index] = .none
        handOn(item)
      }
      batch.removeAll(keepingCapacity: true)
    }
    window?.finish { parts?.write($0) }
    parts?.close()
    condition.withLock {
      snapshot = parts?.status ?? snapshot
      hasEnded = true
      condition.broadcast()
    }
  }

  private func handOn(_ item: consuming Item) {
    var byteCount = 0
    switch consume item {
    case .open(let parts):
      self.parts = parts
      if let identity { parts.begin(identity) }
    case .begin(let identity):
      self.identity = identity
      parts?.begin(identity)
    case .flush: parts?.flush()
    case .none: return
    case .entry(let entry):
      byteCount = entry.memoryByteCount
      if window == nil { parts?.write(entry) } else { window!.pass(entry) { parts?.write($0) } }
      if case .frame(_, let payload, _) = entry { onWritten(payload) }
    }
    let status = parts?.status
    condition.withLock {
      snapshot = status ?? snapshot
      waitingByteCount -= byteCount
      condition.broadcast()
    }
  }
}
