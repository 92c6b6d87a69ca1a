import Dispatch

/// Splits an image's rows among threads. A kernel's rows do not depend on how they were split, so the number of threads
/// changes no bit.
package struct BandRunner: Sendable {
  package let threadCount: Int

  /// - Parameter threadCount: 1 or more.
  package init(threadCount: Int) {
    precondition(threadCount >= 1)
    self.threadCount = threadCount
  }

  /// Calls `body` for parts of 0 ..< rowCount, at once on as many threads, and waits for all.
  package func run(rowCount: Int, _ body: (Range<Int>) -> Void) {
    run(rowCount: rowCount) { rows, _ in body(rows) }
  }

  /// - Parameter body: gets its rows, and a number below `threadCount` that no other call at the same time has.
  package func run(rowCount: Int, _ body: (Range<Int>, Int) -> Void) {
    let parts = min(threadCount, rowCount)
    guard parts > 1 else { return body(0..<rowCount, 0) }
    withoutActuallyEscaping(body) { body in
      // Dispatch asks for a closure that may be sent; it has returned from all calls before this one returns.
      let shared = SharedBody(body: body)
      DispatchQueue.concurrentPerform(iterations: parts) { part in
        shared.body((rowCount * part / parts)..<(rowCount * (part + 1) / parts), part)
      }
    }
  }

  private struct SharedBody: @unchecked Sendable {
    let body: (Range<Int>, Int) -> Void
  }
}
