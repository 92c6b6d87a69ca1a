#include "soft.h"

RTK_KERNEL(
    depth_range, (depth, count, lowest, highest),
    const uint16_t *depth, ptrdiff_t count, uint16_t *lowest, uint16_t *highest) {
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

RTK_KERNEL(
    depth_grey, (depth, grey, count, lowest, reciprocal),
    const uint16_t *depth, int16_t *grey, ptrdiff_t count, uint16_t lowest, uint32_t reciprocal) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint32_t value = depth[i], above = value > lowest ? value - lowest : 0;
    grey[i] = (int16_t)((above * reciprocal + (1 << 15)) >> 16);
  }
}
