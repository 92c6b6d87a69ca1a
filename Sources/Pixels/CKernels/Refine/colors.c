// Reduces the video's colours to the mask's size.
#include "lanes.h"

size_t rtk_reduce_rgb_scratch(const RTKReduction *reduction) {
  size_t length = 3 * ((size_t)reduction->sourceWidth + (size_t)reduction->columnTaps);
  return rtk_padded(length * sizeof(int16_t)) + rtk_padded(length * sizeof(int32_t));
}

RTK_BODY void add_four_rows(
    const uint8_t *const rows[4], const int32_t weights[4], int32_t isFirst, int32_t *restrict sums,
    ptrdiff_t length) {
  const uint8_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
  int32_t v = weights[0], w = weights[1], s = weights[2], t = weights[3];
  for (ptrdiff_t i = 0; i < length; i++) {
    int32_t sum = isFirst ? RTKWeightOne / 32 : sums[i];
    sums[i] = sum + v * a[i] + w * b[i] + s * c[i] + t * d[i];
  }
}

/// One row of weighted sums along y, interleaved RGB, in 1 / 16 of an 8-bit step.
RTK_BODY void weigh_rgb_rows(
    const RTKReduction *reduction, const uint8_t *rgb, int32_t y, int32_t *restrict sums, int16_t *restrict line) {
  ptrdiff_t length = 3 * (ptrdiff_t)reduction->sourceWidth;
  int32_t taps = reduction->rowTaps;
  const int16_t *weights = reduction->rowWeights + (ptrdiff_t)y * taps;
  const uint8_t *rows = rgb + length * reduction->rows[y];
  for (int32_t k = 0; k < taps; k += 4) {
    const uint8_t *of[4];
    int32_t weight[4];
    for (int32_t i = 0; i < 4; i++) {
      weight[i] = k + i < taps ? weights[k + i] : 0;
      // A tap without weight reads a row that is in the cache already.
      of[i] = rows + (weight[i] != 0 ? length * (k + i) : 0);
    }
    add_four_rows(of, weight, k == 0, sums, length);
  }
  for (ptrdiff_t i = 0; i < length; i++) line[i] = (int16_t)(sums[i] >> 10);
}

RTK_BODY void weigh_rgb_columns(
    const RTKReduction *reduction, const int16_t *line, int16_t *restrict red, int16_t *restrict green,
    int16_t *restrict blue) {
  int32_t taps = reduction->columnTaps, count = rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t x = 0; x < count; x++) {
    const int16_t *sample = line + 3 * reduction->columns[x];
    const int16_t *weight = reduction->columnWeights + (ptrdiff_t)taps * x;
    int32_t r = RTKWeightOne / 2, g = r, b = r;
    for (int32_t k = 0; k < taps; k++) {
      r += sample[3 * k] * weight[k];
      g += sample[3 * k + 1] * weight[k];
      b += sample[3 * k + 2] * weight[k];
    }
    red[x] = (int16_t)(r >> 14);
    green[x] = (int16_t)(g >> 14);
    blue[x] = (int16_t)(b >> 14);
  }
}

RTK_BODY void reduce_rgb(
    const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green, int16_t *blue, int32_t first,
    int32_t count, void *scratch) {
  size_t length = 3 * ((size_t)reduction->sourceWidth + (size_t)reduction->columnTaps);
  int16_t *line = scratch;
  int32_t *sums = (int32_t *)((uint8_t *)scratch + rtk_padded(length * sizeof(int16_t)));
  // Taps of weight 0 may read beyond the line's end.
  memset(line + 3 * reduction->sourceWidth, 0, 3 * (size_t)reduction->columnTaps * sizeof(int16_t));
  size_t stride = (size_t)rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    weigh_rgb_rows(reduction, rgb, y, sums, line);
    size_t row = stride * (size_t)y;
    weigh_rgb_columns(reduction, line, red + row, green + row, blue + row);
  }
}

RTK_DEFINE(
    reduce_rgb,
    (const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green, int16_t *blue, int32_t first,
     int32_t count, void *scratch),
    (reduction, rgb, red, green, blue, first, count, scratch))
