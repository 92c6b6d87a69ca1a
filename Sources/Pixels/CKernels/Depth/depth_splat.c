#include "lanes.h"

RTK_BODY int32_t along(int32_t start, int32_t slope, int32_t bend, int64_t step) {
  return start + (int32_t)((step * (slope + ((step * bend) >> 16))) >> 16);
}

/// The smaller depth. Subtracting 1 turns a hole into 65535. Branch-free, as it is unpredictable.
RTK_BODY uint16_t nearest(uint16_t there, uint16_t millimeters) {
  uint16_t a = (uint16_t)(there - 1), b = (uint16_t)(millimeters - 1);
  return (uint16_t)((a < b ? a : b) + 1);
}

void rtk_depth_splat(
    const RTKSplat *splat, const uint16_t *depth, ptrdiff_t firstPlace, int32_t count, uint16_t *target) {
  int32_t width = splat->width, firstRow = splat->firstRow, lastRow = splat->lastRow, reach = splat->reach;
  // A pixel then covers at most two target pixels each way.
  int isShort = reach < 256;
  for (int32_t i = 0; i < count; i++) {
    uint32_t step = splat->steps[depth[i]];
    if (step == RTKSplatNowhere) continue;
    const RTKSplatPlace *place = splat->places + (ptrdiff_t)(step >> 17) * splat->placeCount + firstPlace + i;
    if (place->scale == 0) continue;
    int64_t s = step & 0x1ffff;
    int32_t y = along(place->y, place->slopeY, place->bendY, s);
    int32_t top = (y - reach + 127) >> 8, bottom = (y + reach - 128) >> 8;
    if (bottom < firstRow || top > lastRow) continue;
    int32_t x = along(place->x, place->slopeX, place->bendX, s);
    int32_t left = (x - reach + 127) >> 8, right = (x + reach - 128) >> 8;
    if (right < 0 || left >= width) continue;
    int64_t distance = ((int64_t)depth[i] * place->scale + splat->shift + (1 << 15)) >> 16;
    if (distance < 1 || distance > 65535) continue;
    uint16_t millimeters = (uint16_t)distance;
    if (left < 0) left = 0;
    if (right >= width) right = width - 1;
    if (top < firstRow) top = firstRow;
    if (bottom > lastRow) bottom = lastRow;
    if (isShort) {
      uint16_t *upper = target + (ptrdiff_t)top * width, *lower = target + (ptrdiff_t)bottom * width;
      // Loads precede the stores: the four are often one pixel and would wait for each other.
      uint16_t a = nearest(upper[left], millimeters), b = nearest(upper[right], millimeters);
      uint16_t c = nearest(lower[left], millimeters), d = nearest(lower[right], millimeters);
      upper[left] = a;
      upper[right] = b;
      lower[left] = c;
      lower[right] = d;
      continue;
    }
    for (int32_t row = top; row <= bottom; row++) {
      for (int32_t column = left; column <= right; column++) {
        uint16_t *out = target + (ptrdiff_t)row * width + column;
        *out = nearest(*out, millimeters);
      }
    }
  }
}
