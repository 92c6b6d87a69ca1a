import Glibc

/// CPU time of the calling thread, for cost reports only; no output depends on it.
enum ThreadTime {
  static func nanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// The clock of a tree's nodes. Each reading is a system call, so it is off where no costs are reported.
struct StageClock {
  let isOn: Bool

  /// 0 where it is off.
  func nanoseconds() -> Int { isOn ? ThreadTime.nanoseconds() : 0 }
}
