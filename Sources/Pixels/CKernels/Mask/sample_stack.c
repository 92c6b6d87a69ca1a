// Samples of many frames, sorted for each pixel.
#include "lanes.h"

/// Batcher's merge exchange (Knuth, The Art of Computer Programming 3, 5.2.2, algorithm M): for any count, with the same
/// comparisons whatever the values are, so that sixteen pixels are sorted at once.
RTK_BODY void sort_lanes(Lanes16 *samples, int32_t count) {
  int32_t top = 1;
  while (top < count) top *= 2;
  for (int32_t p = top / 2; p > 0; p /= 2) {
    int32_t r = 0, d = p;
    for (int32_t q = top / 2; ; q /= 2) {
      for (int32_t i = 0; i < count - d; i++) {
        if ((i & p) != r) continue;
        Lanes16 a = samples[i], b = samples[i + d], isLess = (Lanes16)(a < b);
        samples[i] = (a & isLess) | (b & ~isLess);
        samples[i + d] = (b & isLess) | (a & ~isLess);
      }
      if (q == p) break;
      d = q - p;
      r = p;
    }
  }
}

RTK_KERNEL(
    sort_samples, (samples, plane, planeCount, from, count),
    uint16_t *samples, ptrdiff_t plane, int32_t planeCount, ptrdiff_t from, ptrdiff_t count) {
  Lanes16 of[RTKMostSamples];
  for (ptrdiff_t x = from; x < from + count; x += RTKBlockWidth) {
    size_t left = (size_t)(from + count - x), byteCount = 2 * (left < RTKBlockWidth ? left : RTKBlockWidth);
    for (int32_t k = 0; k < planeCount; k++) {
      of[k] = (Lanes16){0};
      memcpy(&of[k], samples + plane * k + x, byteCount);
    }
    sort_lanes(of, planeCount);
    for (int32_t k = 0; k < planeCount; k++) memcpy(samples + plane * k + x, &of[k], byteCount);
  }
}
