// Sums over windows of 7 by 7 pixels with repeated edges: first column sums for a whole row, then
// sums along the row where a result is needed.
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

/// The columns whose sums are needed: those that mixed blocks of some rows read.
typedef struct {
  int32_t from;
  int32_t to;
} Columns;

RTK_BODY Columns mixed_columns(const uint8_t *windows, int32_t width, int32_t first, int32_t count) {
  int32_t blockCount = rtk_block_count(width), from = blockCount, to = 0;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    for (int32_t b = 0; b < from; b++) {
      if (row[b] == RTKWindowMixed) from = b;
    }
    for (int32_t b = blockCount - 1; b >= to; b--) {
      if (row[b] == RTKWindowMixed) to = b + 1;
    }
  }
  // A block more on each side, for its windows.
  return (Columns){rtk_clamped((from - 1) * RTKBlockWidth, width), rtk_clamped((to + 1) * RTKBlockWidth, width)};
}

/// Adds a row of values to the column sums. `add_products` does the same with products.
RTK_BODY void add_values(const int16_t *restrict a, uint32_t *restrict sums, Columns columns) {
  for (int32_t x = columns.from; x < columns.to; x++) sums[x] += (uint32_t)a[x];
}

RTK_BODY void add_products(
    const int16_t *restrict a, const int16_t *restrict b, uint32_t *restrict sums, Columns columns) {
  for (int32_t x = columns.from; x < columns.to; x++) sums[x] += (uint32_t)(a[x] * b[x]);
}

/// Replaces an old row of values by a new one.
RTK_BODY void move_values(
    const int16_t *restrict a, const int16_t *restrict oldA, uint32_t *restrict sums, Columns columns) {
  for (int32_t x = columns.from; x < columns.to; x++) sums[x] += (uint32_t)(a[x] - oldA[x]);
}

RTK_BODY void move_products(
    const int16_t *restrict a, const int16_t *restrict b, const int16_t *restrict oldA, const int16_t *restrict oldB,
    uint32_t *restrict sums, Columns columns) {
  for (int32_t x = columns.from; x < columns.to; x++) {
    sums[x] += (uint32_t)(a[x] * b[x]) - (uint32_t)(oldA[x] * oldB[x]);
  }
}

/// No row's column sums are held. Not -1, since row 0 would take that for the row before it.
enum { NO_ROW = -2 };

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
