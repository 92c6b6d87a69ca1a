// Upscales a blur level to the video's size: first one row, then blocks of sixteen pixels of it.
#ifndef RETAKE_UPSCALE_H
#define RETAKE_UPSCALE_H

#include "soft.h"

/// Pixels that a block reads beyond the right end of a line.
enum { RTKLineEdge = 24 };

RTK_BODY size_t rtk_line_scratch(const RTKSoftLevel *level) {
  return rtk_padded(4 * ((size_t)level->plane.stride / 4 + 8 + RTKLineEdge) * sizeof(int16_t));
}

/// Address of a line's first pixel, after a margin of four pixels.
RTK_BODY int16_t *rtk_line(void *memory) { return (int16_t *)memory + 16; }

/// Interpolates a row of the level at (y + 1/2) / scale - 1/2, edges repeated.
RTK_BODY void rtk_make_line(const RTKSoftLevel *level, int32_t y, int16_t *line) {
  const RTKSoftPlane *plane = &level->plane;
  int32_t place = 2 * y + 1 - level->scale, whole = 2 * level->scale;
  int32_t row = place < 0 ? -1 : place / whole;
  int16_t weight = (int16_t)((place - row * whole) * (32768 / whole));
  const int16_t *a = plane->samples + (size_t)plane->stride * (size_t)rtk_clamped(row, plane->height - 1);
  const int16_t *b = plane->samples + (size_t)plane->stride * (size_t)rtk_clamped(row + 1, plane->height - 1);
  Words16 weights = (Words16){} + weight;
  for (int32_t i = 0; i < plane->stride; i += 16) {
    Words16 upper = RTK_LOAD(Words16, a + i);
    RTK_STORE(line + i, upper + RTK_SCALED(RTK_LOAD(Words16, b + i) - upper, weights));
  }
  uint64_t first = RTK_LOAD(uint64_t, line), last = RTK_LOAD(uint64_t, line + 4 * (plane->width - 1));
  RTK_STORE(line - 4, first);
  for (int32_t k = 0; k < RTKLineEdge; k++) RTK_STORE(line + 4 * (plane->width + k), last);
}

/// Interpolates four pixels; a ... d are the weights of `far`, unit 1 / (2 * scale).
#define RTK_BETWEEN(near, far, scale, a, b, c, d)                                                               \
  ({                                                                                                            \
    enum { s_ = 16384 / (scale) };                                                                              \
    const Words16 share_ = {a * s_, a * s_, a * s_, a * s_, b * s_, b * s_, b * s_, b * s_,                      \
                            c * s_, c * s_, c * s_, c * s_, d * s_, d * s_, d * s_, d * s_};                     \
    Words16 first_ = (Words16)(near);                                                                           \
    first_ + RTK_SCALED((Words16)(far) - first_, share_);                                                       \
  })

/// Upscales sixteen pixels from `x`, a multiple of sixteen.
RTK_BODY void rtk_upscale_block(int32_t scale, const int16_t *line, int32_t x, int16_t *out) {
  switch (scale) {
    case 1: memcpy(out, line + 4 * x, 64 * sizeof(int16_t)); break;
    case 2:
      for (int32_t g = 0; g < 4; g++) {
        Lanes64 from = RTK_LOAD(Lanes64, line + 4 * (x / 2 + 2 * g - 1));
        Lanes64 near = __builtin_shufflevector(from, from, 0, 1, 1, 2), far = __builtin_shufflevector(from, from, 1, 2, 2, 3);
        RTK_STORE(out + 16 * g, RTK_BETWEEN(near, far, 2, 3, 1, 3, 1));
      }
      break;
    case 4:
      for (int32_t g = 0; g < 4; g++) {
        Lanes64 from = RTK_LOAD(Lanes64, line + 4 * (x / 4 + g - 1));
        Lanes64 near = __builtin_shufflevector(from, from, 0, 0, 1, 1), far = __builtin_shufflevector(from, from, 1, 1, 2, 2);
        RTK_STORE(out + 16 * g, RTK_BETWEEN(near, far, 4, 5, 7, 1, 3));
      }
      break;
    case 8:
      for (int32_t g = 0; g < 4; g += 2) {
        Lanes64 from = RTK_LOAD(Lanes64, line + 4 * (x / 8 + g / 2 - 1));
        Lanes64 a = __builtin_shufflevector(from, from, 0, 0, 0, 0), b = __builtin_shufflevector(from, from, 1, 1, 1, 1);
        Lanes64 c = __builtin_shufflevector(from, from, 2, 2, 2, 2);
        RTK_STORE(out + 16 * g, RTK_BETWEEN(a, b, 8, 9, 11, 13, 15));
        RTK_STORE(out + 16 * g + 16, RTK_BETWEEN(b, c, 8, 1, 3, 5, 7));
      }
      break;
    default: {
      Lanes64 from = RTK_LOAD(Lanes64, line + 4 * (x / 16 - 1));
      Lanes64 a = __builtin_shufflevector(from, from, 0, 0, 0, 0), b = __builtin_shufflevector(from, from, 1, 1, 1, 1);
      Lanes64 c = __builtin_shufflevector(from, from, 2, 2, 2, 2);
      RTK_STORE(out, RTK_BETWEEN(a, b, 16, 17, 19, 21, 23));
      RTK_STORE(out + 16, RTK_BETWEEN(a, b, 16, 25, 27, 29, 31));
      RTK_STORE(out + 32, RTK_BETWEEN(b, c, 16, 1, 3, 5, 7));
      RTK_STORE(out + 48, RTK_BETWEEN(b, c, 16, 9, 11, 13, 15));
    }
  }
}

#endif
