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

// Workers and the caller claim parts by incrementing `next` or decrementing `end`. A job that ends
// before a worker wakes costs no waiting, because the caller does the unclaimed parts. Even slots
// take parts from the front, odd slots from the back: the next stage of a frame then finds its data
// in the same core's cache.

/// A Swift closure: its captures are passed in the register of Swift's calling convention.
typedef __attribute__((swiftcall)) void (*PartFunction)(
    intptr_t part, intptr_t slot, __attribute__((swift_context)) const void *context);

enum { CacheLine = 64, LargestPartCount = 0xFFFF };

struct RTKWorkers {
  /// Generation << 32 | end << 16 | next, in one word, so that no thread claims a later job's part.
  _Alignas(CacheLine) _Atomic uint64_t claims;
  /// Number of jobs so far; idle workers wait for it to change.
  _Alignas(CacheLine) _Atomic uint32_t generation;
  _Atomic uint32_t sleeperCount;
  /// Parts not yet done; the caller waits for it to reach 0.
  _Alignas(CacheLine) _Atomic uint32_t unfinishedCount;
  _Atomic uint32_t callerSleeps;
  _Alignas(CacheLine) _Atomic bool isBusy;
  _Atomic bool isStopping;
  /// Written before `claims` publishes the job, read after claiming a part.
  PartFunction function;
  const void *context;
  /// How long to spin before sleeping; 0 = don't spin.
  int64_t patienceNanoseconds;
  /// Workers that have started. Their slots are 1, 2, ...; the caller's is 0.
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

/// Spinning limit. Waking a thread takes up to 100 µs on a virtual machine, longer than many jobs.
static const int64_t Patience = 300 * 1000;
static const int64_t LongestYieldNanoseconds = 20 * 1000;
static const int LooksBetweenClocks = 32;

static int64_t nanosecondsNow(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/// Spins until the word changes or the time is up. Stops early if other threads need the processor.
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
    // A long yield means that another thread had the processor.
    if (now > end || now - before > LongestYieldNanoseconds) return;
  }
}

static void sleepWhile(_Atomic uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word, int count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

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
    // The next stage of a frame usually follows soon, so spin before sleeping.
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
  // With no spare processor, spinning would only take time from the threads that work.
  workers->patienceNanoseconds = sysconf(_SC_NPROCESSORS_ONLN) > count ? Patience : 0;
  // Signals must go to the program's own threads.
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

/// Calls `function` once for each of 0 ..< parts and returns when all calls have returned.
/// Concurrent calls get different slots, 0 to the number of workers. The caller does all parts with
/// slot 0 if a job is already running, or if there are more than LargestPartCount parts.
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
    // The thread that does the last part checks this flag after decrementing the count. The futex
    // returns immediately if the count has already changed.
    atomic_store(&workers->callerSleeps, 1);
    sleepWhile(&workers->unfinishedCount, left);
  }
  atomic_store(&workers->callerSleeps, 0);
  atomic_store(&workers->isBusy, false);
}
