import Kernels
import Synchronization
import Testing

@Suite struct BandRunnerTests {
  @Test("every row is done exactly once, by any number of threads", arguments: 1...9)
  func coverage(threadCount: Int) {
    for rowCount in [0, 1, 2, 5, 7, 97, 480] {
      let visits = Mutex([Int](repeating: 0, count: rowCount))
      BandRunner(threadCount: threadCount).run(rowCount: rowCount) { rows in
        visits.withLock { for row in rows { $0[row] += 1 } }
      }
      #expect(visits.withLock { $0 } == [Int](repeating: 1, count: rowCount))
    }
  }

  @Test("there are never more bands than threads, nor than rows")
  func bandCount() {
    for (threads, rows, most) in [(1, 100, 1), (2, 100, 2), (5, 100, 5), (5, 3, 3)] {
      let bands = Mutex(0)
      BandRunner(threadCount: threads).run(rowCount: rows) { _ in bands.withLock { $0 += 1 } }
      #expect(bands.withLock { $0 } == most)
    }
  }
}
