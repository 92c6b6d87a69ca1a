import Foundation

/// Splits rows among threads that wait between frames. A kernel's rows do not depend on how they were split, so the
/// number of threads changes no bit.
package final class BandRunner: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`.
  private let condition = NSCondition()
  private var job: Job?
  private var generation = 0
  private var unfinished = 0
  private var isEnding = false
  package let threadCount: Int

  /// Valid only while `run` waits, which is what lets the closure escape to the threads.
  private struct Job: @unchecked Sendable {
    let rowCount: Int
    let body: (Range<Int>) -> Void
  }

  /// - Parameter threadCount: 1 or more; the calling thread is one of them.
  package init(threadCount: Int) {
    precondition(threadCount >= 1)
    self.threadCount = threadCount
    for position in 1..<max(threadCount, 1) {
      let thread = Thread { [self] in serve(position: position) }
      thread.name = "retake.band-\(position)"
      thread.start()
    }
  }

  /// Ends the threads. Call once, when no `run` is under way.
  package func end() {
    condition.withLock {
      isEnding = true
      condition.broadcast()
    }
  }

  /// Calls `body` for parts of 0 ..< rowCount, one on each thread, and waits for all.
  package func run(rowCount: Int, _ body: (Range<Int>) -> Void) {
    guard threadCount > 1, rowCount >= threadCount else { return body(0..<rowCount) }
    withoutActuallyEscaping(body) { body in
      condition.withLock {
        job = Job(rowCount: rowCount, body: body)
        generation += 1
        unfinished = threadCount - 1
        condition.broadcast()
      }
      body(band(0, of: rowCount))
      condition.withLock {
        while unfinished > 0 { condition.wait() }
        job = nil
      }
    }
  }

  private func band(_ position: Int, of rowCount: Int) -> Range<Int> {
    (rowCount * position / threadCount)..<(rowCount * (position + 1) / threadCount)
  }

  /// A worker's life, until `end`.
  private func serve(position: Int) {
    var seen = 0
    while true {
      let next: Job? = condition.withLock {
        while generation == seen && !isEnding { condition.wait() }
        seen = generation
        return isEnding ? nil : job
      }
      guard let next else { return }
      next.body(band(position, of: next.rowCount))
      condition.withLock {
        unfinished -= 1
        if unfinished == 0 { condition.broadcast() }
      }
    }
  }
}
