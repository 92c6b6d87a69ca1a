import Foundation
import Synchronization
import Testing

/// Marks suites whose tests take long or wait: for other programs, for frames, for time to pass.
///
/// Swift Testing runs as many tests at once as there are processors, so a test that waits would leave one idle.
/// Marked tests run on their own threads instead. The duration of each is appended to the file that
/// `RETAKE_TEST_TIMES` names. The times that Swift Testing prints are not usable, since they include the time that
/// a test waited for a processor.
package struct LongTestTrait: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(LongTestThreads.shared) {
      let start = ContinuousClock.now
      defer { Self.note(start.duration(to: .now), test) }
      try await body()
    }
  }

  private static func note(_ duration: Duration, _ test: Test) {
    guard let path = ProcessInfo.processInfo.environment["RETAKE_TEST_TIMES"] else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    guard file >= 0 else { return }
    let line = "\(duration / .seconds(1)) \(test.displayName ?? test.name)\n"
    _ = line.withCString { write(file, $0, strlen($0)) }
    close(file)
  }
}

extension Trait where Self == LongTestTrait {
  package static var long: Self { Self() }
}

/// Threads that run what is enqueued, as long as the process lives.
///
/// Newest first: a test that waited goes on before another begins. Otherwise a process that has ended would be a zombie
/// until all tests have begun, and while there is one, a thread of Swift Testing asks without a pause who has ended.
private final class LongTestThreads: TaskExecutor {
  static let shared = LongTestThreads(count: max(4, 2 * ProcessInfo.processInfo.activeProcessorCount))

  private let jobs = Mutex<[UnownedJob]>([])
  private let isWaiting = DispatchSemaphore(value: 0)

  private init(count: Int) {
    for _ in 0..<count {
      Thread { [self] in
        while true {
          isWaiting.wait()
          let job = jobs.withLock { $0.removeLast() }
          job.runSynchronously(on: asUnownedTaskExecutor())
        }
      }.start()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    isWaiting.signal()
  }
}
