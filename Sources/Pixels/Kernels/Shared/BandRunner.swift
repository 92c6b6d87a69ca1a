import CKernels

/// Splits an image's rows among threads. A kernel's rows do not depend on how they were split, so the number of threads
/// changes no bit.
///
/// The threads are started once and stay as long as a copy of the runner does; running allocates nothing. From within a
/// body, or from two threads at once, bodies run one after the other.
package struct BandRunner: Sendable {
  package let threadCount: Int
  private let workers: Workers?

  /// - Parameter threadCount: 1 or more; the caller's thread is one of them.
  package init(threadCount: Int) {
    precondition(threadCount >= 1)
    self.threadCount = threadCount
    workers = threadCount > 1 ? Workers(count: threadCount - 1) : nil
  }

  /// Calls `body` for parts of 0 ..< rowCount, at once on as many threads, and waits for all.
  ///
  /// The parts are smaller than the threads' shares: where a picture's rows take longer than others, whoever is done takes one
  /// more.
  package func run(rowCount: Int, _ body: (Range<Int>) -> Void) {
    run(rowCount: rowCount, partsPerThread: Self.finePartsPerThread) { rows, _ in body(rows) }
  }

  /// - Parameters:
  ///   - partsPerThread: more than 1 where more parts cost less than threads that wait for each other.
  ///   - body: gets its rows, and a number below `threadCount` that no other call at the same time has.
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

  /// With 4, two threads waited for each other a tenth of a pipeline's time; with 8, a twenty-fifth.
  package static let finePartsPerThread = 8
  /// A part of fewer rows takes little longer than to claim it.
  private static let leastRowCount = 16

  /// Owns the threads.
  private final class Workers: @unchecked Sendable {
    // Unchecked because of the pointer: what it points to is made for many threads.
    /// Nil where there was no memory: the caller does everything.
    let address: OpaquePointer?

    init(count: Int) { address = rtk_workers_start(Int32(clamping: count)) }

    deinit { if let address { rtk_workers_stop(address) } }
  }
}

/// In workers.c. Declared by its symbol because only so can it be handed a closure that does not escape, which lies on the
/// caller's stack: `withoutActuallyEscaping`, and so Dispatch, would put it into memory allocated for each call.
@_silgen_name("rtk_workers_run")
private func runParts(_ workers: OpaquePointer, _ parts: Int, _ body: (Int, Int) -> Void)
