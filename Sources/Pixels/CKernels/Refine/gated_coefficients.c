// The means of the models, mixed with the plain matte by the gate. What does not depend on the plain matte is found
// once for all mattes of a mask.
#include "coefficients.h"

/// Divides by the window's area, rounded to nearest, for values below 2^31.
RTK_BODY int32_t mean_of(int64_t sum) { return (int32_t)((sum * 87652394 + ((int64_t)1 << 31)) >> 32); }

/// The gate at the sixteen pixels from `left`, 0 ... 256: interpolated between four cells.
RTK_BODY void gates_of(const int16_t *gate, RTKCells cells, int32_t left, CellPlace down, int32_t out[RTKBlockWidth]) {
  const int16_t *above = gate + (size_t)down.first * (size_t)cells.columns;
  const int16_t *below = gate + (size_t)down.second * (size_t)cells.columns;
  int32_t of[4];
  for (int32_t k = 0; k < 4; k++) {
    int32_t column = rtk_clamped(left / RTKCellWidth - 1 + k, cells.columns - 1);
    of[k] = above[column] * (16 - down.weight) + below[column] * down.weight;
  }
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    // Pixels change cells half a cell before a block's start.
    int32_t first = (i + RTKCellWidth / 2) / RTKCellWidth, weight = 2 * (i + RTKCellWidth / 2) % 16 + 1;
    out[i] = (of[first] * (16 - weight) + of[first + 1] * weight + 128) >> 8;
  }
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

/// Whether a block within `reach` blocks is of another kind, so that the scaling reads this block's coefficients.
RTK_BODY int32_t is_read(const uint8_t *blocks, int32_t blockCount, int32_t b, int32_t reach) {
  int32_t from = rtk_clamped(b - reach, blockCount - 1), to = rtk_clamped(b + reach, blockCount - 1);
  uint8_t differs = 0;
  for (int32_t other = from; other <= to; other++) differs |= blocks[other] ^ blocks[b];
  return differs != 0;
}

/// The gate's shares of sixteen pixels. Where depth is missing, the larger of both gates counts.
RTK_BODY void shares_of(const RTKGate *gate, CellPlace down, int32_t y, int32_t from, int32_t out[RTKBlockWidth]) {
  gates_of(gate->cells, rtk_cells(gate->width, gate->height), from, down, out);
  if (!gate->depth) return;
  int32_t other[RTKBlockWidth], left = gate->width - from < RTKBlockWidth ? gate->width - from : RTKBlockWidth;
  uint16_t distance[RTKBlockWidth] = {0};
  gates_of(gate->holes, rtk_cells(gate->width, gate->height), from, down, other);
  memcpy(distance, gate->depth + (size_t)gate->width * (size_t)y + (size_t)from, (size_t)left * sizeof *distance);
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int32_t larger = other[i] > out[i] ? other[i] : out[i];
    out[i] = distance[i] == 0 ? larger : out[i];
  }
}

/// Repeats the last of `count` values up to the end of the block.
RTK_BODY void repeat_last(int32_t *values, int32_t count) {
  for (int32_t i = count; i < RTKBlockWidth; i++) values[i] = values[count - 1];
}

/// A belt's pixel whose value colour does not tell, with 4 fractional bits.
RTK_BODY int32_t level_of(uint8_t kind) { return kind == RTKInside ? RTKMatteOne << 4 : 0; }

RTK_BODY void mean_coefficients(
    const RTKGate *gate, const RTKColors *colors, const int32_t *coefficients, const uint8_t *windows, int32_t *slopes,
    int32_t *constants, uint16_t *shares, uint8_t *unsure, int32_t first, int32_t count, void *scratch) {
  int32_t width = gate->width, blockCount = rtk_block_count(width), cellRows = rtk_cells(width, gate->height).rows;
  size_t stride = rtk_stride(width), plane = stride * (size_t)gate->height;
  uint32_t *sums[RTKCoefficients];
  int32_t *held = lay_out_sums(scratch, width, RTKCoefficients, sums);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y, *kinds = gate->belt + (size_t)width * (size_t)y;
    uint8_t *isUnsure = unsure + (size_t)blockCount * (size_t)y;
    memset(isUnsure, 0, (size_t)blockCount);
    if (!has_mixed(row, blockCount)) continue;
    hold_coefficients(colors, coefficients, y, row, held, sums);
    CellPlace down = cell_place(y, cellRows);
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t from = b * RTKBlockWidth, left = width - from < RTKBlockWidth ? width - from : RTKBlockWidth;
      if (row[b] != RTKWindowMixed || !memchr(kinds + from, RTKUnsure, (size_t)left)) continue;
      isUnsure[b] = 1;
      size_t place = stride * (size_t)y + (size_t)from;
      uint8_t kind[RTKBlockWidth] = {0};
      memcpy(kind, kinds + from, (size_t)left);
      int32_t share[RTKBlockWidth], along[RTKCoefficients][RTKBlockWidth];
      shares_of(gate, down, y, from, share);
      for (int32_t k = 0; k < RTKCoefficients; k++) sum_block(sums[k], from, (uint32_t *)along[k]);
      for (size_t k = 0; k < 3; k++) {
        int32_t *restrict to = slopes + plane * k + place;
        for (int32_t i = 0; i < RTKBlockWidth; i++) {
          int32_t slope = kind[i] == RTKUnsure ? mean_of(along[k][i]) >> 4 : 0;
          to[i] = (int32_t)((int64_t)slope * share[i] >> 8);
        }
        repeat_last(to, left);
      }
      for (int32_t i = 0; i < RTKBlockWidth; i++) {
        constants[place + (size_t)i] = kind[i] == RTKUnsure ? mean_of(along[3][i]) : level_of(kind[i]);
        shares[place + (size_t)i] = (uint16_t)share[i];
      }
    }
  }
}

/// Mixes sixteen constants with plain samples.
RTK_BODY void mix(
    const int32_t constant[RTKBlockWidth], const int16_t *plain, const int32_t share[RTKBlockWidth],
    int32_t *restrict to) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int64_t base = (int64_t)(plain[i] * 16) * (256 - share[i]);
    to[i] = (int32_t)(((int64_t)constant[i] * share[i] + base) >> 8);
  }
}

RTK_BODY void gated_coefficients(
    const RTKGate *gate, const int32_t *constants, const uint16_t *shares, const uint8_t *unsure, const int16_t *plain,
    int32_t reach, int32_t *out, uint8_t *outBlocks, int32_t first, int32_t count) {
  int32_t width = gate->width, blockCount = rtk_block_count(width), cellRows = rtk_cells(width, gate->height).rows;
  size_t stride = rtk_stride(width), plane = stride * (size_t)gate->height;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *kinds = gate->belt + (size_t)width * (size_t)y, *isUnsure = unsure + (size_t)blockCount * (size_t)y;
    const int16_t *samples = plain + stride * (size_t)y;
    uint8_t *outKinds = outBlocks + (size_t)blockCount * (size_t)y;
    CellPlace down = cell_place(y, cellRows);
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t from = b * RTKBlockWidth, left = width - from < RTKBlockWidth ? width - from : RTKBlockWidth;
      outKinds[b] = isUnsure[b] ? RTKBlockMixed : flat_kind(kinds + from, samples + from, left);
    }
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t from = b * RTKBlockWidth, left = width - from < RTKBlockWidth ? width - from : RTKBlockWidth;
      size_t place = stride * (size_t)y + (size_t)from;
      int32_t *to = out + place, constant[RTKBlockWidth], share[RTKBlockWidth];
      if (outKinds[b] != RTKBlockMixed && !is_read(outKinds, blockCount, b, reach)) continue;
      if (isUnsure[b]) {
        memcpy(constant, constants + place, sizeof constant);
        for (int32_t i = 0; i < RTKBlockWidth; i++) share[i] = shares[place + (size_t)i];
      } else {
        for (size_t k = 0; k < 3; k++) memset(to + plane * k, 0, RTKBlockWidth * sizeof *to);
        for (int32_t i = 0; i < RTKBlockWidth; i++) constant[i] = level_of(kinds[from + (i < left ? i : left - 1)]);
        shares_of(gate, down, y, from, share);
      }
      // In a block of one kind, belt and plain samples agree, whatever the shares.
      mix(constant, samples + from, share, to + plane * 3);
      repeat_last(to + plane * 3, left);
    }
  }
}

RTK_DEFINE(
    mean_coefficients,
    (const RTKGate *gate, const RTKColors *colors, const int32_t *coefficients, const uint8_t *windows, int32_t *slopes,
     int32_t *constants, uint16_t *shares, uint8_t *unsure, int32_t first, int32_t count, void *scratch),
    (gate, colors, coefficients, windows, slopes, constants, shares, unsure, first, count, scratch))

RTK_DEFINE(
    gated_coefficients,
    (const RTKGate *gate, const int32_t *constants, const uint16_t *shares, const uint8_t *unsure, const int16_t *plain,
     int32_t reach, int32_t *out, uint8_t *outBlocks, int32_t first, int32_t count),
    (gate, constants, shares, unsure, plain, reach, out, outBlocks, first, count))
