// Corrects a mask by the colours of the empty scene, where depth cannot be trusted.
#include "lanes.h"

/// Where the rows above, at and below a pixel's begin.
typedef struct {
  size_t at[3];
} Rows;

RTK_BODY Rows rows_round(size_t stride, int32_t y, int32_t last) {
  Rows rows;
  for (int32_t k = 0; k < 3; k++) rows.at[k] = stride * (size_t)rtk_clamped(y + k - 1, last);
  return rows;
}

RTK_BODY Lanes16 sum_of_rows(const int16_t *plane, Rows rows, int32_t x) {
  Lanes16 above = RTK_LOAD(Lanes16, plane + rows.at[0] + x), here = RTK_LOAD(Lanes16, plane + rows.at[1] + x);
  return above + here + RTK_LOAD(Lanes16, plane + rows.at[2] + x);
}

/// Sums of 3 by 3 samples round the sixteen from `x` on: below 2^16.
RTK_BODY Lanes16 sum_of_nine(const int16_t *plane, Rows rows, int32_t x, int32_t width) {
  if (x > 0 && x + RTKBlockWidth < width) {
    return sum_of_rows(plane, rows, x - 1) + sum_of_rows(plane, rows, x) + sum_of_rows(plane, rows, x + 1);
  }
  // At the edges, whose samples are repeated.
  uint16_t sums[3][RTKBlockWidth];
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    for (int32_t k = 0; k < 3; k++) {
      int32_t place = rtk_clamped(x + i + k - 1, width - 1);
      sums[k][i] = (uint16_t)(plane[rows.at[0] + place] + plane[rows.at[1] + place] + plane[rows.at[2] + place]);
    }
  }
  return RTK_LOAD(Lanes16, sums[0]) + RTK_LOAD(Lanes16, sums[1]) + RTK_LOAD(Lanes16, sums[2]);
}

RTK_BODY Lanes16 smaller(Lanes16 a, Lanes16 b) {
  Lanes16 isLess = (Lanes16)(a < b);
  return (a & isLess) | (b & ~isLess);
}

RTK_BODY uint8_t any_of(const uint8_t *bytes, int32_t count) {
  uint8_t any = 0;
  for (int32_t i = 0; i < count; i++) any |= bytes[i];
  return any;
}

typedef struct {
  Lanes16 isSame;
  Lanes16 isOther;
} Classes;

/// One channel of sixteen pixels.
RTK_BODY Classes classes_of(
    const int16_t *now, const int16_t *empty, const int16_t *doubts, Rows rows, int32_t x, int32_t width) {
  Lanes16 a = sum_of_nine(now, rows, x, width), b = sum_of_nine(empty, rows, x, width);
  Lanes16 less = smaller(a, b), apart = (a - less) + (b - less), doubt = RTK_LOAD(Lanes16, doubts + rows.at[1] + x);
  // 9 * 48 / 64 and 9 * 145 / 64 of the doubt, rounded up, in 16 bits. Above 1800, the latter is more than sums can
  // differ.
  Lanes16 same = 6 * doubt + ((3 * doubt + 3) >> 2), most = smaller(doubt, (Lanes16){0} + 1801);
  Lanes16 other = 20 * most + ((25 * most + 63) >> 6);
  return (Classes){(Lanes16)(apart < same), (Lanes16)(apart >= other)};
}

RTK_BODY void plate_classes(
    const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted, uint8_t *classes, int32_t first,
    int32_t count) {
  int32_t width = colors->width, last = colors->height - 1;
  size_t stride = (size_t)rtk_block_count(width) * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *wanted = isWanted + (size_t)y * (size_t)width;
    uint8_t *out = classes + (size_t)y * (size_t)width;
    Rows rows = rows_round(stride, y, last);
    for (int32_t x = 0; x < width; x += RTKBlockWidth) {
      int32_t left = width - x < RTKBlockWidth ? width - x : RTKBlockWidth;
      if (!(left == RTKBlockWidth ? any_of(wanted + x, RTKBlockWidth) : any_of(wanted + x, left))) continue;
      Classes red = classes_of(colors->red, plate->colors[0], plate->doubts[0], rows, x, width);
      Classes green = classes_of(colors->green, plate->colors[1], plate->doubts[1], rows, x, width);
      Classes blue = classes_of(colors->blue, plate->colors[2], plate->doubts[2], rows, x, width);
      Lanes16 same = red.isSame & green.isSame & blue.isSame & RTKPlateSame;
      Lanes16 other = (red.isOther | green.isOther | blue.isOther) & RTKPlateOther;
      Bytes16 of = __builtin_convertvector(same | other, Bytes16);
      memcpy(out + x, &of, (size_t)left);
    }
  }
}

RTK_BODY void plate_kinds(
    const RTKPlateZone *zone, const uint16_t *restrict depth, const uint16_t *restrict limits, uint8_t *restrict kinds,
    ptrdiff_t from, ptrdiff_t count) {
  const uint8_t *restrict mask = zone->mask, *restrict measured = zone->measured, *restrict within = zone->within;
  const uint8_t *restrict around = zone->around, *restrict near = zone->near, *restrict deeper = zone->deeper;
  // Without branches, so that the loop becomes vectors.
  for (ptrdiff_t i = from; i < from + count; i++) {
    // isClose: depth is nearer than the empty scene, but by too little for the mask.
    uint8_t isEdge = (around[i] != 0) & (within[i] == 0), isMissing = depth[i] == 0;
    uint8_t isHole = (near[i] != 0) & isMissing;
    uint8_t isFilled = (mask[i] != 0) & (measured[i] == 0);
    uint8_t isClose = (uint8_t)(depth[i] < limits[i]) & (mask[i] == 0) & !isMissing;
    uint8_t isPerson = (measured[i] != 0) & (within[i] != 0) & (deeper[i] == 0);
    kinds[i] = (isEdge | isHole | isFilled | isClose) ? RTKPlateDoubtful : isPerson;
  }
}

RTK_BODY void count_alike(
    const uint8_t *kinds, const uint8_t *classes, int32_t width, int32_t firstRow, int32_t rowCount,
    RTKPlateCount *counts) {
  for (int32_t x = 0, cell = 0; x < width; x += RTKPlateCell, cell++) {
    int32_t columns = width - x < RTKPlateCell ? width - x : RTKPlateCell, count = 0, alike = 0;
    for (int32_t y = firstRow; y < firstRow + rowCount; y++) {
      size_t from = (size_t)y * (size_t)width + (size_t)x;
      for (int32_t i = 0; i < columns; i++) {
        uint8_t isPerson = kinds[from + (size_t)i] == RTKPlatePerson;
        count += isPerson;
        alike += isPerson & (classes[from + (size_t)i] == RTKPlateSame);
      }
    }
    counts[cell] = (RTKPlateCount){count, alike};
  }
}

RTK_BODY void decide_by_color(
    const uint8_t *restrict kinds, const uint8_t *restrict classes, const uint8_t *restrict measured,
    const uint8_t *restrict isAlike, uint8_t *restrict mask, ptrdiff_t from, ptrdiff_t count) {
  for (ptrdiff_t i = from; i < from + count; i++) {
    // In bytes without branches, so that the loop becomes vectors.
    uint8_t isOther = classes[i] == RTKPlateOther ? 255 : 0, isSame = classes[i] == RTKPlateSame ? 255 : 0;
    uint8_t decides = kinds[i] == RTKPlateDoubtful ? 255 : 0, stays = measured[i] & isAlike[i - from];
    uint8_t decided = (uint8_t)(mask[i] & (~isSame | stays)) | isOther;
    mask[i] = (uint8_t)(mask[i] & ~decides) | (decided & decides);
  }
}

RTK_BODY void color_difference(
    const int16_t *restrict colors, const int16_t *restrict others, int16_t *restrict out, ptrdiff_t from,
    ptrdiff_t count) {
  for (ptrdiff_t i = from; i < from + count; i++) {
    out[i] = (int16_t)((colors[i] - others[i]) / 2 + RTKColorOne / 2);
  }
}

RTK_DEFINE(
    plate_classes,
    (const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted, uint8_t *classes, int32_t first,
     int32_t count),
    (colors, plate, isWanted, classes, first, count))

RTK_DEFINE(
    plate_kinds,
    (const RTKPlateZone *zone, const uint16_t *depth, const uint16_t *limits, uint8_t *kinds, ptrdiff_t from,
     ptrdiff_t count),
    (zone, depth, limits, kinds, from, count))

RTK_DEFINE(
    count_alike,
    (const uint8_t *kinds, const uint8_t *classes, int32_t width, int32_t firstRow, int32_t rowCount,
     RTKPlateCount *counts),
    (kinds, classes, width, firstRow, rowCount, counts))

RTK_DEFINE(
    color_difference,
    (const int16_t *colors, const int16_t *others, int16_t *out, ptrdiff_t from, ptrdiff_t count),
    (colors, others, out, from, count))

RTK_DEFINE(
    decide_by_color,
    (const uint8_t *kinds, const uint8_t *classes, const uint8_t *measured, const uint8_t *isAlike, uint8_t *mask,
     ptrdiff_t from, ptrdiff_t count),
    (kinds, classes, measured, isAlike, mask, from, count))
