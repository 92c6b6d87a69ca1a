// The covariance of colours in each window, inverted, for the guided filter's linear model.
#include "windows.h"

enum { MOMENTS = 9 };

size_t rtk_color_window_scratch(int32_t width) {
  return rtk_padded(MOMENTS * sums_length(width) * sizeof(int32_t)) + 2 * rtk_padded(sums_length(width));
}

/// - old: row to take away, or NO_ROW.
RTK_BODY void add_row(
    const RTKColors *colors, int32_t y, int32_t old, Columns columns, uint32_t *const sums[MOMENTS]) {
  size_t stride = rtk_stride(colors->width), row = stride * (size_t)rtk_clamped(y, colors->height - 1);
  size_t before = stride * (size_t)rtk_clamped(old, colors->height - 1);
  const int16_t *of[3] = {colors->red, colors->green, colors->blue};
  for (int32_t i = 0, k = 3; i < 3; i++) {
    if (old == NO_ROW) {
      add_values(of[i] + row, sums[i], columns);
    } else {
      move_values(of[i] + row, of[i] + before, sums[i], columns);
    }
    for (int32_t j = i; j < 3; j++, k++) {
      if (old == NO_ROW) {
        add_products(of[i] + row, of[j] + row, sums[k], columns);
      } else {
        move_products(of[i] + row, of[j] + row, of[i] + before, of[j] + before, sums[k], columns);
      }
    }
  }
}

/// sums: R, G, B, then the products RR, RG, RB, GG, GB, BB, over a window.
/// - out: the first of RTKWindowValues rows of a block.
RTK_BODY void window_of(const uint32_t sums[MOMENTS], uint64_t epsilon, int32_t *out) {
  for (int32_t i = 0; i < 3; i++) out[RTKBlockWidth * i] = (int32_t)sums[i];
  int64_t spread[6];
  for (int32_t i = 0, k = 0; i < 3; i++) {
    for (int32_t j = i; j < 3; j++, k++) {
      spread[k] = (int64_t)AREA * sums[3 + k] - (int64_t)sums[i] * sums[j];
    }
  }
  spread[0] += (int64_t)epsilon;
  spread[3] += (int64_t)epsilon;
  spread[5] += (int64_t)epsilon;
  int32_t shift = normalize(spread);
  Adjugate a = adjugate_of(spread);
  // Divides by the determinant's upper 31 bits only.
  uint64_t determinant = a.determinant > 0 ? (uint64_t)a.determinant : 1;
  int32_t excess = 33 - __builtin_clzll(determinant);
  uint64_t upper = excess > 0 ? determinant >> excess : determinant << -excess;
  int64_t reciprocal = (int64_t)(((uint64_t)1 << 61) / upper);
  int32_t down = 11 + shift + excess;
  for (int32_t k = 0; k < 6; k++) out[RTKBlockWidth * (3 + k)] = (int32_t)(((__int128)a.of[k] * reciprocal) >> down);
}

RTK_BODY void color_windows(
    const RTKColors *colors, const uint8_t *belt, const uint8_t *windows, uint64_t epsilon, int32_t *out,
    int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  size_t length = sums_length(width), stride = rtk_stride(width);
  uint32_t *sums[MOMENTS];
  for (int32_t k = 0; k < MOMENTS; k++) sums[k] = (uint32_t *)scratch + length * (size_t)k + EDGE;
  uint8_t *line = (uint8_t *)scratch + rtk_padded(MOMENTS * length * sizeof(int32_t));
  uint8_t *needed = line + rtk_padded(length);
  Columns columns = mixed_columns(windows, width, first, count);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    if (held == y - 1) {
      add_row(colors, y + REACH, y > REACH ? y - REACH - 1 : 0, columns, sums);
    } else {
      memset(scratch, 0, MOMENTS * length * sizeof(int32_t));
      for (int32_t k = -REACH; k <= REACH; k++) add_row(colors, y + k, NO_ROW, columns, sums);
    }
    held = y;
    for (int32_t k = 0; k < MOMENTS; k++) REPEAT_EDGES(sums[k], width);
    find_needed(belt, width, colors->height, y, line, needed);
    for (int32_t b = 0; b < blockCount; b++) {
      if (row[b] != RTKWindowMixed) continue;
      int32_t x = b * RTKBlockWidth, left = width - x < RTKBlockWidth ? width - x : RTKBlockWidth;
      if (!has_needed(needed, x, width)) continue;
      uint32_t along[MOMENTS][RTKBlockWidth];
      for (int32_t k = 0; k < MOMENTS; k++) sum_block(sums[k], x, along[k]);
      for (int32_t i = 0; i < left; i++) {
        if (!needed[x + i]) continue;
        uint32_t window[MOMENTS];
        for (int32_t k = 0; k < MOMENTS; k++) window[k] = along[k][i];
        window_of(window, epsilon, out + RTKWindowValues * (stride * (size_t)y + (size_t)x) + i);
      }
    }
  }
}

RTK_DEFINE(
    color_windows,
    (const RTKColors *colors, const uint8_t *belt, const uint8_t *windows, uint64_t epsilon, int32_t *out,
     int32_t first, int32_t count, void *scratch),
    (colors, belt, windows, epsilon, out, first, count, scratch))
