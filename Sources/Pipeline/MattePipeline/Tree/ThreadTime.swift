import Glibc

/// CPU time of the calling thread, for cost reports only; no output depends on it.
enum ThreadTime {
  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
