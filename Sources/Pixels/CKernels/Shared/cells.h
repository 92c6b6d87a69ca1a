// A plane divided into square cells: the pixels of a cell, and the cells nearest to a pixel.
#ifndef RETAKE_CELLS_H
#define RETAKE_CELLS_H

#include "lanes.h"

RTK_BODY RTKCells rtk_cells_of(int32_t width, int32_t height, int32_t cellWidth) {
  return (RTKCells){(width + cellWidth - 1) / cellWidth, (height + cellWidth - 1) / cellWidth};
}

/// The pixels of a cell, cut off at the plane's edges.
typedef struct {
  int32_t left;
  int32_t right;
  int32_t top;
  int32_t bottom;
} CellSpan;

RTK_BODY CellSpan rtk_cell_span(int32_t width, int32_t height, int32_t cellWidth, int32_t column, int32_t row) {
  CellSpan span = {column * cellWidth, (column + 1) * cellWidth, row * cellWidth, (row + 1) * cellWidth};
  if (span.right > width) span.right = width;
  if (span.bottom > height) span.bottom = height;
  return span;
}

/// The two cells nearest to a pixel along one axis, and the second's weight. The weights of both add
/// up to twice the width of a cell.
typedef struct {
  int32_t first;
  int32_t second;
  int32_t weight;
} CellPlace;

RTK_BODY CellPlace rtk_cell_place(int32_t pixel, int32_t cellCount, int32_t cellWidth) {
  // In half pixels from the first cell's centre.
  int32_t half = 2 * pixel - (cellWidth - 1), first = half < 0 ? -1 : half / (2 * cellWidth);
  return (CellPlace){
      rtk_clamped(first, cellCount - 1), rtk_clamped(first + 1, cellCount - 1), half - 2 * cellWidth * first};
}

#endif
