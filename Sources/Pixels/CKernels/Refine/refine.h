// Helpers shared by the steps of the refinement.
#ifndef RETAKE_REFINE_H
#define RETAKE_REFINE_H

#include "cells.h"

RTK_BODY size_t rtk_stride(int32_t width) { return (size_t)rtk_block_count(width) * RTKBlockWidth; }

/// Adjugate and determinant of a symmetric 3 by 3 matrix, given by its upper triangle of at most 20 bits each.
typedef struct {
  int64_t of[6];
  int64_t determinant;
} Adjugate;

/// Scales a matrix of this kind, with a positive diagonal, down to 20 bits, so that its determinant
/// fits into 64.
/// - Returns: by how many bits.
RTK_BODY int32_t normalize(int64_t m[6]) {
  int64_t largest = m[0] | m[3] | m[5];
  int32_t shift = largest >> 20 == 0 ? 0 : 44 - __builtin_clzll((uint64_t)largest);
  for (int32_t k = 0; k < 6; k++) m[k] >>= shift;
  return shift;
}

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

RTK_BODY CellPlace cell_place(int32_t pixel, int32_t cellCount) {
  return rtk_cell_place(pixel, cellCount, RTKCellWidth);
}

#endif
