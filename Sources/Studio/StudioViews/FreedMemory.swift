import CMalloc

/// What glibc does with memory that is freed.
package enum FreedMemory {
  /// Gives blocks of a mebibyte and more back to the system as soon as they are freed, in the whole program.
  ///
  /// By itself glibc keeps such blocks after the first is freed, for others of that size. A page asks for runs and pictures
  /// of many sizes, for hours, and little of what was kept would fit.
  package static func goesBackAtOnce() { mallopt(M_MMAP_THRESHOLD, 1 << 20) }

  /// glibc keeps what a sweep's threads freed, a gigabyte and more, for as long as the program runs.
  static func giveBack() { malloc_trim(0) }
}
