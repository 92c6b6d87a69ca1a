// Sums over windows of 7 by 7 pixels with repeated edges: first sums of columns, then along the row. Both only in
// blocks of which a result is needed.
#ifndef RETAKE_WINDOWS_H
#define RETAKE_WINDOWS_H

#include "refine.h"

enum { REACH = 3, WINDOW = 2 * REACH + 1, AREA = WINDOW * WINDOW };

/// Margin on both sides of a row of column sums, for repeated edges.
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

/// Adjacent blocks whose column sums a row needs, as columns. isHeld: those of the row above are there.
typedef struct {
  int32_t from;
  int32_t to;
  int32_t isHeld;
} Run;

/// Whether a mixed block's windows reach into a block.
RTK_BODY int32_t is_live(const uint8_t *windows, int32_t blockCount, int32_t b) {
  return windows[b] == RTKWindowMixed || (b > 0 && windows[b - 1] == RTKWindowMixed) ||
         (b + 1 < blockCount && windows[b + 1] == RTKWindowMixed);
}

/// Finds the next run from block `*b` on; its blocks are held from then on.
/// - held: for each block, the row whose sums it has.
/// - Returns: whether there is one.
RTK_BODY int32_t next_run(
    const uint8_t *windows, int32_t blockCount, int32_t y, int32_t *restrict held, int32_t *b, Run *run) {
  while (*b < blockCount && !is_live(windows, blockCount, *b)) *b += 1;
  if (*b == blockCount) return 0;
  run->from = *b * RTKBlockWidth;
  run->isHeld = held[*b] == y - 1;
  for (; *b < blockCount && is_live(windows, blockCount, *b) && (held[*b] == y - 1) == run->isHeld; *b += 1) {
    held[*b] = y;
  }
  run->to = *b * RTKBlockWidth;
  return 1;
}

RTK_BODY void clear_sums(uint32_t *sums, Run run) {
  memset(sums + run.from, 0, (size_t)(run.to - run.from) * sizeof(uint32_t));
}

/// Adds a row of values to the column sums. `add_products` does the same with products.
RTK_BODY void add_values(const int16_t *restrict a, uint32_t *restrict sums, Run run) {
  for (int32_t x = run.from; x < run.to; x += RTKBlockWidth) {
    for (int32_t i = x; i < x + RTKBlockWidth; i++) sums[i] += (uint32_t)a[i];
  }
}

RTK_BODY void add_products(
    const int16_t *restrict a, const int16_t *restrict b, uint32_t *restrict sums, Run run) {
  for (int32_t x = run.from; x < run.to; x += RTKBlockWidth) {
    for (int32_t i = x; i < x + RTKBlockWidth; i++) sums[i] += (uint32_t)(a[i] * b[i]);
  }
}

/// Replaces an old row of values by a new one.
RTK_BODY void move_values(const int16_t *restrict a, const int16_t *restrict oldA, uint32_t *restrict sums, Run run) {
  for (int32_t x = run.from; x < run.to; x += RTKBlockWidth) {
    for (int32_t i = x; i < x + RTKBlockWidth; i++) sums[i] += (uint32_t)(a[i] - oldA[i]);
  }
}

RTK_BODY void move_products(
    const int16_t *restrict a, const int16_t *restrict b, const int16_t *restrict oldA, const int16_t *restrict oldB,
    uint32_t *restrict sums, Run run) {
  for (int32_t x = run.from; x < run.to; x += RTKBlockWidth) {
    for (int32_t i = x; i < x + RTKBlockWidth; i++) {
      sums[i] += (uint32_t)(a[i] * b[i]) - (uint32_t)(oldA[i] * oldB[i]);
    }
  }
}

/// No row's column sums are held. Not -1, since row 0 would take that for the row before it.
enum { NO_ROW = -2 };

/// Memory for column sums: the rows that the blocks hold, then the sums.
RTK_BODY size_t window_memory(int32_t width, int32_t moments) {
  size_t sums = (size_t)moments * sums_length(width) * sizeof(uint32_t);
  return rtk_padded((size_t)rtk_block_count(width) * sizeof(int32_t)) + rtk_padded(sums);
}

/// - Returns: `held` of `next_run`, for no row.
RTK_BODY int32_t *lay_out_sums(void *memory, int32_t width, int32_t moments, uint32_t **sums) {
  int32_t *held = memory, blockCount = rtk_block_count(width);
  uint32_t *first = (uint32_t *)((uint8_t *)memory + rtk_padded((size_t)blockCount * sizeof(int32_t)));
  for (int32_t b = 0; b < blockCount; b++) held[b] = NO_ROW;
  for (int32_t k = 0; k < moments; k++) sums[k] = first + sums_length(width) * (size_t)k + EDGE;
  return held;
}

/// Sets `needed` to 1 for the pixels of a row whose windows an unsure pixel reads: those within REACH of one.
/// - line: scratch of width + 2 * REACH bytes.
RTK_BODY void find_needed(
    const uint8_t *belt, int32_t width, int32_t height, int32_t y, uint8_t *restrict line, uint8_t *restrict needed) {
  memset(line, 0, (size_t)width + 2 * REACH);
  for (int32_t k = -REACH; k <= REACH; k++) {
    const uint8_t *restrict row = belt + (size_t)rtk_clamped(y + k, height - 1) * (size_t)width;
    for (int32_t x = 0; x < width; x++) line[x + REACH] |= row[x] == RTKUnsure;
  }
  for (int32_t x = 0; x < width; x++) {
    uint8_t any = 0;
    for (int32_t k = 0; k < WINDOW; k++) any |= line[x + k];
    needed[x] = any;
  }
}

/// Whether any of sixteen pixels is needed.
RTK_BODY int32_t has_needed(const uint8_t *needed, int32_t x, int32_t width) {
  int32_t end = x + RTKBlockWidth < width ? x + RTKBlockWidth : width;
  uint8_t any = 0;
  for (int32_t i = x; i < end; i++) any |= needed[i];
  return any;
}

/// Sums of sixteen windows along a row of column sums. Signed sums may use it too, since two's complement
/// addition gives the same bits.
RTK_BODY void sum_block(const uint32_t *sums, int32_t x, uint32_t *restrict out) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    uint32_t sum = 0;
    for (int32_t k = -REACH; k <= REACH; k++) sum += sums[x + i + k];
    out[i] = sum;
  }
}

RTK_BODY int32_t has_mixed(const uint8_t *windows, int32_t blockCount) {
  for (int32_t b = 0; b < blockCount; b++) {
    if (windows[b] == RTKWindowMixed) return 1;
  }
  return 0;
}

#endif
