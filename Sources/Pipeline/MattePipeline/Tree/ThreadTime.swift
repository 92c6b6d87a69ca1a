import Glibc

/// How long the calling thread has worked, for what a stage costs: nothing is computed by it.
enum ThreadTime {
  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
