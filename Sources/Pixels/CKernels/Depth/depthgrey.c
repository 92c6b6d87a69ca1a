#include "soft.h"

RTK_BODY void depth_range(const uint16_t *depth, ptrdiff_t count, uint16_t *lowest, uint16_t *highest) {
  // Subtracting 1 turns a hole into 65535, which is never the minimum.
  uint16_t low = (uint16_t)(*lowest - 1), high = *highest;
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t value = (uint16_t)(depth[i] - 1);
    low = value < low ? value : low;
    high = depth[i] > high ? depth[i] : high;
  }
  *lowest = (uint16_t)(low + 1);
  *highest = high;
}
RTK_DEFINE(
    depth_range, (const uint16_t *depth, ptrdiff_t count, uint16_t *lowest, uint16_t *highest),
    (depth, count, lowest, highest))

RTK_BODY void depth_grey(
    const uint16_t *depth, int16_t *grey, ptrdiff_t count, uint16_t lowest, uint32_t reciprocal) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t value = depth[i], above = value > lowest ? value - lowest : 0;
    grey[i] = (int16_t)((above * reciprocal + (1 << 15)) >> 16);
  }
}
RTK_DEFINE(
    depth_grey, (const uint16_t *depth, int16_t *grey, ptrdiff_t count, uint16_t lowest, uint32_t reciprocal),
    (depth, grey, count, lowest, reciprocal))
