// Computes a first matte from the colour models of the four cells nearest to each pixel.
#include "refine.h"

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
      int32_t left = b * RTKBlockWidth, right = left + RTKBlockWidth, all = 0, any = 0;
      for (int32_t x = left; x < right; x++) {
        uint8_t kind = kinds[x < width ? x : width - 1];
        any |= kind;
        all |= kind ^ RTKInside;
        if (kind != RTKUnsure || x >= width) {
          row[x] = kind == RTKInside ? RTKMatteOne : kind == RTKOutside ? 0 : row[width - 1];
          continue;
        }
        CellPlace across = cell_place(x, cells.columns);
        int32_t sure = mask[(size_t)y * (size_t)width + (size_t)x] >= 128 ? RTKMatteOne : 0;
        int64_t sum = 0;
        for (int32_t k = 0; k < 4; k++) {
          int32_t cellRow = k < 2 ? down.first : down.second, cellColumn = k & 1 ? across.second : across.first;
          int32_t weight = (k < 2 ? 16 - down.weight : down.weight) * (k & 1 ? across.weight : 16 - across.weight);
          const RTKCellModel *model = models + (size_t)cellRow * (size_t)cells.columns + (size_t)cellColumn;
          int64_t value = sure;
          if (model->trust > 0) {
            int32_t t = in_range(model_value(model, colors, stride * (size_t)y + (size_t)x), RTKMatteOne);
            value = sure + (((int64_t)t - sure) * model->trust) / 256;
          }
          sum += value * weight;
        }
        row[x] = (int16_t)((sum + 128) >> 8);
      }
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
