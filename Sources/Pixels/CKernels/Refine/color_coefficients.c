// The guided filter in colour (He, Sun, Tang 2010): the samples' linear model in each window, and
// what its means say of a pixel.
#include "windows.h"

enum { MOMENTS = 4 };

RTK_BODY void add_row(
    const RTKColors *colors, const int16_t *samples, int32_t y, uint32_t sign, uint32_t *const sums[MOMENTS]) {
  size_t row = rtk_stride(colors->width) * (size_t)rtk_clamped(y, colors->height - 1);
  const int16_t *restrict red = colors->red + row, *restrict green = colors->green + row;
  const int16_t *restrict blue = colors->blue + row, *restrict sample = samples + row;
  uint32_t *restrict p = sums[0], *restrict pr = sums[1], *restrict pg = sums[2], *restrict pb = sums[3];
  for (int32_t x = 0; x < colors->width; x++) {
    uint32_t value = sign * (uint32_t)sample[x];
    p[x] += value;
    pr[x] += value * (uint32_t)red[x];
    pg[x] += value * (uint32_t)green[x];
    pb[x] += value * (uint32_t)blue[x];
  }
}

/// Divides by the window's area, rounded to nearest, for values below 2^31.
RTK_BODY int32_t mean_of(int64_t sum) { return (int32_t)((sum * 87652394 + ((int64_t)1 << 31)) >> 32); }

RTK_BODY void model_of(const uint32_t sums[MOMENTS], const RTKColorWindow *window, int32_t out[RTKCoefficients]) {
  int64_t covariance[3], total = sums[0];
  for (int32_t i = 0; i < 3; i++) {
    covariance[i] = (AREA * (int64_t)sums[1 + i] - total * window->sums[i]) >> 8;
  }
  const int32_t *m = window->inverse;
  out[0] = (int32_t)((m[0] * covariance[0] + m[1] * covariance[1] + m[2] * covariance[2]) >> 30);
  out[1] = (int32_t)((m[1] * covariance[0] + m[3] * covariance[1] + m[4] * covariance[2]) >> 30);
  out[2] = (int32_t)((m[2] * covariance[0] + m[4] * covariance[1] + m[5] * covariance[2]) >> 30);
  int64_t shown = 0;
  for (int32_t i = 0; i < 3; i++) shown += (int64_t)out[i] * window->sums[i];
  out[3] = mean_of((total << 4) - (shown >> 8));
}

RTK_BODY void color_coefficients(
    const RTKColors *colors, const int16_t *samples, const uint8_t *windows, const RTKColorWindow *models,
    int32_t *coefficients, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  size_t length = sums_length(width), stride = rtk_stride(width), plane = stride * (size_t)colors->height;
  uint32_t *sums[MOMENTS];
  for (int32_t k = 0; k < MOMENTS; k++) sums[k] = (uint32_t *)scratch + length * (size_t)k + EDGE;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    int32_t *out = coefficients + stride * (size_t)y;
    for (int32_t b = 0; b < blockCount; b++) {
      if (row[b] == RTKWindowMixed) continue;
      int32_t level = row[b] == RTKWindowOne ? RTKMatteOne << 4 : 0;
      for (int32_t x = b * RTKBlockWidth; x < (b + 1) * RTKBlockWidth; x++) {
        out[x] = out[plane + (size_t)x] = out[2 * plane + (size_t)x] = 0;
        out[3 * plane + (size_t)x] = level;
      }
    }
    if (!has_mixed(row, blockCount)) continue;
    if (held == y - 1) {
      add_row(colors, samples, y + REACH, 1, sums);
      add_row(colors, samples, y - REACH - 1, (uint32_t)-1, sums);
    } else {
      memset(scratch, 0, MOMENTS * length * sizeof(uint32_t));
      for (int32_t k = -REACH; k <= REACH; k++) add_row(colors, samples, y + k, 1, sums);
    }
    held = y;
    for (int32_t k = 0; k < MOMENTS; k++) REPEAT_EDGES(sums[k], width);
    int32_t block = 0, from;
    for (int32_t to = next_run(row, blockCount, &block, &from); from < to; to = next_run(row, blockCount, &block, &from)) {
      uint32_t window[MOMENTS] = {0};
      for (int32_t k = 0; k < MOMENTS; k++) {
        for (int32_t x = from - REACH; x < from + REACH; x++) window[k] += sums[k][x];
      }
      for (int32_t x = from; x < to && x < width; x++) {
        for (int32_t k = 0; k < MOMENTS; k++) window[k] += sums[k][x + REACH];
        int32_t model[RTKCoefficients];
        model_of(window, models + stride * (size_t)y + (size_t)x, model);
        for (size_t k = 0; k < RTKCoefficients; k++) out[plane * k + (size_t)x] = model[k];
        for (int32_t k = 0; k < MOMENTS; k++) window[k] -= sums[k][x - REACH];
      }
    }
  }
}

/// Adds a row of coefficients to the column sums.
RTK_BODY void add_coefficients(
    const int32_t *coefficients, size_t plane, size_t stride, int32_t width, int32_t height, int32_t y, int32_t sign,
    int32_t *const sums[RTKCoefficients]) {
  for (size_t k = 0; k < RTKCoefficients; k++) {
    const int32_t *restrict in = coefficients + plane * k + stride * (size_t)rtk_clamped(y, height - 1);
    int32_t *restrict sum = sums[k];
    for (int32_t x = 0; x < width; x++) sum[x] += sign * in[x];
  }
}

/// Column sums of the coefficients of the seven rows round y.
RTK_BODY void hold_rows(
    const RTKColors *colors, const int32_t *coefficients, int32_t y, int32_t *held, int32_t *memory,
    int32_t *const sums[RTKCoefficients]) {
  int32_t width = colors->width, height = colors->height;
  size_t stride = rtk_stride(width), plane = stride * (size_t)height;
  if (*held == y - 1) {
    add_coefficients(coefficients, plane, stride, width, height, y + REACH, 1, sums);
    add_coefficients(coefficients, plane, stride, width, height, y - REACH - 1, -1, sums);
  } else {
    memset(memory, 0, RTKCoefficients * sums_length(width) * sizeof(int32_t));
    for (int32_t k = -REACH; k <= REACH; k++) {
      add_coefficients(coefficients, plane, stride, width, height, y + k, 1, sums);
    }
  }
  *held = y;
  for (int32_t k = 0; k < RTKCoefficients; k++) REPEAT_EDGES(sums[k], width);
}

RTK_BODY void first_window(int32_t *const sums[RTKCoefficients], int32_t from, int32_t window[RTKCoefficients]) {
  for (int32_t k = 0; k < RTKCoefficients; k++) {
    window[k] = 0;
    for (int32_t x = from - REACH; x < from + REACH; x++) window[k] += sums[k][x];
  }
}

RTK_BODY void color_samples(
    const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *blocks,
    const uint8_t *windows, int32_t stretch, int16_t *samples, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  size_t length = sums_length(width), stride = rtk_stride(width);
  int32_t *sums[RTKCoefficients];
  for (int32_t k = 0; k < RTKCoefficients; k++) sums[k] = (int32_t *)scratch + length * (size_t)k + EDGE;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y, *kinds = blocks + (size_t)blockCount * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    hold_rows(colors, coefficients, y, &held, scratch, sums);
    for (int32_t b = 0; b < blockCount; b++) {
      if (kinds[b] != RTKBlockMixed) continue;
      int32_t window[RTKCoefficients], from = b * RTKBlockWidth;
      first_window(sums, from, window);
      for (int32_t x = from; x < from + RTKBlockWidth && x < width; x++) {
        for (int32_t k = 0; k < RTKCoefficients; k++) window[k] += sums[k][x + REACH];
        size_t place = stride * (size_t)y + (size_t)x;
        if (belt[(size_t)y * (size_t)width + (size_t)x] == RTKUnsure) {
          int64_t shown = (int64_t)window[0] * colors->red[place] + (int64_t)window[1] * colors->green[place] +
                          (int64_t)window[2] * colors->blue[place];
          int64_t value = mean_of(((shown >> 8) + window[3]) >> 4);
          value = (value - stretch) * RTKMatteOne / (RTKMatteOne - 2 * stretch);
          samples[place] = (int16_t)in_range(value, RTKMatteOne);
        }
        for (int32_t k = 0; k < RTKCoefficients; k++) window[k] -= sums[k][x - REACH];
      }
    }
  }
}

/// The share of refinement at a pixel, 0 ... 256.
RTK_BODY int32_t gate_at(const int16_t *gate, RTKCells cells, CellPlace across, CellPlace down) {
  const int16_t *above = gate + (size_t)down.first * (size_t)cells.columns;
  const int16_t *below = gate + (size_t)down.second * (size_t)cells.columns;
  int32_t top = above[across.first] * (16 - across.weight) + above[across.second] * across.weight;
  int32_t bottom = below[across.first] * (16 - across.weight) + below[across.second] * across.weight;
  return (top * (16 - down.weight) + bottom * down.weight + 128) >> 8;
}

RTK_BODY void gated_coefficients(
    const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *windows,
    const int16_t *plain, const int16_t *gate, const int16_t *holeGate, const uint16_t *depth, int32_t *out,
    uint8_t *outBlocks, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  RTKCells cells = rtk_cells(width, colors->height);
  size_t length = sums_length(width), stride = rtk_stride(width), plane = stride * (size_t)colors->height;
  int32_t *sums[RTKCoefficients];
  for (int32_t k = 0; k < RTKCoefficients; k++) sums[k] = (int32_t *)scratch + length * (size_t)k + EDGE;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y, *kinds = belt + (size_t)width * (size_t)y;
    CellPlace down = cell_place(y, cells.rows);
    if (has_mixed(row, blockCount)) hold_rows(colors, coefficients, y, &held, scratch, sums);
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t window[RTKCoefficients], from = b * RTKBlockWidth, isMixed = row[b] == RTKWindowMixed;
      int32_t isZero = 1, isOne = 1;
      if (isMixed) first_window(sums, from, window);
      for (int32_t x = from; x < from + RTKBlockWidth; x++) {
        int32_t *to = out + stride * (size_t)y + (size_t)x;
        if (x >= width) {
          for (size_t k = 0; k < RTKCoefficients; k++) to[plane * k] = to[(ptrdiff_t)(plane * k) - 1];
          continue;
        }
        if (isMixed) {
          for (int32_t k = 0; k < RTKCoefficients; k++) window[k] += sums[k][x + REACH];
        }
        CellPlace across = cell_place(x, cells.columns);
        int32_t share = gate_at(gate, cells, across, down), old = plain[stride * (size_t)y + (size_t)x];
        if (depth && depth[(size_t)width * (size_t)y + (size_t)x] == 0) {
          int32_t other = gate_at(holeGate, cells, across, down);
          if (other > share) share = other;
        }
        int32_t values[RTKCoefficients] = {0, 0, 0, kinds[x] == RTKInside ? RTKMatteOne << 4 : 0};
        if (isMixed && kinds[x] == RTKUnsure) {
          for (int32_t k = 0; k < 3; k++) values[k] = mean_of(window[k]) >> 4;
          values[3] = mean_of(window[3]);
        }
        for (size_t k = 0; k < 3; k++) to[plane * k] = (int32_t)(((int64_t)values[k] * share) >> 8);
        int64_t level = ((int64_t)values[3] * share + (int64_t)(old << 4) * (256 - share)) >> 8;
        to[plane * 3] = (int32_t)level;
        int32_t isFlat = (to[0] | to[plane] | to[2 * plane]) == 0;
        isZero &= isFlat && level == 0;
        isOne &= isFlat && level == RTKMatteOne << 4;
        if (isMixed) {
          for (int32_t k = 0; k < RTKCoefficients; k++) window[k] -= sums[k][x - REACH];
        }
      }
      outBlocks[(size_t)blockCount * (size_t)y + (size_t)b] = isZero ? RTKBlockZero : isOne ? RTKBlockOne : RTKBlockMixed;
    }
  }
}

RTK_DEFINE(
    color_coefficients,
    (const RTKColors *colors, const int16_t *samples, const uint8_t *windows, const RTKColorWindow *models,
     int32_t *coefficients, int32_t first, int32_t count, void *scratch),
    (colors, samples, windows, models, coefficients, first, count, scratch))

RTK_DEFINE(
    color_samples,
    (const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *blocks,
     const uint8_t *windows, int32_t stretch, int16_t *samples, int32_t first, int32_t count, void *scratch),
    (colors, coefficients, belt, blocks, windows, stretch, samples, first, count, scratch))

RTK_DEFINE(
    gated_coefficients,
    (const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *windows,
     const int16_t *plain, const int16_t *gate, const int16_t *holeGate, const uint16_t *depth, int32_t *out,
     uint8_t *outBlocks, int32_t first, int32_t count, void *scratch),
    (colors, coefficients, belt, windows, plain, gate, holeGate, depth, out, outBlocks, first, count, scratch))
