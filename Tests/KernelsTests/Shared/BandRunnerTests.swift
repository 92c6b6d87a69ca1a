import Kernels
import Synchronization
import Testing

@Suite struct BandRunnerTests {
  @Test(arguments: 1...9)
  func `every row is done exactly once, by any number of threads`(threadCount: Int) {
    for rowCount in [0, 1, 2, 5, 7, 97, 480] {
      let visits = Mutex([Int](repeating: 0, count: rowCount))
      BandRunner(threadCount: threadCount).run(rowCount: rowCount) { rows in
        visits.withLock { for row in rows { $0[row] += 1 } }
      }
      #expect(visits.withLock { $0 } == [Int](repeating: 1, count: rowCount))
    }
  }

  @Test
  func `there are never more bands than are asked for, nor than rows, nor smaller ones than are worth it`() {
    for (threads, rows, partsPerThread, count) in [
      (1, 100, 4, 1), (2, 100, 1, 2), (5, 100, 1, 5), (5, 3, 1, 3), (5, 3, 4, 3), (2, 100, 4, 6), (2, 1000, 4, 8),
    ] {
      let bands = Mutex(0)
      BandRunner(threadCount: threads).run(rowCount: rows, partsPerThread: partsPerThread) { _, thread in
        #expect((0..<threads).contains(thread))
        bands.withLock { $0 += 1 }
      }
      #expect(bands.withLock { $0 } == count)
    }
  }

  @Test
  func `many short runs after one another do every row once each`() {
    let runner = BandRunner(threadCount: 4)
    let visits = UnsafeMutableBufferPointer<Int>.allocate(capacity: 37)
    defer { visits.deallocate() }
    visits.initialize(repeating: 0)
    for _ in 0..<20_000 { runner.run(rowCount: 37) { rows in for row in rows { visits[row] += 1 } } }
    #expect(visits.allSatisfy { $0 == 20_000 })
  }

  @Test
  func `bodies that run at the same time have thread numbers of their own`() {
    let runner = BandRunner(threadCount: 5)
    let inUse = Mutex(Set<Int>())
    let collisions = Mutex(0)
    for _ in 0..<500 {
      runner.run(rowCount: 11) { _, thread in
        let isNew = inUse.withLock { $0.insert(thread).inserted }
        if !isNew || !(0..<5).contains(thread) { collisions.withLock { $0 += 1 } }
        inUse.withLock { _ = $0.remove(thread) }
      }
    }
    #expect(collisions.withLock { $0 } == 0)
  }

  @Test
  func `running within a body, and from several threads at once, does every row once too`() async {
    let runner = BandRunner(threadCount: 3)
    let sum = Mutex(0)
    runner.run(rowCount: 6) { rows in
      for _ in rows { runner.run(rowCount: 10) { inner in sum.withLock { $0 += inner.count } } }
    }
    #expect(sum.withLock { $0 } == 60)
    let total = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let count = Mutex(0)
          for _ in 0..<200 { runner.run(rowCount: 9) { rows in count.withLock { $0 += rows.count } } }
          return count.withLock { $0 }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(total == 4 * 200 * 9)
  }
}
