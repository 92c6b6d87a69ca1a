// Corrects a mask by the colours of the empty scene, where depth cannot be trusted.
#include "lanes.h"

RTK_BODY int32_t row_sum(
    const int16_t *const rows[3], const int16_t *const plates[3], const int32_t columns[3]) {
  int32_t sum = 0;
  for (int32_t k = 0; k < 3; k++) {
    for (int32_t i = 0; i < 3; i++) sum += rows[k][columns[i]] - plates[k][columns[i]];
  }
  return sum < 0 ? -sum : sum;
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
    for (int32_t x = 0; x < width; x++) {
      if (!wanted[x]) continue;
      int32_t columns[3] = {x > 0 ? x - 1 : 0, x, x + 1 < width ? x + 1 : x}, most = 0;
      for (int32_t c = 0; c < 3; c++) {
        int32_t value = row_sum(rows[c], plates[c], columns) * 64 / (9 * doubts[c][x]);
        if (value > most) most = value;
      }
      out[x] = (uint8_t)(most > 255 ? 255 : most);
    }
  }
}

RTK_BODY void doubtful_pixels(
    const RTKPlateZone *zone, const uint16_t *restrict depth, const uint16_t *restrict limits, uint8_t *restrict out,
    ptrdiff_t from, ptrdiff_t count) {
  const uint8_t *restrict mask = zone->mask, *restrict measured = zone->measured, *restrict within = zone->within;
  const uint8_t *restrict around = zone->around, *restrict near = zone->near;
  // Without branches, so that the loop becomes vectors.
  for (ptrdiff_t i = from; i < from + count; i++) {
    // isClose: depth is nearer than the empty scene, but by too little for the mask.
    uint8_t isEdge = (around[i] != 0) & (within[i] == 0), isMissing = depth[i] == 0;
    uint8_t isHole = (near[i] != 0) & isMissing;
    uint8_t isFilled = (mask[i] != 0) & (measured[i] == 0);
    uint8_t isClose = (uint8_t)(depth[i] < limits[i]) & (mask[i] == 0) & !isMissing;
    out[i] = (isEdge | isHole | isFilled | isClose) ? 255 : 0;
  }
}

RTK_BODY void decide_by_color(
    const uint8_t *restrict isDoubtful, const uint8_t *restrict difference, uint8_t same, uint8_t other,
    uint8_t *restrict mask, ptrdiff_t from, ptrdiff_t count) {
  for (ptrdiff_t i = from; i < from + count; i++) {
    uint8_t decided = difference[i] > other ? 255 : difference[i] < same ? 0 : mask[i];
    mask[i] = isDoubtful[i] ? decided : mask[i];
  }
}

RTK_DEFINE(
    plate_difference,
    (const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted, uint8_t *difference, int32_t first,
     int32_t count),
    (colors, plate, isWanted, difference, first, count))

RTK_DEFINE(
    doubtful_pixels,
    (const RTKPlateZone *zone, const uint16_t *depth, const uint16_t *limits, uint8_t *out, ptrdiff_t from,
     ptrdiff_t count),
    (zone, depth, limits, out, from, count))

RTK_DEFINE(
    decide_by_color,
    (const uint8_t *isDoubtful, const uint8_t *difference, uint8_t same, uint8_t other, uint8_t *mask, ptrdiff_t from,
     ptrdiff_t count),
    (isDoubtful, difference, same, other, mask, from, count))
