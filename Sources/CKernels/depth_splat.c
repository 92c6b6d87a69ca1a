#include "lanes.h"

RTK_BODY int32_t along(int32_t start, int32_t slope, int32_t bend, int64_t step) {
  return start + (int32_t)((step * (slope + ((step * bend) >> 16))) >> 16);
}

void rtk_depth_splat(
    const RTKSplat *splat, const uint16_t *depth, ptrdiff_t firstPlace, int32_t count, uint16_t *target) {
  int32_t lastColumn = splat->width - 1, firstRow = splat->firstRow, lastRow = splat->lastRow, reach = splat->reach;
  for (int32_t i = 0; i < count; i++) {
    uint32_t step = splat->steps[depth[i]];
    if (step == RTKSplatNowhere) continue;
    const RTKSplatPlace *place = splat->places + (ptrdiff_t)(step >> 17) * splat->placeCount + firstPlace + i;
    if (place->scale == 0) continue;
    int64_t s = step & 0x1ffff;
    int32_t x = along(place->x, place->slopeX, place->bendX, s);
    int32_t y = along(place->y, place->slopeY, place->bendY, s);
    int64_t millimeters = ((int64_t)depth[i] * place->scale + splat->shift + (1 << 15)) >> 16;
    if (millimeters < 1 || millimeters > 65535) continue;
    // The pixels whose middles lie within reach.
    int32_t left = (x - reach + 127) >> 8, right = (x + reach - 128) >> 8;
    int32_t top = (y - reach + 127) >> 8, bottom = (y + reach - 128) >> 8;
    if (left < 0) left = 0;
    if (right > lastColumn) right = lastColumn;
    if (top < firstRow) top = firstRow;
    if (bottom > lastRow) bottom = lastRow;
    for (int32_t row = top; row <= bottom; row++) {
      uint16_t *out = target + (ptrdiff_t)row * splat->width;
      for (int32_t column = left; column <= right; column++) {
        // A hole, taken down by one, is farther than anything.
        if ((uint16_t)(out[column] - 1) >= (uint16_t)millimeters) out[column] = (uint16_t)millimeters;
      }
    }
  }
}
