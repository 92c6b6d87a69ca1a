// Separable Gaussians of soft planes. Samples at equal distance share a weight and are added first.
#include "soft.h"

typedef uint32_t Sums32 __attribute__((vector_size(64)));

#define PART(sum, weight)                                                                                     \
  __builtin_convertvector(                                                                                    \
      (__builtin_convertvector((sum), Sums32) * __builtin_convertvector((weight), Sums32)) >> 16, Lanes16)

/// Filters two vectors; `up(k, n)` and `down(k, n)` load the samples at distance k.
#define WEIGH(weights, up, down, out)                                                       \
  do {                                                                                      \
    const RTKSoftWeights *w_ = (weights);                                                   \
    Lanes16 middle_ = (Lanes16){} + w_->half[0], half_ = (Lanes16){} + (uint16_t)((w_->radius + 1) / 2); \
    Lanes16 first_ = half_ + PART(up(0, 0), middle_), second_ = half_ + PART(up(0, 16), middle_); \
    for (int32_t k = 1; k <= w_->radius; k++) {                                             \
      Lanes16 weight_ = (Lanes16){} + w_->half[k];                                            \
      Lanes16 one_ = up(k, 0) + down(k, 0), other_ = up(k, 16) + down(k, 16);                \
      first_ += PART(one_, weight_);                                                        \
      second_ += PART(other_, weight_);                                                     \
    }                                                                                       \
    RTK_STORE(out, first_);                                                                 \
    RTK_STORE((out) + 16, second_);                                                         \
  } while (0)

size_t rtk_weigh_scratch(int32_t width) {
  return rtk_padded(4 * ((size_t)width + 2 * RTKMaximumTaps + 8) * sizeof(int16_t));
}

#define LEFT(k, n) RTK_LOAD(Lanes16, line + i + (n) - 4 * (k))
#define RIGHT(k, n) RTK_LOAD(Lanes16, line + i + (n) + 4 * (k))

RTK_KERNEL(
    weigh_along, (weights, source, target, first, count, scratch),
    const RTKSoftWeights *weights, const RTKSoftPlane *source, const RTKSoftPlane *target, int32_t first,
    int32_t count, void *scratch) {
  int16_t *line = (int16_t *)scratch + 4 * RTKMaximumTaps;
  int32_t width = source->width;
  for (int32_t y = first; y < first + count; y++) {
    memcpy(line, source->samples + (size_t)source->stride * (size_t)y, 4 * (size_t)width * sizeof(int16_t));
    uint64_t start = RTK_LOAD(uint64_t, line), end = RTK_LOAD(uint64_t, line + 4 * (width - 1));
    for (int32_t k = 1; k <= weights->radius; k++) RTK_STORE(line - 4 * k, start);
    // The margin reaches to the end of the row's last vector.
    for (int32_t k = 0; k < weights->radius + 8; k++) RTK_STORE(line + 4 * (width + k), end);
    int16_t *out = target->samples + (size_t)target->stride * (size_t)y;
    for (int32_t i = 0; i < target->stride; i += 32) WEIGH(weights, LEFT, RIGHT, out + i);
  }
}

#define ABOVE(k, n) RTK_LOAD(Lanes16, above[k] + i + (n))
#define BELOW(k, n) RTK_LOAD(Lanes16, below[k] + i + (n))

RTK_KERNEL(
    weigh_down, (weights, source, target, first, count),
    const RTKSoftWeights *weights, const RTKSoftPlane *source, const RTKSoftPlane *target, int32_t first,
    int32_t count) {
  for (int32_t y = first; y < first + count; y++) {
    const int16_t *above[RTKMaximumTaps], *below[RTKMaximumTaps];
    for (int32_t k = 0; k <= weights->radius; k++) {
      above[k] = source->samples + (size_t)source->stride * (size_t)rtk_clamped(y - k, source->height - 1);
      below[k] = source->samples + (size_t)source->stride * (size_t)rtk_clamped(y + k, source->height - 1);
    }
    int16_t *out = target->samples + (size_t)target->stride * (size_t)y;
    for (int32_t i = 0; i < target->stride; i += 32) WEIGH(weights, ABOVE, BELOW, out + i);
  }
}
