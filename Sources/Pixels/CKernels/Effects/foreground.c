// Estimates the person's own colours at soft edges, from opaque and transparent pixels nearby.
#include "cells.h"

RTKCells rtk_foreground_cells(int32_t width, int32_t height) {
  return rtk_cells_of(width, height, RTKForegroundCell);
}

RTK_BODY CellSpan cell_span(int32_t width, int32_t height, int32_t column, int32_t row) {
  return rtk_cell_span(width, height, RTKForegroundCell, column, row);
}

/// RTKCellSoft and RTKCellShown of one pixel. Adding 1 maps 255 to 0 and 0 to 1; soft values become larger than 1.
RTK_BODY uint8_t kind_of(uint8_t matte) {
  return ((uint8_t)(matte + 1) > 1 ? RTKCellSoft : 0) | (matte != 0 ? RTKCellShown : 0);
}

RTK_BODY void matte_cells(
    const uint8_t *matte, int32_t width, int32_t height, uint8_t *kinds, int32_t firstRow, int32_t rowCount) {
  RTKCells cells = rtk_foreground_cells(width, height);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    for (int32_t column = 0; column < cells.columns; column++) {
      CellSpan span = cell_span(width, height, column, row);
      uint8_t any = 0;
      if (span.right - span.left == RTKForegroundCell) {
        Bytes16 soft = {0}, shown = {0};
        for (int32_t y = span.top; y < span.bottom; y++) {
          Bytes16 values = RTK_LOAD(Bytes16, matte + (size_t)y * (size_t)width + (size_t)span.left);
          soft |= (Bytes16)(values + 1 > 1);
          shown |= values;
        }
        uint64_t of[4];
        memcpy(of, &soft, sizeof soft);
        memcpy(of + 2, &shown, sizeof shown);
        any = (of[0] | of[1] ? RTKCellSoft : 0) | (of[2] | of[3] ? RTKCellShown : 0);
      } else {
        for (int32_t y = span.top; y < span.bottom; y++) {
          const uint8_t *line = matte + (size_t)y * (size_t)width;
          for (int32_t x = span.left; x < span.right; x++) any |= kind_of(line[x]);
        }
      }
      kinds[(size_t)row * (size_t)cells.columns + (size_t)column] = any;
    }
  }
}

/// Whether any cell within `reach` cells, in both directions, is soft.
RTK_BODY int32_t is_near_soft(const uint8_t *kinds, RTKCells cells, int32_t column, int32_t row, int32_t reach) {
  for (int32_t y = row - reach; y <= row + reach; y++) {
    for (int32_t x = column - reach; x <= column + reach; x++) {
      if (y < 0 || y >= cells.rows || x < 0 || x >= cells.columns) continue;
      if (kinds[(size_t)y * (size_t)cells.columns + (size_t)x] & RTKCellSoft) return 1;
    }
  }
  return 0;
}

RTK_BODY void add_pixel(
    const RTKForeground *foreground, const uint8_t *rgb, uint8_t matte, RTKForegroundSums *sum) {
  uint32_t near = foreground->weights[matte], far = foreground->weights[255 - matte];
  sum->person[0] += near;
  sum->room[0] += far;
  for (int32_t c = 0; c < 3; c++) {
    sum->person[1 + c] += near * rgb[c];
    sum->room[1 + c] += far * rgb[c];
  }
}

/// Adds sixteen pixels.
RTK_BODY void add_row(
    const RTKForeground *foreground, const uint8_t *rgb, const uint8_t *matte, RTKForegroundSums *sum) {
  enum { COUNT = RTKForegroundCell };
  int16_t colors[3][COUNT], weights[2][COUNT];
  for (int32_t i = 0; i < COUNT; i++) {
    weights[0][i] = (int16_t)foreground->weights[matte[i]];
    weights[1][i] = (int16_t)foreground->weights[255 - matte[i]];
    for (int32_t c = 0; c < 3; c++) colors[c][i] = rgb[3 * i + c];
  }
  for (int32_t k = 0; k < 2; k++) {
    uint32_t *out = k == 0 ? sum->person : sum->room;
    int32_t all = 0;
    for (int32_t i = 0; i < COUNT; i++) all += weights[k][i];
    out[0] += (uint32_t)all;
    for (int32_t c = 0; c < 3; c++) {
      all = 0;
      for (int32_t i = 0; i < COUNT; i++) all += (int32_t)weights[k][i] * (int32_t)colors[c][i];
      out[1 + c] += (uint32_t)all;
    }
  }
}

RTK_BODY void foreground_sums(
    const RTKForeground *foreground, const uint8_t *rgb, const uint8_t *matte, const uint8_t *kinds,
    RTKForegroundSums *sums, int32_t firstRow, int32_t rowCount) {
  int32_t width = foreground->width;
  RTKCells cells = rtk_foreground_cells(width, foreground->height);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    for (int32_t column = 0; column < cells.columns; column++) {
      RTKForegroundSums sum = {{0}, {0}};
      // A soft pixel reads colours up to one cell away, and those read sums one cell farther.
      if (is_near_soft(kinds, cells, column, row, 2)) {
        CellSpan span = cell_span(width, foreground->height, column, row);
        for (int32_t y = span.top; y < span.bottom; y++) {
          size_t i = (size_t)y * (size_t)width + (size_t)span.left;
          if (span.right - span.left == RTKForegroundCell) {
            add_row(foreground, rgb + 3 * i, matte + i, &sum);
            continue;
          }
          for (int32_t x = span.left; x < span.right; x++, i++) add_pixel(foreground, rgb + 3 * i, matte[i], &sum);
        }
      }
      sums[(size_t)row * (size_t)cells.columns + (size_t)column] = sum;
    }
  }
}

RTK_BODY int32_t mean_of(uint32_t sum, uint32_t weight) {
  return (int32_t)(((uint64_t)sum * 16 + weight / 2) / weight);
}

RTK_BODY void foreground_colors(
    const RTKForeground *foreground, const RTKForegroundSums *sums, const uint8_t *kinds, RTKForegroundColors *colors,
    int32_t firstRow, int32_t rowCount) {
  RTKCells cells = rtk_foreground_cells(foreground->width, foreground->height);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    for (int32_t column = 0; column < cells.columns; column++) {
      RTKForegroundSums all = {{0}, {0}};
      RTKForegroundColors *out = colors + (size_t)row * (size_t)cells.columns + (size_t)column;
      *out = (RTKForegroundColors){{0}, {0}, 0, 0};
      if (!is_near_soft(kinds, cells, column, row, 1)) continue;
      for (int32_t y = row - 1; y <= row + 1; y++) {
        for (int32_t x = column - 1; x <= column + 1; x++) {
          if (y < 0 || y >= cells.rows || x < 0 || x >= cells.columns) continue;
          const RTKForegroundSums *of = sums + (size_t)y * (size_t)cells.columns + (size_t)x;
          for (int32_t k = 0; k < 4; k++) {
            all.person[k] += of->person[k];
            all.room[k] += of->room[k];
          }
        }
      }
      out->hasPerson = all.person[0] > 0;
      out->hasRoom = all.room[0] > 0;
      for (int32_t c = 0; c < 3; c++) {
        if (out->hasPerson) out->person[c] = (int16_t)mean_of(all.person[1 + c], all.person[0]);
        if (out->hasRoom) out->room[c] = (int16_t)mean_of(all.room[1 + c], all.room[0]);
      }
    }
  }
}

/// The weights of four cells add up to this.
enum { WHOLE = 4 * RTKForegroundCell * RTKForegroundCell };

RTK_BODY void foreground_pixel(
    const RTKForeground *foreground, const RTKForegroundColors *colors, RTKCells cells, int32_t x, int32_t y,
    uint8_t matte, const uint8_t *rgb, uint8_t *out) {
  int32_t weights[2] = {0, 0}, person[3] = {0}, room[3] = {0};
  CellPlace across = rtk_cell_place(x, cells.columns, RTKForegroundCell);
  CellPlace down = rtk_cell_place(y, cells.rows, RTKForegroundCell);
  for (int32_t k = 0; k < 4; k++) {
    int32_t row = k < 2 ? down.first : down.second, column = k & 1 ? across.second : across.first;
    int32_t weight = (k < 2 ? 2 * RTKForegroundCell - down.weight : down.weight) *
                     (k & 1 ? across.weight : 2 * RTKForegroundCell - across.weight);
    const RTKForegroundColors *cell = colors + (size_t)row * (size_t)cells.columns + (size_t)column;
    weights[0] += cell->hasPerson ? weight : 0;
    weights[1] += cell->hasRoom ? weight : 0;
    for (int32_t c = 0; c < 3; c++) {
      person[c] += weight * cell->person[c];
      room[c] += weight * cell->room[c];
    }
  }
  if (weights[0] == 0 || weights[1] == 0) return;
  for (int32_t c = 0; c < 3; c++) {
    // Mostly, all four cells have both: then it is a shift.
    int32_t near = weights[0] == WHOLE ? person[c] / WHOLE : person[c] / weights[0];
    int32_t far = weights[1] == WHOLE ? room[c] / WHOLE : room[c] / weights[1];
    // The residual: the pixel's colour minus the mixture of both means, in 1 / 16 of an 8-bit step.
    int32_t rest = 16 * rgb[c] - (matte * near + (255 - matte) * far) / 255;
    int32_t value = near + rest * foreground->gains[matte] / 4096;
    out[c] = (uint8_t)rtk_clamped((value + 8) >> 4, 255);
  }
}

/// Eight pixels with the same four nearest cells.
/// - cells: above left, above right, below left, below right.
/// - half: of the first pixel, in half pixels from the left cells' centres. `down` is the lower cells' weight.
/// - Returns: 0 without writing anything if one of the cells lacks a colour and a pixel is soft.
RTK_BODY int32_t foreground_span(
    const RTKForeground *foreground, const RTKForegroundColors *const cells[4], int32_t half, int32_t down,
    const uint8_t *restrict matte, const uint8_t *restrict rgb, uint8_t *restrict out) {
  // Most spans of a cell lie wholly inside or outside, where nothing is to be written.
  uint64_t all = RTK_LOAD(uint64_t, matte);
  if (all == 0 || all == UINT64_MAX) return 1;
  for (int32_t k = 0; k < 4; k++) {
    if (!cells[k]->hasPerson || !cells[k]->hasRoom) return 0;
  }
  enum { COUNT = RTKForegroundCell / 2, ONE = 2 * RTKForegroundCell };
  int32_t gains[COUNT], values[3][COUNT];
  for (int32_t i = 0; i < COUNT; i++) gains[i] = foreground->gains[matte[i]];
  for (int32_t c = 0; c < 3; c++) {
    int32_t person = cells[0]->person[c] * (ONE - down) + cells[2]->person[c] * down;
    int32_t otherPerson = cells[1]->person[c] * (ONE - down) + cells[3]->person[c] * down;
    int32_t room = cells[0]->room[c] * (ONE - down) + cells[2]->room[c] * down;
    int32_t otherRoom = cells[1]->room[c] * (ONE - down) + cells[3]->room[c] * down;
    for (int32_t i = 0; i < COUNT; i++) {
      int32_t across = half + 2 * i, m = matte[i];
      int32_t near = (int32_t)((uint32_t)(person * (ONE - across) + otherPerson * across) / WHOLE);
      int32_t far = (int32_t)((uint32_t)(room * (ONE - across) + otherRoom * across) / WHOLE);
      int32_t rest = 16 * rgb[3 * i + c] - (int32_t)((uint32_t)(m * near + (255 - m) * far) / 255);
      values[c][i] = rtk_clamped((near + rest * gains[i] / 4096 + 8) >> 4, 255);
    }
  }
  for (int32_t i = 0; i < COUNT; i++) {
    if ((uint8_t)(matte[i] + 1) <= 1) continue;
    for (int32_t c = 0; c < 3; c++) out[3 * i + c] = (uint8_t)values[c][i];
  }
  return 1;
}

/// Copies a row's pixels in cells that show any of the person.
RTK_BODY void copy_shown(
    const uint8_t *kinds, int32_t width, int32_t columns, const uint8_t *restrict rgb, uint8_t *restrict out) {
  for (int32_t column = 0; column < columns;) {
    int32_t from = column;
    while (column < columns && kinds[column]) column++;
    int32_t left = from * RTKForegroundCell, right = column * RTKForegroundCell;
    if (right > width) right = width;
    if (right > left) memcpy(out + 3 * left, rgb + 3 * left, 3 * (size_t)(right - left));
    while (column < columns && !kinds[column]) column++;
  }
}

RTK_BODY void show_foreground(
    const RTKForeground *foreground, const RTKForegroundColors *colors, const uint8_t *kinds, const uint8_t *rgb,
    const uint8_t *matte, uint8_t *out, int32_t first, int32_t count) {
  int32_t width = foreground->width;
  RTKCells cells = rtk_foreground_cells(width, foreground->height);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *kind = kinds + (size_t)(y / RTKForegroundCell) * (size_t)cells.columns;
    copy_shown(kind, width, cells.columns, rgb + 3 * (size_t)width * (size_t)y, out + 3 * (size_t)width * (size_t)y);
    CellPlace down = rtk_cell_place(y, cells.rows, RTKForegroundCell);
    const RTKForegroundColors *above = colors + (size_t)down.first * (size_t)cells.columns;
    const RTKForegroundColors *below = colors + (size_t)down.second * (size_t)cells.columns;
    for (int32_t column = 0; column < cells.columns; column++) {
      if (!(kind[column] & RTKCellSoft)) continue;
      CellSpan span = cell_span(width, foreground->height, column, 0);
      int32_t from = span.left;
      for (; from + RTKForegroundCell / 2 <= span.right; from += RTKForegroundCell / 2) {
        CellPlace across = rtk_cell_place(from, cells.columns, RTKForegroundCell);
        const RTKForegroundColors *const of[4] = {
            above + across.first, above + across.second, below + across.first, below + across.second};
        size_t i = (size_t)y * (size_t)width + (size_t)from;
        if (!foreground_span(foreground, of, across.weight, down.weight, matte + i, rgb + 3 * i, out + 3 * i)) break;
      }
      for (int32_t x = from; x < span.right; x++) {
        size_t i = (size_t)y * (size_t)width + (size_t)x;
        if ((uint8_t)(matte[i] + 1) <= 1) continue;
        foreground_pixel(foreground, colors, cells, x, y, matte[i], rgb + 3 * i, out + 3 * i);
      }
    }
  }
}

RTK_DEFINE(
    matte_cells,
    (const uint8_t *matte, int32_t width, int32_t height, uint8_t *kinds, int32_t firstRow, int32_t rowCount),
    (matte, width, height, kinds, firstRow, rowCount))

RTK_DEFINE(
    foreground_sums,
    (const RTKForeground *foreground, const uint8_t *rgb, const uint8_t *matte, const uint8_t *kinds,
     RTKForegroundSums *sums, int32_t firstRow, int32_t rowCount),
    (foreground, rgb, matte, kinds, sums, firstRow, rowCount))

RTK_DEFINE(
    foreground_colors,
    (const RTKForeground *foreground, const RTKForegroundSums *sums, const uint8_t *kinds,
     RTKForegroundColors *colors, int32_t firstRow, int32_t rowCount),
    (foreground, sums, kinds, colors, firstRow, rowCount))

RTK_DEFINE(
    show_foreground,
    (const RTKForeground *foreground, const RTKForegroundColors *colors, const uint8_t *kinds, const uint8_t *rgb,
     const uint8_t *matte, uint8_t *out, int32_t first, int32_t count),
    (foreground, colors, kinds, rgb, matte, out, first, count))
