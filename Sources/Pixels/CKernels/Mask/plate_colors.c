// Corrects a mask by the colours of the empty scene, where depth cannot be trusted.
#include "lanes.h"

enum { COLUMNS = RTKBlockWidth + 2 };

/// The differences of three rows, added up, in the columns from `x` - 1 on; those beyond the edges repeat them.
RTK_BODY void column_sums(
    const int16_t *const rows[3], const int16_t *const plates[3], int32_t x, int32_t width, int32_t out[COLUMNS]) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    out[i + 1] = rows[0][x + i] - plates[0][x + i] + rows[1][x + i] - plates[1][x + i] + rows[2][x + i] -
                 plates[2][x + i];
  }
  int32_t before = x > 0 ? x - 1 : 0, after = x + RTKBlockWidth, beyond = width - x + 1;
  out[0] = 0;
  for (int32_t k = 0; k < 3; k++) out[0] += rows[k][before] - plates[k][before];
  if (after < width) {
    out[COLUMNS - 1] = 0;
    for (int32_t k = 0; k < 3; k++) out[COLUMNS - 1] += rows[k][after] - plates[k][after];
  } else {
    out[beyond] = out[beyond - 1];
  }
}

/// Raises `most` to |sum of 3 by 3| * 64 / (9 * doubt). The dividend has 22 bits, so a float's quotient, rounded, is
/// never the next whole number.
RTK_BODY void raise(const int32_t columns[COLUMNS], const int16_t *restrict doubts, int32_t *restrict most) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int32_t sum = columns[i] + columns[i + 1] + columns[i + 2];
    float apart = (float)((sum < 0 ? -sum : sum) * 64);
    int32_t value = (int32_t)(apart / (float)(9 * (doubts[i] > 1 ? doubts[i] : 1)));
    most[i] = value > most[i] ? value : most[i];
  }
}

RTK_BODY uint8_t any_of(const uint8_t *bytes, int32_t count) {
  uint8_t any = 0;
  for (int32_t i = 0; i < count; i++) any |= bytes[i];
  return any;
}

RTK_BODY void plate_difference(
    const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted, uint8_t *difference, int32_t first,
    int32_t count) {
  int32_t width = colors->width, last = colors->height - 1;
  size_t stride = (size_t)rtk_block_count(width) * RTKBlockWidth;
  const int16_t *now[3] = {colors->red, colors->green, colors->blue};
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *wanted = isWanted + (size_t)y * (size_t)width;
    uint8_t *out = difference + (size_t)y * (size_t)width;
    const int16_t *rows[3][3], *plates[3][3], *doubts[3];
    for (int32_t c = 0; c < 3; c++) {
      for (int32_t k = 0; k < 3; k++) {
        size_t row = stride * (size_t)rtk_clamped(y + k - 1, last);
        rows[c][k] = now[c] + row;
        plates[c][k] = plate->colors[c] + row;
      }
      doubts[c] = plate->doubts[c] + stride * (size_t)y;
    }
    for (int32_t x = 0; x < width; x += RTKBlockWidth) {
      int32_t left = width - x < RTKBlockWidth ? width - x : RTKBlockWidth, most[RTKBlockWidth] = {0};
      if (!(left == RTKBlockWidth ? any_of(wanted + x, RTKBlockWidth) : any_of(wanted + x, left))) continue;
      for (int32_t c = 0; c < 3; c++) {
        int32_t columns[COLUMNS];
        column_sums(rows[c], plates[c], x, width, columns);
        raise(columns, doubts[c] + x, most);
      }
      for (int32_t i = 0; i < left; i++) {
        if (wanted[x + i]) out[x + i] = (uint8_t)(most[i] > 255 ? 255 : most[i]);
      }
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
    const uint8_t *kinds, const uint8_t *difference, uint8_t same, int32_t width, int32_t firstRow, int32_t rowCount,
    RTKPlateCount *counts) {
  for (int32_t x = 0, cell = 0; x < width; x += RTKPlateCell, cell++) {
    int32_t columns = width - x < RTKPlateCell ? width - x : RTKPlateCell, count = 0, alike = 0;
    for (int32_t y = firstRow; y < firstRow + rowCount; y++) {
      size_t from = (size_t)y * (size_t)width + (size_t)x;
      for (int32_t i = 0; i < columns; i++) {
        uint8_t isPerson = kinds[from + (size_t)i] == RTKPlatePerson;
        count += isPerson;
        alike += isPerson & (difference[from + (size_t)i] < same);
      }
    }
    counts[cell] = (RTKPlateCount){count, alike};
  }
}

RTK_BODY void decide_by_color(
    const uint8_t *restrict kinds, const uint8_t *restrict difference, const uint8_t *restrict measured,
    const uint8_t *restrict isAlike, uint8_t same, uint8_t other, uint8_t *restrict mask, ptrdiff_t from,
    ptrdiff_t count) {
  for (ptrdiff_t i = from; i < from + count; i++) {
    // In bytes without branches, so that the loop becomes vectors.
    uint8_t isOther = difference[i] > other ? 255 : 0, isSame = difference[i] < same ? 255 : 0;
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
    plate_difference,
    (const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted, uint8_t *difference, int32_t first,
     int32_t count),
    (colors, plate, isWanted, difference, first, count))

RTK_DEFINE(
    plate_kinds,
    (const RTKPlateZone *zone, const uint16_t *depth, const uint16_t *limits, uint8_t *kinds, ptrdiff_t from,
     ptrdiff_t count),
    (zone, depth, limits, kinds, from, count))

RTK_DEFINE(
    count_alike,
    (const uint8_t *kinds, const uint8_t *difference, uint8_t same, int32_t width, int32_t firstRow, int32_t rowCount,
     RTKPlateCount *counts),
    (kinds, difference, same, width, firstRow, rowCount, counts))

RTK_DEFINE(
    color_difference,
    (const int16_t *colors, const int16_t *others, int16_t *out, ptrdiff_t from, ptrdiff_t count),
    (colors, others, out, from, count))

RTK_DEFINE(
    decide_by_color,
    (const uint8_t *kinds, const uint8_t *difference, const uint8_t *measured, const uint8_t *isAlike, uint8_t same,
     uint8_t other, uint8_t *mask, ptrdiff_t from, ptrdiff_t count),
    (kinds, difference, measured, isAlike, same, other, mask, from, count))
