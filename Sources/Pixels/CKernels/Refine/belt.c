// Finds the belt: pixels round the mask's outline whose matte is computed from colour. It is wider
// where depth is missing.
#include "refine.h"

/// `hasDepth` is a constant, so that the loop has no branches and becomes vectors.
RTK_BODY void belt_pixels(
    const RTKBelt *planes, const uint16_t *restrict depth, int32_t hasDepth, uint8_t *restrict out,
    uint8_t *restrict known, ptrdiff_t from, ptrdiff_t count) {
  const uint8_t *restrict within = planes->within, *restrict deeper = planes->deeper, *restrict near = planes->around;
  const uint8_t *restrict far = planes->farther, *restrict holes = planes->aroundHoles;
  for (ptrdiff_t i = from; i < from + count; i++) {
    uint8_t isHole = hasDepth ? (uint8_t)((depth[i] == 0) & (holes[i] >> 7)) : 0;
    uint8_t around = (near[i] >> 7) | isHole, farther = (far[i] >> 7) | isHole;
    out[i] = within[i] >= 128 ? RTKInside : around;
    known[i] = deeper[i] >= 128 ? RTKInside : farther;
  }
}

RTK_BODY void belt(
    const RTKBelt *planes, const uint16_t *depth, uint8_t *out, uint8_t *known, ptrdiff_t from, ptrdiff_t count) {
  if (depth) {
    belt_pixels(planes, depth, 1, out, known, from, count);
  } else {
    belt_pixels(planes, depth, 0, out, known, from, count);
  }
}

RTK_BODY void wanted_cells(
    const uint8_t *belt, int32_t width, int32_t height, uint8_t *isWanted, int32_t firstRow, int32_t rowCount) {
  RTKCells cells = rtk_cells(width, height);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    // A pixel reads the models of its own cell and of adjacent ones, so rows up to one cell away matter.
    int32_t top = rtk_clamped((row - 1) * RTKCellWidth, height), bottom = rtk_clamped((row + 2) * RTKCellWidth, height);
    uint8_t *out = isWanted + (size_t)row * (size_t)cells.columns;
    memset(out, 0, (size_t)cells.columns);
    for (int32_t y = top; y < bottom; y++) {
      const uint8_t *line = belt + (size_t)y * (size_t)width;
      for (int32_t x = 0; x < width; x++) {
        // Eight pixels at once: only RTKUnsure has the lowest bit set.
        while (x + 8 <= width && (RTK_LOAD(uint64_t, line + x) & 0x0101010101010101) == 0) x += 8;
        if (x >= width || line[x] != RTKUnsure) continue;
        int32_t column = x / RTKCellWidth;
        out[column] = 1;
        if (column > 0) out[column - 1] = 1;
        if (column + 1 < cells.columns) out[column + 1] = 1;
        x = (column + 1) * RTKCellWidth - 1;
      }
    }
  }
}

RTK_DEFINE(
    belt,
    (const RTKBelt *planes, const uint16_t *depth, uint8_t *out, uint8_t *known, ptrdiff_t from, ptrdiff_t count),
    (planes, depth, out, known, from, count))

RTK_DEFINE(
    wanted_cells,
    (const uint8_t *belt, int32_t width, int32_t height, uint8_t *isWanted, int32_t firstRow, int32_t rowCount),
    (belt, width, height, isWanted, firstRow, rowCount))
