// The guided filter in colour (He, Sun, Tang 2010): a linear model of the samples in each window, and
// the means of these models, applied to each pixel.
#include "coefficients.h"

enum { MOMENTS = 4 };

/// - old: row to take away, or NO_ROW.
RTK_BODY void add_row(
    const RTKColors *colors, const int16_t *samples, int32_t y, int32_t old, Run run,
    uint32_t *const sums[MOMENTS]) {
  size_t stride = rtk_stride(colors->width), row = stride * (size_t)rtk_clamped(y, colors->height - 1);
  const int16_t *of[3] = {colors->red, colors->green, colors->blue}, *in = samples + row;
  if (old == NO_ROW) {
    add_values(in, sums[0], run);
    for (int32_t c = 0; c < 3; c++) add_products(in, of[c] + row, sums[1 + c], run);
    return;
  }
  size_t before = stride * (size_t)rtk_clamped(old, colors->height - 1);
  const int16_t *gone = samples + before;
  move_values(in, gone, sums[0], run);
  for (int32_t c = 0; c < 3; c++) move_products(in, of[c] + row, gone, of[c] + before, sums[1 + c], run);
}

/// Updates the column sums of a run to the seven rows round `y`.
RTK_BODY void hold_rows(
    const RTKColors *colors, const int16_t *samples, int32_t y, Run run, uint32_t *const sums[MOMENTS]) {
  if (run.isHeld) return add_row(colors, samples, y + REACH, y > REACH ? y - REACH - 1 : 0, run, sums);
  for (int32_t k = 0; k < MOMENTS; k++) clear_sums(sums[k], run);
  for (int32_t k = -REACH; k <= REACH; k++) add_row(colors, samples, y + k, NO_ROW, run, sums);
}

/// The models of sixteen windows. Lanes that no unsure pixel reads hold arbitrary values, whose sums may wrap.
RTK_BODY void models_of(
    const uint32_t sums[MOMENTS][RTKBlockWidth], const int32_t *restrict window,
    int32_t out[RTKCoefficients][RTKBlockWidth]) {
  int32_t covariance[3][RTKBlockWidth];
  for (int32_t c = 0; c < 3; c++) {
    const int32_t *restrict colors = window + RTKBlockWidth * c;
    for (int32_t i = 0; i < RTKBlockWidth; i++) {
      covariance[c][i] = (int32_t)((AREA * (int64_t)sums[1 + c][i] - (int64_t)(int32_t)sums[0][i] * colors[i]) >> 8);
    }
  }
  static const int32_t of[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
  for (int32_t c = 0; c < 3; c++) {
    const int32_t *restrict inverse = window + RTKBlockWidth * 3, *restrict x = inverse + RTKBlockWidth * of[c][0];
    const int32_t *restrict y = inverse + RTKBlockWidth * of[c][1], *restrict z = inverse + RTKBlockWidth * of[c][2];
    for (int32_t i = 0; i < RTKBlockWidth; i++) {
      uint64_t sum = (uint64_t)((int64_t)x[i] * covariance[0][i]) + (uint64_t)((int64_t)y[i] * covariance[1][i]) +
                     (uint64_t)((int64_t)z[i] * covariance[2][i]);
      out[c][i] = (int32_t)((int64_t)sum >> 30);
    }
  }
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    uint64_t shown = 0;
    for (int32_t c = 0; c < 3; c++) shown += (uint64_t)((int64_t)out[c][i] * window[RTKBlockWidth * c + i]);
    int64_t constant = ((int64_t)(int32_t)sums[0][i] << 4) - ((int64_t)shown >> 8);
    out[3][i] = (int32_t)(((uint64_t)constant * 87652394 + ((uint64_t)1 << 31)) >> 32);
  }
}

RTK_BODY void color_coefficients(
    const RTKColors *colors, const int16_t *samples, const uint8_t *needed, const uint8_t *windows,
    const int32_t *models, int32_t *coefficients, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width);
  size_t stride = rtk_stride(width), plane = stride * (size_t)colors->height;
  uint32_t *sums[MOMENTS];
  int32_t *held = lay_out_sums(scratch, width, MOMENTS, sums);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    int32_t *out = coefficients + stride * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    Run run;
    for (int32_t b = 0; next_run(row, blockCount, y, held, &b, &run);) hold_rows(colors, samples, y, run, sums);
    for (int32_t k = 0; k < MOMENTS; k++) REPEAT_EDGES(sums[k], width);
    for (int32_t b = 0; b < blockCount; b++) {
      if (row[b] != RTKWindowMixed) continue;
      int32_t x = b * RTKBlockWidth;
      if (!has_needed(needed + (size_t)width * (size_t)y, x, width)) continue;
      uint32_t along[MOMENTS][RTKBlockWidth];
      for (int32_t k = 0; k < MOMENTS; k++) sum_block(sums[k], x, along[k]);
      int32_t model[RTKCoefficients][RTKBlockWidth];
      models_of(along, models + RTKWindowValues * (stride * (size_t)y + (size_t)x), model);
      for (size_t k = 0; k < RTKCoefficients; k++) memcpy(out + plane * k + x, model[k], sizeof model[k]);
    }
  }
}

/// Applies sixteen pixels' coefficients and stretches the result.
/// - factor: 2^42 / (RTKMatteOne - 2 * stretch), rounded up: dividing by multiplication is exact, since dividends have
///   28 bits and the divisor 14.
RTK_BODY void stretched_block(
    const int32_t along[RTKCoefficients][RTKBlockWidth], const RTKColors *colors, size_t place, int32_t stretch,
    uint64_t factor, int16_t *restrict out) {
  const int16_t *red = colors->red + place, *green = colors->green + place, *blue = colors->blue + place;
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    uint64_t shown = (uint64_t)((int64_t)along[0][i] * red[i]) + (uint64_t)((int64_t)along[1][i] * green[i]) +
                     (uint64_t)((int64_t)along[2][i] * blue[i]);
    uint64_t sum = (uint64_t)((((int64_t)shown >> 8) + along[3][i]) >> 4);
    int32_t value = (int32_t)((sum * 87652394 + ((uint64_t)1 << 31)) >> 32) - stretch;
    int32_t last = RTKMatteOne - 2 * stretch;
    value = value < 0 ? 0 : value > last ? last : value;
    out[i] = (int16_t)(((uint64_t)(uint32_t)(value * RTKMatteOne) * factor) >> 42);
  }
}

RTK_BODY void color_samples(
    const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *blocks,
    const uint8_t *windows, int32_t stretch, int16_t *samples, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width);
  size_t stride = rtk_stride(width);
  uint32_t *sums[RTKCoefficients];
  int32_t *held = lay_out_sums(scratch, width, RTKCoefficients, sums);
  uint64_t divisor = (uint64_t)(RTKMatteOne - 2 * stretch), factor = (((uint64_t)1 << 42) + divisor - 1) / divisor;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y, *kinds = blocks + (size_t)blockCount * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    hold_coefficients(colors, coefficients, y, row, held, sums);
    for (int32_t b = 0; b < blockCount; b++) {
      if (kinds[b] != RTKBlockMixed) continue;
      int32_t from = b * RTKBlockWidth, left = width - from < RTKBlockWidth ? width - from : RTKBlockWidth;
      int32_t along[RTKCoefficients][RTKBlockWidth];
      for (int32_t k = 0; k < RTKCoefficients; k++) sum_block(sums[k], from, (uint32_t *)along[k]);
      size_t place = stride * (size_t)y + (size_t)from;
      int16_t values[RTKBlockWidth];
      stretched_block(along, colors, place, stretch, factor, values);
      const uint8_t *kind = belt + (size_t)y * (size_t)width + (size_t)from;
      int16_t *to = samples + place;
      for (int32_t i = 0; i < left; i++) to[i] = kind[i] == RTKUnsure ? values[i] : to[i];
    }
  }
}

RTK_DEFINE(
    color_coefficients,
    (const RTKColors *colors, const int16_t *samples, const uint8_t *needed, const uint8_t *windows,
     const int32_t *models, int32_t *coefficients, int32_t first, int32_t count, void *scratch),
    (colors, samples, needed, windows, models, coefficients, first, count, scratch))

RTK_DEFINE(
    color_samples,
    (const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *blocks,
     const uint8_t *windows, int32_t stretch, int16_t *samples, int32_t first, int32_t count, void *scratch),
    (colors, coefficients, belt, blocks, windows, stretch, samples, first, count, scratch))
