import Glibc
import Synchronization

/// The bytes of one frame, 64-byte aligned. They return to their pool with the last reference.
///
/// A producer fills a buffer before sharing it. From then on it is read-only.
package final class FrameBuffer: @unchecked Sendable {
  // Unchecked because of the raw pointer: one thread writes it, and it is read-only once shared.
  package static let alignment = 64

  private let memory: FrameMemory
  private let home: FrameBufferPool?

  fileprivate init(memory: FrameMemory, home: FrameBufferPool?) {
    self.memory = memory
    self.home = home
  }

  /// A zeroed buffer without a pool.
  package convenience init(byteCount: Int) {
    self.init(memory: FrameMemory(byteCount: byteCount), home: nil)
  }

  deinit {
    if let home { home.takeBack(memory) } else { memory.bytes.deallocate() }
  }

  package var byteCount: Int { memory.bytes.count }
  /// Valid while the caller holds the buffer: Swift may release local variables after their last
  /// use.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory.bytes) }

  /// For filling the buffer before it is shared.
  package var mutableBytes: UnsafeMutableRawBufferPointer { memory.bytes }
}

private struct FrameMemory: @unchecked Sendable {
  // Unchecked because of the raw pointer: it has one owner at a time, the pool or a buffer.
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: FrameBuffer.alignment)
    // Faster than `initializeMemory`, which sets one byte at a time.
    if let start = bytes.baseAddress { memset(start, 0, byteCount) }
  }
}

/// Reusable frame buffers of one size.
package final class FrameBufferPool: Sendable {
  private struct State {
    var idle: [FrameMemory] = []
    var lent = 0
  }

  package let bufferByteCount: Int
  /// Most buffers that may be in use at once. They are allocated when first needed.
  package let limit: Int
  private let state = Mutex(State())

  package init(bufferByteCount: Int, limit: Int) {
    precondition(bufferByteCount > 0 && limit > 0)
    self.bufferByteCount = bufferByteCount
    self.limit = limit
  }

  deinit {
    state.withLock { for memory in $0.idle { memory.bytes.deallocate() } }
  }

  /// A buffer to fill, or nil if all are in use; the producer then drops its frame and counts it.
  package func take() -> FrameBuffer? {
    let memory: FrameMemory? = state.withLock { state in
      guard state.lent < limit else { return nil }
      state.lent += 1
      return state.idle.popLast() ?? FrameMemory(byteCount: bufferByteCount)
    }
    return memory.map { FrameBuffer(memory: $0, home: self) }
  }

  package var lentCount: Int { state.withLock { $0.lent } }

  fileprivate func takeBack(_ memory: FrameMemory) {
    state.withLock {
      $0.lent -= 1
      $0.idle.append(memory)
    }
  }
}
