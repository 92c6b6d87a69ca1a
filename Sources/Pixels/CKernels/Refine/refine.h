// Helpers shared by the steps of the refinement.
#ifndef RETAKE_REFINE_H
#define RETAKE_REFINE_H

#include "lanes.h"

RTK_BODY size_t rtk_stride(int32_t width) { return (size_t)rtk_block_count(width) * RTKBlockWidth; }

/// Adjugate and determinant of a symmetric 3 by 3 matrix, given by its upper triangle of at most 20 bits each.
typedef struct {
  int64_t of[6];
  int64_t determinant;
} Adjugate;

RTK_BODY Adjugate adjugate_of(const int64_t m[6]) {
  Adjugate a;
  a.of[0] = m[3] * m[5] - m[4] * m[4];
  a.of[1] = m[2] * m[4] - m[1] * m[5];
  a.of[2] = m[1] * m[4] - m[2] * m[3];
  a.of[3] = m[0] * m[5] - m[2] * m[2];
  a.of[4] = m[1] * m[2] - m[0] * m[4];
  a.of[5] = m[0] * m[3] - m[1] * m[1];
  a.determinant = m[0] * a.of[0] + m[1] * a.of[1] + m[2] * a.of[2];
  return a;
}

/// Where a pixel's colour lies between the classes, in matte samples; not limited to 0 ... 1.
RTK_BODY int64_t model_value(const RTKCellModel *model, const RTKColors *colors, size_t place) {
  return ((int64_t)model->red * colors->red[place] + (int64_t)model->green * colors->green[place] +
          (int64_t)model->blue * colors->blue[place] + model->constant) >> 12;
}

RTK_BODY int32_t in_range(int64_t value, int32_t last) { return value < 0 ? 0 : value > last ? last : (int32_t)value; }

/// The two cells nearest to a pixel along one axis, and the weight of the second, in 1 / 16.
typedef struct {
  int32_t first;
  int32_t second;
  int32_t weight;
} CellPlace;

RTK_BODY CellPlace cell_place(int32_t pixel, int32_t cellCount) {
  // A cell's centre lies between its pixels 3 and 4. `half`: half pixels from the first cell's centre.
  int32_t half = 2 * pixel - (RTKCellWidth - 1);
  int32_t first = half < 0 ? -1 : half / (2 * RTKCellWidth);
  return (CellPlace){
      rtk_clamped(first, cellCount - 1), rtk_clamped(first + 1, cellCount - 1), half - 2 * RTKCellWidth * first};
}

#endif
