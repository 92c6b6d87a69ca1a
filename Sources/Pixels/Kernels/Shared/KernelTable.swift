/// An immutable lookup table at a stable address, for kernels in C.
package final class KernelTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked because of the pointer: nothing writes after the initialiser.
  package let elements: UnsafeBufferPointer<Element>

  init(_ elements: [Element]) {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = memory.initialize(from: elements)
    self.elements = UnsafeBufferPointer(memory)
  }

  deinit { elements.deallocate() }

  var address: UnsafePointer<Element>? { elements.baseAddress }
}

/// A kernel's working memory, one piece per thread number below `threadCount`. Concurrent calls of
/// a kernel must use different thread numbers.
package final class KernelScratch: @unchecked Sendable {
  // Unchecked because of the pointer: each thread uses only its own piece.
  private let memory: UnsafeMutableRawPointer
  private let pieceByteCount: Int

  init(byteCount: Int, threadCount: Int) {
    pieceByteCount = (byteCount + 63) & ~63
    memory = .allocate(byteCount: max(64, pieceByteCount * threadCount), alignment: 64)
  }

  deinit { memory.deallocate() }

  func piece(_ thread: Int) -> UnsafeMutableRawPointer { memory + thread * pieceByteCount }
}
