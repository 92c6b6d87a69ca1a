// The guided filter in colour (He, Sun, Tang 2010): a linear model of the samples in each window, and
// the means of these models, applied to each pixel.
#include "windows.h"

enum { MOMENTS = 4 };

RTK_BODY void add_row(
    const RTKColors *colors, const int16_t *samples, int32_t y, int32_t sign, uint32_t *const sums[MOMENTS]) {
  size_t row = rtk_stride(colors->width) * (size_t)rtk_clamped(y, colors->height - 1);
  add_values(samples + row, sign, sums[0], colors->width);
  add_products(samples + row, colors->red + row, sign, sums[1], colors->width);
  add_products(samples + row, colors->green + row, sign, sums[2], colors->width);
  add_products(samples + row, colors->blue + row, sign, sums[3], colors->width);
}

/// Divides by the window's area, rounded to nearest, for values below 2^31.
RTK_BODY int32_t mean_of(int64_t sum) { return (int32_t)((sum * 87652394 + ((int64_t)1 << 31)) >> 32); }

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
    const RTKColors *colors, const int16_t *samples, const uint8_t *belt, const uint8_t *windows,
    const int32_t *models, int32_t *coefficients, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  size_t length = sums_length(width), stride = rtk_stride(width), plane = stride * (size_t)colors->height;
  uint32_t *sums[MOMENTS];
  for (int32_t k = 0; k < MOMENTS; k++) sums[k] = (uint32_t *)scratch + length * (size_t)k + EDGE;
  uint8_t *line = (uint8_t *)scratch + rtk_padded(MOMENTS * length * sizeof(uint32_t));
  uint8_t *needed = line + rtk_padded(length);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    int32_t *out = coefficients + stride * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    if (held == y - 1) {
      add_row(colors, samples, y + REACH, 1, sums);
      add_row(colors, samples, y - REACH - 1, -1, sums);
    } else {
      memset(scratch, 0, MOMENTS * length * sizeof(uint32_t));
      for (int32_t k = -REACH; k <= REACH; k++) add_row(colors, samples, y + k, 1, sums);
    }
    held = y;
    for (int32_t k = 0; k < MOMENTS; k++) REPEAT_EDGES(sums[k], width);
    find_needed(belt, width, colors->height, y, line, needed);
    for (int32_t b = 0; b < blockCount; b++) {
      if (row[b] != RTKWindowMixed) continue;
      int32_t x = b * RTKBlockWidth;
      if (!has_needed(needed, x, width)) continue;
      uint32_t along[MOMENTS][RTKBlockWidth];
      for (int32_t k = 0; k < MOMENTS; k++) sum_block(sums[k], x, along[k]);
      int32_t model[RTKCoefficients][RTKBlockWidth];
      models_of(along, models + RTKWindowValues * (stride * (size_t)y + (size_t)x), model);
      for (size_t k = 0; k < RTKCoefficients; k++) memcpy(out + plane * k + x, model[k], sizeof model[k]);
    }
  }
}

RTK_BODY void add_coefficient(const int32_t *restrict in, int32_t sign, uint32_t *restrict sums, int32_t width) {
  for (int32_t x = 0; x < width; x++) sums[x] += (uint32_t)sign * (uint32_t)in[x];
}

/// Adds a row of coefficients to the column sums. Where no model was needed, the row holds arbitrary values and the
/// sums may wrap; no unsure pixel reads them.
RTK_BODY void add_coefficients(
    const int32_t *coefficients, size_t plane, size_t stride, int32_t width, int32_t height, int32_t y, int32_t sign,
    uint32_t *const sums[RTKCoefficients]) {
  const int32_t *row = coefficients + stride * (size_t)rtk_clamped(y, height - 1);
  for (size_t k = 0; k < RTKCoefficients; k++) add_coefficient(row + plane * k, sign, sums[k], width);
}

/// Updates the column sums to the seven rows of coefficients round `y`.
/// - held: row for which the sums were last computed.
RTK_BODY void hold_rows(
    const RTKColors *colors, const int32_t *coefficients, int32_t y, int32_t *held, void *memory,
    uint32_t *const sums[RTKCoefficients]) {
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
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  size_t length = sums_length(width), stride = rtk_stride(width);
  uint32_t *sums[RTKCoefficients];
  for (int32_t k = 0; k < RTKCoefficients; k++) sums[k] = (uint32_t *)scratch + length * (size_t)k + EDGE;
  uint64_t divisor = (uint64_t)(RTKMatteOne - 2 * stretch), factor = (((uint64_t)1 << 42) + divisor - 1) / divisor;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y, *kinds = blocks + (size_t)blockCount * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    hold_rows(colors, coefficients, y, &held, scratch, sums);
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

/// The gate at a pixel, 0 ... 256: interpolated between four cells.
RTK_BODY int32_t gate_at(const int16_t *gate, RTKCells cells, CellPlace across, CellPlace down) {
  const int16_t *above = gate + (size_t)down.first * (size_t)cells.columns;
  const int16_t *below = gate + (size_t)down.second * (size_t)cells.columns;
  int32_t top = above[across.first] * (16 - across.weight) + above[across.second] * across.weight;
  int32_t bottom = below[across.first] * (16 - across.weight) + below[across.second] * across.weight;
  return (top * (16 - down.weight) + bottom * down.weight + 128) >> 8;
}

/// RTKBlockZero or RTKBlockOne if belt and plain samples agree throughout, else RTKBlockMixed.
RTK_BODY uint8_t flat_kind(const uint8_t *kinds, const int16_t *plain, int32_t count) {
  int32_t notZero = 0, notOne = 0;
  for (int32_t i = 0; i < count; i++) {
    notZero |= kinds[i] | plain[i];
    notOne |= (kinds[i] ^ RTKInside) | (plain[i] ^ RTKMatteOne);
  }
  return !notZero ? RTKBlockZero : !notOne ? RTKBlockOne : RTKBlockMixed;
}

RTK_BODY void gated_coefficients(
    const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt, const uint8_t *windows,
    const int16_t *plain, const int16_t *gate, const int16_t *holeGate, const uint16_t *depth, int32_t *out,
    uint8_t *outBlocks, int32_t first, int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  RTKCells cells = rtk_cells(width, colors->height);
  size_t length = sums_length(width), stride = rtk_stride(width), plane = stride * (size_t)colors->height;
  uint32_t *sums[RTKCoefficients];
  for (int32_t k = 0; k < RTKCoefficients; k++) sums[k] = (uint32_t *)scratch + length * (size_t)k + EDGE;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y, *kinds = belt + (size_t)width * (size_t)y;
    CellPlace down = cell_place(y, cells.rows);
    if (has_mixed(row, blockCount)) hold_rows(colors, coefficients, y, &held, scratch, sums);
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t from = b * RTKBlockWidth, left = width - from < RTKBlockWidth ? width - from : RTKBlockWidth;
      int32_t *to = out + stride * (size_t)y + (size_t)from;
      uint8_t *kind = outBlocks + (size_t)blockCount * (size_t)y + (size_t)b;
      *kind = flat_kind(kinds + from, plain + stride * (size_t)y + (size_t)from, left);
      if (*kind != RTKBlockMixed) {
        for (size_t k = 0; k < RTKCoefficients; k++) {
          int32_t level = k == 3 && *kind == RTKBlockOne ? RTKMatteOne << 4 : 0;
          for (int32_t i = 0; i < RTKBlockWidth; i++) to[plane * k + (size_t)i] = level;
        }
        continue;
      }
      int32_t isMixed = row[b] == RTKWindowMixed;
      int32_t along[RTKCoefficients][RTKBlockWidth];
      if (isMixed) {
        for (int32_t k = 0; k < RTKCoefficients; k++) sum_block(sums[k], from, (uint32_t *)along[k]);
      }
      int32_t share[RTKBlockWidth] = {0}, isUnsure[RTKBlockWidth] = {0}, level[RTKBlockWidth] = {0};
      for (int32_t i = 0; i < left; i++) {
        int32_t x = from + i;
        CellPlace across = cell_place(x, cells.columns);
        share[i] = gate_at(gate, cells, across, down);
        if (depth && depth[(size_t)width * (size_t)y + (size_t)x] == 0) {
          int32_t other = gate_at(holeGate, cells, across, down);
          if (other > share[i]) share[i] = other;
        }
        isUnsure[i] = isMixed && kinds[x] == RTKUnsure;
        level[i] = kinds[x] == RTKInside ? RTKMatteOne << 4 : 0;
      }
      const int16_t *old = plain + stride * (size_t)y + (size_t)from;
      for (size_t k = 0; k < RTKCoefficients; k++) {
        int32_t *restrict target = to + plane * k;
        for (int32_t i = 0; i < RTKBlockWidth; i++) {
          int32_t mean = mean_of(isMixed ? along[k][i] : 0);
          int32_t value = k < 3 ? (isUnsure[i] ? mean >> 4 : 0) : (isUnsure[i] ? mean : level[i]);
          int64_t base = k < 3 ? 0 : (int64_t)(old[i] * 16) * (256 - share[i]);
          target[i] = (int32_t)(((int64_t)value * share[i] + base) >> 8);
        }
        for (int32_t i = left; i < RTKBlockWidth; i++) target[i] = target[left - 1];
      }
    }
  }
}

RTK_DEFINE(
    color_coefficients,
    (const RTKColors *colors, const int16_t *samples, const uint8_t *belt, const uint8_t *windows,
     const int32_t *models, int32_t *coefficients, int32_t first, int32_t count, void *scratch),
    (colors, samples, belt, windows, models, coefficients, first, count, scratch))

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
