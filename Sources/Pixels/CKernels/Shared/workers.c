#define _GNU_SOURCE
#include "workers.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A part of the work is claimed by counting up `next` or down `end`, by whoever comes first: the caller does what no worker
// has begun, so that work which is over before a worker wakes up costs no waiting. Threads with an even slot take parts from
// the beginning, the others from the end: what a stage has left in a processor's cache the next one finds there.

/// A Swift closure: what it captured comes in the register of Swift's calling convention.
typedef __attribute__((swiftcall)) void (*PartFunction)(
    intptr_t part, intptr_t slot, __attribute__((swift_context)) const void *context);

enum { CacheLine = 64, LargestPartCount = 0xFFFF };

struct RTKWorkers {
  /// Generation << 32 | end << 16 | next: one word, so that nobody can claim a part of other work than he means.
  _Alignas(CacheLine) _Atomic uint64_t claims;
  /// Counts pieces of work; what idle workers wait for.
  _Alignas(CacheLine) _Atomic uint32_t generation;
  _Atomic uint32_t sleeperCount;
  /// Parts that are not done; what the caller waits for.
  _Alignas(CacheLine) _Atomic uint32_t unfinishedCount;
  _Atomic uint32_t callerSleeps;
  _Alignas(CacheLine) _Atomic bool isBusy;
  _Atomic bool isStopping;
  /// Written before `claims` says that there is work, read after a part is claimed.
  PartFunction function;
  const void *context;
  /// For how long to look before going to sleep.
  int64_t patienceNanoseconds;
  /// Workers that have begun: gives each its slot. The caller's is 0.
  _Atomic int32_t slotCount;
  int32_t threadCount;
  pthread_t threads[];
};

static inline void pauseBriefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// To wake a thread up takes up to 100 µs on a virtual machine, longer than many a piece of work.
static const int64_t Patience = 300 * 1000;
static const int64_t LongestYieldNanoseconds = 20 * 1000;
static const int LooksBetweenClocks = 32;

static int64_t nanosecondsNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// Looks for a while whether the word becomes another. Where somebody else has something to do on this processor it is his.
static void lookWhile(_Atomic uint32_t *word, uint32_t value, int64_t patienceNanoseconds) {
  if (patienceNanoseconds == 0) return;
  int64_t end = 0;
  for (;;) {
    for (int i = 0; i < LooksBetweenClocks; i++) {
      if (atomic_load(word) != value) return;
      pauseBriefly();
    }
    const int64_t before = nanosecondsNow();
    if (end == 0) end = before + patienceNanoseconds;
    sched_yield();
    const int64_t now = nanosecondsNow();
    // Whoever had it in between wants it again.
    if (now > end || now - before > LongestYieldNanoseconds) return;
  }
}

/// Returns at once where the word is another already.
static void sleepWhile(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/// Does parts until none of this generation is left to claim.
static void doParts(RTKWorkers *workers, uint32_t generation, intptr_t slot) {
  const bool fromFront = slot % 2 == 0;
  uint64_t claims = atomic_load(&workers->claims);
  for (;;) {
    const uint32_t end = claims >> 16 & LargestPartCount, next = claims & LargestPartCount;
    if (claims >> 32 != generation || next >= end) return;
    const uint64_t rest = fromFront ? claims + 1 : claims - (1 << 16);
    if (!atomic_compare_exchange_weak(&workers->claims, &claims, rest)) continue;
    workers->function(fromFront ? next : end - 1, slot, workers->context);
    const bool isLast = atomic_fetch_sub(&workers->unfinishedCount, 1) == 1;
    if (isLast && atomic_load(&workers->callerSleeps)) wake(&workers->unfinishedCount, 1);
    claims = atomic_load(&workers->claims);
  }
}

static void *workerMain(void *argument) {
  RTKWorkers *workers = argument;
  const intptr_t slot = atomic_fetch_add(&workers->slotCount, 1) + 1;
  uint32_t seen = 0;
  for (;;) {
    // The stages of a frame follow each other closely: a worker looks for a while before it sleeps.
    lookWhile(&workers->generation, seen, workers->patienceNanoseconds);
    uint32_t generation;
    while ((generation = atomic_load(&workers->generation)) == seen) {
      atomic_fetch_add(&workers->sleeperCount, 1);
      sleepWhile(&workers->generation, seen);
      atomic_fetch_sub(&workers->sleeperCount, 1);
    }
    if (atomic_load(&workers->isStopping)) return NULL;
    seen = generation;
    doParts(workers, generation, slot);
  }
}

RTKWorkers *rtk_workers_start(int32_t count) {
  const size_t bytes = sizeof(RTKWorkers) + (size_t)count * sizeof(pthread_t);
  RTKWorkers *workers = aligned_alloc(CacheLine, (bytes + CacheLine - 1) / CacheLine * CacheLine);
  if (!workers) return NULL;
  *workers = (RTKWorkers){.threadCount = 0};
  // Looking on while there is no processor to spare only takes time from who has the work.
  workers->patienceNanoseconds = sysconf(_SC_NPROCESSORS_ONLN) > count ? Patience : 0;
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; workers->threadCount < count; workers->threadCount++) {
    pthread_t *thread = &workers->threads[workers->threadCount];
    if (pthread_create(thread, NULL, workerMain, workers) != 0) break;
    pthread_setname_np(*thread, "retake-band");
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return workers;
}

void rtk_workers_stop(RTKWorkers *workers) {
  atomic_store(&workers->isStopping, true);
  atomic_fetch_add(&workers->generation, 1);
  wake(&workers->generation, INT_MAX);
  for (int32_t i = 0; i < workers->threadCount; i++) pthread_join(workers->threads[i], NULL);
  free(workers);
}

/// Calls `function` for 0 ..< parts, each once, and returns when all calls have. Calls at the same time have slots of their own,
/// 0 to the number of workers. Within a call, or from a second thread at the same time, all parts are done by the caller.
void rtk_workers_run(RTKWorkers *workers, intptr_t parts, PartFunction function, const void *context);

void rtk_workers_run(RTKWorkers *workers, intptr_t parts, PartFunction function, const void *context) {
  if (parts > LargestPartCount || atomic_exchange(&workers->isBusy, true)) {
    for (intptr_t part = 0; part < parts; part++) function(part, 0, context);
    return;
  }
  workers->function = function;
  workers->context = context;
  atomic_store(&workers->unfinishedCount, (uint32_t)parts);
  const uint32_t generation = atomic_load(&workers->generation) + 1;
  atomic_store(&workers->claims, (uint64_t)generation << 32 | (uint64_t)parts << 16);
  atomic_store(&workers->generation, generation);
  if (atomic_load(&workers->sleeperCount)) wake(&workers->generation, (int)parts - 1);
  doParts(workers, generation, 0);
  uint32_t left;
  while ((left = atomic_load(&workers->unfinishedCount))) {
    lookWhile(&workers->unfinishedCount, left, workers->patienceNanoseconds);
    if (atomic_load(&workers->unfinishedCount) != left) continue;
    // Who does the last part looks at this after counting down; and sleeping returns at once where the count has changed.
    atomic_store(&workers->callerSleeps, 1);
    sleepWhile(&workers->unfinishedCount, left);
  }
  atomic_store(&workers->callerSleeps, 0);
  atomic_store(&workers->isBusy, false);
}
