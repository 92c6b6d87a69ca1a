/// Numbers that kernels in C look things up in: they stay at one place for as long as the table lives.
final class KernelTable<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked because of the pointer: nobody writes after the initialiser.
  let elements: UnsafeBufferPointer<Element>

  init(_ elements: [Element]) {
    let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = memory.initialize(from: elements)
    self.elements = UnsafeBufferPointer(memory)
  }

  deinit { elements.deallocate() }

  var address: UnsafePointer<Element>? { elements.baseAddress }
}

/// Working memory of a kernel, one piece for each thread.
final class KernelScratch: @unchecked Sendable {
  // Unchecked because of the pointer: a thread uses its own piece only.
  private let memory: UnsafeMutableRawPointer
  private let pieceByteCount: Int

  init(byteCount: Int, threadCount: Int) {
    pieceByteCount = (byteCount + 63) & ~63
    memory = .allocate(byteCount: max(64, pieceByteCount * threadCount), alignment: 64)
  }

  deinit { memory.deallocate() }

  func piece(_ thread: Int) -> UnsafeMutableRawPointer { memory + thread * pieceByteCount }
}
