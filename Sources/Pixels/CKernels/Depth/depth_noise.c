#include "lanes.h"

/// SplitMix64's increment; `mixed` is its finalizer.
static const uint64_t GOLDEN = 0x9E3779B97F4A7C15u;

RTK_BODY uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

RTK_BODY int32_t sum_of_four(uint64_t word) {
  uint64_t pairs = (word & 0x0000FFFF0000FFFFu) + (word >> 16 & 0x0000FFFF0000FFFFu);
  return (int32_t)((pairs & 0xFFFFFFFFu) + (pairs >> 32));
}

RTK_KERNEL(
    depth_noise, (n, depth, out, count),
    const RTKDepthNoise *n, const uint16_t *depth, uint16_t *out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    uint16_t sample = depth[i] & n->bits;
    int64_t spread = n->spread[sample];
    uint64_t at = n->key + GOLDEN * (2 * (uint64_t)i + 1);
    int64_t bell = sum_of_four(mixed(at)) + sum_of_four(mixed(at + GOLDEN)) - RTKBellMean;
    int64_t value = sample + ((bell * spread + (1 << (RTKSpreadFraction - 1))) >> RTKSpreadFraction);
    value = value < n->lowest ? n->lowest : value > n->highest ? n->highest : value;
    out[i] = spread == 0 ? depth[i] : (uint16_t)value;
  }
}
