#include "lanes.h"

RTK_KERNEL(
    mask_nearer, (depth, mask, count, limit),
    const uint16_t *depth, uint8_t *mask, ptrdiff_t count, uint16_t limit) {
  if (limit == 0) {
    memset(mask, 0, (size_t)count);
    return;
  }
  // Subtracting 1 turns a hole into 65535, so one comparison covers both conditions.
  uint16_t last = (uint16_t)(limit - 1);
  // Prefetch distance in pixels, sufficient even if the depth is only in main memory.
  enum { AHEAD = 512 };
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    __builtin_prefetch(depth + i + AHEAD);
    __builtin_prefetch(mask + i + AHEAD, 1);
    Lanes16 isNear = (Lanes16)(RTK_LOAD(Lanes16, depth + i) - 1 <= last);
    RTK_STORE(mask + i, __builtin_convertvector(isNear, Bytes16));
  }
  for (; i < count; i++) mask[i] = (uint16_t)(depth[i] - 1) <= last ? 255 : 0;
}
