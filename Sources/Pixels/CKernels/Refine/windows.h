// Sums over windows of 7 by 7 pixels with repeated edges: along columns for a whole row, then along
// the row where a result is wanted.
#ifndef RETAKE_WINDOWS_H
#define RETAKE_WINDOWS_H

#include "refine.h"

enum { REACH = 3, WINDOW = 2 * REACH + 1, AREA = WINDOW * WINDOW };

/// Room on both sides of a row of column sums for repeated edges.
enum { EDGE = 16 };

RTK_BODY size_t sums_length(int32_t width) { return rtk_stride(width) + 2 * EDGE; }

/// Repeats the first and last column of a row of `width` sums.
#define REPEAT_EDGES(sums, width)                               \
  do {                                                          \
    for (int32_t i_ = 1; i_ <= REACH; i_++) {                   \
      (sums)[-i_] = (sums)[0];                                  \
      (sums)[(width) - 1 + i_] = (sums)[(width) - 1];           \
    }                                                           \
  } while (0)

/// Rows whose column sums are held; -2 for none.
enum { NO_ROW = -2 };

/// A run of mixed blocks of a row of windows, as columns; empty if there is no more.
RTK_BODY int32_t next_run(const uint8_t *windows, int32_t blockCount, int32_t *block, int32_t *from) {
  while (*block < blockCount && windows[*block] != RTKWindowMixed) ++*block;
  *from = *block * RTKBlockWidth;
  while (*block < blockCount && windows[*block] == RTKWindowMixed) ++*block;
  return *block * RTKBlockWidth;
}

RTK_BODY int32_t has_mixed(const uint8_t *windows, int32_t blockCount) {
  for (int32_t b = 0; b < blockCount; b++) {
    if (windows[b] == RTKWindowMixed) return 1;
  }
  return 0;
}

#endif
