import Foundation
import FrameModel
import Support

/// Does jobs on several threads and gives the results back in the order in which the jobs came.
///
/// What becomes of a job depends on the job alone, so neither results nor order depend on the number of threads. Memory is
/// bounded by the number of places. One thread hands jobs in and takes results out.
final class OrderedWorkers<Job, Output>: @unchecked Sendable {
  // Unchecked: everything mutable is guarded by `condition`, and a job that is being done belongs to its thread.
  private enum Place {
    case free
    case waiting(Job)
    case working
    case done(Output)
  }

  private let condition = NSCondition()
  private var places: [Place]
  /// Jobs taken in, begun and given back so far; a job's place is its count modulo the number of places.
  private var submitted = 0
  private var begun = 0
  private var returned = 0
  private var isEnding = false

  /// A thread's own way to do jobs, on its way to that thread.
  private struct SendableWorker: @unchecked Sendable {
    let work: (Job) -> Output
  }

  /// - Parameter makeWorker: called once for each thread, before it starts.
  init(
    threadCount: Int, placeCount: Int, name: String, makeWorker: () throws(RetakeError) -> (Job) -> Output
  ) throws(RetakeError) {
    precondition(threadCount >= 1 && placeCount >= 1)
    places = Array(repeating: .free, count: placeCount)
    var workers: [SendableWorker] = []
    for _ in 0..<threadCount { workers.append(SendableWorker(work: try makeWorker())) }
    for (number, worker) in workers.enumerated() {
      let thread = Thread { [self] in serve(worker.work) }
      thread.name = "retake.\(name)-\(number)"
      thread.start()
    }
  }

  /// Ends the threads. What was submitted and not begun is not done.
  func end() {
    condition.withLock {
      isEnding = true
      condition.broadcast()
    }
  }

  /// Jobs that can be submitted before a result is taken.
  var room: Int { condition.withLock { places.count - (submitted - returned) } }

  /// - Precondition: there is room.
  func submit(_ job: Job) {
    condition.withLock {
      precondition(submitted - returned < places.count)
      places[submitted % places.count] = .waiting(job)
      submitted += 1
      condition.broadcast()
    }
  }

  /// The oldest job's result.
  /// - Parameter waits: whether to wait for it.
  /// - Returns: nil when it is not done yet and `waits` is false, or there is none.
  func takeOldest(waits: Bool) -> Output? {
    condition.withLock {
      guard submitted > returned else { return nil }
      let place = returned % places.count
      while true {
        if case .done(let output) = places[place] {
          places[place] = .free
          returned += 1
          return output
        }
        guard waits else { return nil }
        condition.wait()
      }
    }
  }

  private func serve(_ work: (Job) -> Output) {
    while true {
      let next: (job: Job, place: Int)? = condition.withLock {
        while begun == submitted && !isEnding { condition.wait() }
        let place = begun % places.count
        guard !isEnding, case .waiting(let job) = places[place] else { return nil }
        places[place] = .working
        begun += 1
        return (job, place)
      }
      guard let next else { return }
      let output = work(next.job)
      condition.withLock {
        places[next.place] = .done(output)
        condition.broadcast()
      }
    }
  }
}
