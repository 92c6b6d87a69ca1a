import Foundation
import Support

/// Runs jobs on several threads and returns results in submission order. Neither depends on the
/// number of threads. The number of places bounds the memory use. One thread submits and takes.
final class OrderedWorkers<Job, Output>: @unchecked Sendable {
  // Unchecked: `condition` guards all mutable state; a running job belongs to its thread.
  private enum Place {
    case free
    case waiting(Job)
    case working
    case done(Output)
  }

  private let condition = NSCondition()
  private var places: [Place]
  /// Counts of jobs. A job's place is its count modulo `places.count`.
  private var submitted = 0
  private var begun = 0
  private var returned = 0
  private var isEnding = false

  // Unchecked: each closure is handed to one thread, its only user from then on.
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

  /// Ends the threads. Jobs that have not begun are discarded.
  func end() {
    condition.withLock {
      isEnding = true
      condition.broadcast()
    }
  }

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
  /// - Returns: nil without a job, or when it is not done and `waits` is false.
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
