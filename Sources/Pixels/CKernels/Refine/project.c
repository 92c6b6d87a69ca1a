// Computes a first matte from the colour models of the four cells nearest to each pixel.
#include "refine.h"

/// Projects pixels that have the same four nearest cells.
/// - models: of these cells: above left, above right, below left, below right.
/// - half: of the first pixel, in half pixels from the left cells' centres.
RTK_BODY void project_span(
    const RTKColors *colors, size_t place, const uint8_t *mask, const RTKCellModel *const models[4], int32_t half,
    int32_t down, int32_t count, int16_t *restrict out) {
  int32_t sums[RTKCellWidth], sure[RTKCellWidth];
  for (int32_t i = 0; i < count; i++) {
    sums[i] = 128;
    sure[i] = mask[i] >= 128 ? RTKMatteOne : 0;
  }
  const int16_t *red = colors->red + place, *green = colors->green + place, *blue = colors->blue + place;
  for (int32_t k = 0; k < 4; k++) {
    RTKCellModel model = *models[k];
    int32_t vertical = k < 2 ? 16 - down : down;
    for (int32_t i = 0; i < count; i++) {
      int64_t t = ((int64_t)model.red * red[i] + (int64_t)model.green * green[i] + (int64_t)model.blue * blue[i] +
                   model.constant) >> 12;
      int32_t value = t < 0 ? 0 : t > RTKMatteOne ? RTKMatteOne : (int32_t)t;
      value = sure[i] + (value - sure[i]) * model.trust / 256;
      int32_t across = half + 2 * i;
      sums[i] += value * vertical * (k & 1 ? across : 16 - across);
    }
  }
  for (int32_t i = 0; i < count; i++) out[i] = (int16_t)(sums[i] >> 8);
}

/// Projects a whole block.
RTK_BODY void project_block(
    const RTKColors *colors, size_t place, int32_t left, const uint8_t *mask, RTKCells cells, CellPlace down,
    const RTKCellModel *models, int16_t *restrict out) {
  const RTKCellModel *above = models + (size_t)down.first * (size_t)cells.columns;
  const RTKCellModel *below = models + (size_t)down.second * (size_t)cells.columns;
  for (int32_t part = 0; part < 3; part++) {
    // Four pixels right of the first cell's border with the one before it, eight between, and four.
    int32_t from = part == 0 ? 0 : 8 * part - 4, column = left / RTKCellWidth + part;
    int32_t one = rtk_clamped(column - 1, cells.columns - 1), other = rtk_clamped(column, cells.columns - 1);
    const RTKCellModel *const of[4] = {above + one, above + other, below + one, below + other};
    if (part == 1) {
      project_span(colors, place + (size_t)from, mask + from, of, 1, down.weight, 8, out + from);
    } else {
      project_span(colors, place + (size_t)from, mask + from, of, part == 0 ? 9 : 1, down.weight, 4, out + from);
    }
  }
}

RTK_BODY void project(
    const RTKColors *colors, const uint8_t *belt, const uint8_t *mask, const RTKCellModel *models, int16_t *samples,
    uint8_t *blocks, int32_t first, int32_t count) {
  RTKCells cells = rtk_cells(colors->width, colors->height);
  int32_t width = colors->width, blockCount = rtk_block_count(width);
  size_t stride = rtk_stride(width);
  for (int32_t y = first; y < first + count; y++) {
    CellPlace down = cell_place(y, cells.rows);
    const uint8_t *kinds = belt + (size_t)y * (size_t)width;
    int16_t *row = samples + stride * (size_t)y;
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t left = b * RTKBlockWidth, right = left + RTKBlockWidth, all = 0, any = 0, hasUnsure = 0;
      uint8_t block[2 * RTKBlockWidth];
      const uint8_t *kind = kinds + left, *masked = mask + (size_t)y * (size_t)width + (size_t)left;
      if (right > width) {
        // Repeats the last pixel of both.
        for (int32_t i = 0; i < RTKBlockWidth; i++) {
          int32_t from = left + i < width ? i : width - 1 - left;
          block[i] = kind[from];
          block[RTKBlockWidth + i] = masked[from];
        }
        kind = block;
        masked = block + RTKBlockWidth;
      }
      for (int32_t i = 0; i < RTKBlockWidth; i++) {
        any |= kind[i];
        all |= kind[i] ^ RTKInside;
        hasUnsure |= kind[i] == RTKUnsure;
      }
      int16_t values[RTKBlockWidth];
      size_t place = stride * (size_t)y + (size_t)left;
      if (hasUnsure) project_block(colors, place, left, masked, cells, down, models, values);
      for (int32_t i = 0; i < RTKBlockWidth; i++) {
        int16_t value = hasUnsure ? values[i] : 0;
        row[left + i] = kind[i] == RTKInside ? RTKMatteOne : kind[i] == RTKOutside ? 0 : value;
      }
      for (int32_t x = width; x < right; x++) row[x] = row[width - 1];
      blocks[(size_t)y * (size_t)blockCount + (size_t)b] =
          any == 0 ? RTKBlockZero : all == 0 ? RTKBlockOne : RTKBlockMixed;
    }
  }
}

RTK_DEFINE(
    project,
    (const RTKColors *colors, const uint8_t *belt, const uint8_t *mask, const RTKCellModel *models, int16_t *samples,
     uint8_t *blocks, int32_t first, int32_t count),
    (colors, belt, mask, models, samples, blocks, first, count))
