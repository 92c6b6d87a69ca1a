#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_bool isCounting;
static _Atomic int64_t count;

void rtk_allocations_begin(void) {
  atomic_store(&count, 0);
  atomic_store(&isCounting, true);
}

int64_t rtk_allocations_end(void) {
  atomic_store(&isCounting, false);
  return atomic_load(&count);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define RTK_HAS_SANITIZER 1
#endif
#endif

#if defined(RTK_HAS_SANITIZER) || !defined(__GLIBC__)

bool rtk_allocations_can_be_counted(void) { return false; }

#else

bool rtk_allocations_can_be_counted(void) { return true; }

// What glibc's own functions are called besides.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void countOne(void) {
  if (atomic_load_explicit(&isCounting, memory_order_relaxed)) atomic_fetch_add(&count, 1);
}

void *malloc(size_t size) {
  countOne();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  countOne();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  countOne();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  countOne();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  countOne();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  countOne();
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

#endif
