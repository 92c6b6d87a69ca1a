import Glibc
import Synchronization

/// The bytes of one frame: aligned to 64, owned by a pool, and given back to it when the last holder lets go.
///
/// A producer takes one from its pool, fills it, and only then shares it; nobody writes after that.
package final class FrameBuffer: @unchecked Sendable {
  // Unchecked because of the raw pointer: written by one thread before it is shared, only read afterwards.
  package static let alignment = 64

  private let memory: FrameMemory
  private let home: FrameBufferPool?

  fileprivate init(memory: FrameMemory, home: FrameBufferPool?) {
    self.memory = memory
    self.home = home
  }

  /// A buffer of its own, for callers that need just one. Its contents are zero.
  package convenience init(byteCount: Int) {
    self.init(memory: FrameMemory(byteCount: byteCount), home: nil)
  }

  deinit {
    if let home { home.takeBack(memory) } else { memory.bytes.deallocate() }
  }

  package var byteCount: Int { memory.bytes.count }
  /// Valid while somebody holds the buffer: Swift may let go of a local variable after its last use.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory.bytes) }

  /// To fill the buffer, before it is shared.
  package var mutableBytes: UnsafeMutableRawBufferPointer { memory.bytes }
}

/// Aligned memory on its way between a pool and a buffer.
private struct FrameMemory: @unchecked Sendable {
  // Unchecked because of the raw pointer: it has one owner at a time, the pool or a buffer.
  let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: byteCount, alignment: FrameBuffer.alignment)
    // Not `initializeMemory`, which sets one byte after the other.
    if let start = bytes.baseAddress { memset(start, 0, byteCount) }
  }
}

/// Frame buffers of one size, allocated once and used again and again.
package final class FrameBufferPool: Sendable {
  private struct State {
    var idle: [FrameMemory] = []
    var lent = 0
  }

  package let bufferByteCount: Int
  /// How many buffers may be out at once.
  package let limit: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - bufferByteCount: size of each buffer.
  ///   - limit: at most so many are lent at once; they are allocated when first needed.
  package init(bufferByteCount: Int, limit: Int) {
    precondition(bufferByteCount > 0 && limit > 0)
    self.bufferByteCount = bufferByteCount
    self.limit = limit
  }

  deinit {
    state.withLock { for memory in $0.idle { memory.bytes.deallocate() } }
  }

  /// A buffer to fill, or nil when all are in use: the producer then drops its frame and counts it.
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
