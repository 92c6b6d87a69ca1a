// Counts what a test program allocates: linked into it, these functions take the place of the C library's.
#ifndef RETAKE_ALLOCATION_COUNTER_H
#define RETAKE_ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// False where a sanitizer has its own malloc, and nothing is counted.
bool rtk_allocations_can_be_counted(void);

/// Counts from 0 on what all threads of the process allocate.
void rtk_allocations_begin(void);

/// Ends counting. Returns how many blocks were allocated, or enlarged, since it began.
int64_t rtk_allocations_end(void);

#endif
