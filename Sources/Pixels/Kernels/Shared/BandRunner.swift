import CKernels

/// Runs a body over bands of an image's rows on a fixed set of threads.
///
/// A row's result must not depend on its band, so the thread count does not change the output.
/// Threads start once and live as long as any copy of the runner; running allocates nothing. A
/// nested run, or a run while another thread uses the runner, executes on the calling thread alone.
package struct BandRunner: Sendable {
  package let threadCount: Int
  private let workers: Workers?

  /// - Parameter threadCount: at least 1, including the caller's thread.
  package init(threadCount: Int) {
    precondition(threadCount >= 1)
    self.threadCount = threadCount
    workers = threadCount > 1 ? Workers(count: threadCount - 1) : nil
  }

  /// Calls `body` for parts of `0..<rowCount` on all threads and waits for them. Parts are smaller
  /// than a thread's share, so that threads that finish early take more of them.
  package func run(rowCount: Int, _ body: (Range<Int>) -> Void) {
    run(rowCount: rowCount, partsPerThread: Self.finePartsPerThread) { rows, _ in body(rows) }
  }

  /// - Parameters:
  ///   - partsPerThread: above 1 to balance rows of unequal cost; each part has some overhead.
  ///   - body: gets its rows and a thread number below `threadCount`, unique within this run.
  ///     Nested runs and runs from other threads always get 0.
  package func run(rowCount: Int, partsPerThread: Int = 1, _ body: (Range<Int>, Int) -> Void) {
    let threads = min(threadCount, rowCount)
    guard threads > 1 else { return body(0..<rowCount, 0) }
    let parts = max(threads, min(threads * partsPerThread, rowCount / Self.leastRowCount))
    func part(_ part: Int, _ thread: Int) {
      body((rowCount * part / parts)..<(rowCount * (part + 1) / parts), thread)
    }
    guard let address = workers?.address else { return body(0..<rowCount, 0) }
    runParts(address, parts, part)
  }

  /// Two threads spent 10% of a pipeline's time waiting for each other with 4, and 4% with 8.
  package static let finePartsPerThread = 8
  /// For fewer rows, claiming a part costs about as much as processing it.
  private static let leastRowCount = 16

  private final class Workers: @unchecked Sendable {
    // Unchecked because of the pointer: the C side synchronises access from many threads.
    /// Nil if allocation failed; the caller then does all the work.
    let address: OpaquePointer?

    init(count: Int) { address = rtk_workers_start(Int32(clamping: count)) }

    deinit { if let address { rtk_workers_stop(address) } }
  }
}

/// In workers.c. Declared by its symbol so that the closure need not escape and stays on the stack.
/// `withoutActuallyEscaping`, and so Dispatch, would allocate for each call.
@_silgen_name("rtk_workers_run")
private func runParts(_ workers: OpaquePointer, _ parts: Int, _ body: (Int, Int) -> Void)
