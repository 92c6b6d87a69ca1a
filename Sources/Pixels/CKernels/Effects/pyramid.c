// Halved copies of a picture: a wide Gaussian of the picture is a narrow one of a small copy.
#include "soft.h"

/// Margin in pixels that a halved row reads on both sides of its source.
enum { EDGE = 4 };

size_t rtk_half_scratch(int32_t sourceWidth) {
  // Two lines of 16-bit samples, up to four per pixel.
  return 2 * rtk_padded(4 * ((size_t)sourceWidth + 6 * EDGE) * sizeof(uint16_t));
}

#define ONE_THREE(a, b, c, d) ((a) + (d) + 3 * ((b) + (c)))

RTK_KERNEL(
    half_rgb, (source, width, height, half, first, count, scratch),
    const uint8_t *source, int32_t width, int32_t height, const RTKSoftPlane *half, int32_t first, int32_t count,
    void *scratch) {
  size_t rowLength = 3 * (size_t)width;
  uint16_t *down = (uint16_t *)scratch + 3 * EDGE;
  uint16_t *along = (uint16_t *)((uint8_t *)scratch + rtk_half_scratch(width) / 2);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *rows[4];
    for (int32_t k = 0; k < 4; k++) rows[k] = source + rowLength * (size_t)rtk_clamped(2 * y - 1 + k, height - 1);
    size_t i = 0;
    for (; i + 16 <= rowLength; i += 16) {
      Lanes16 a = __builtin_convertvector(RTK_LOAD(Bytes16, rows[0] + i), Lanes16);
      Lanes16 b = __builtin_convertvector(RTK_LOAD(Bytes16, rows[1] + i), Lanes16);
      Lanes16 c = __builtin_convertvector(RTK_LOAD(Bytes16, rows[2] + i), Lanes16);
      Lanes16 d = __builtin_convertvector(RTK_LOAD(Bytes16, rows[3] + i), Lanes16);
      RTK_STORE(down + i, ONE_THREE(a, b, c, d));
    }
    for (; i < rowLength; i++) {
      down[i] = (uint16_t)ONE_THREE(rows[0][i], rows[1][i], rows[2][i], rows[3][i]);
    }
    for (int32_t k = 0; k < 3; k++) {
      down[k - 3] = down[k];
      // With an odd source width, the last half pixel reads two pixels beyond the edge.
      for (size_t j = 0; j < 3 * EDGE; j += 3) down[rowLength + j + (size_t)k] = down[rowLength - 3 + (size_t)k];
    }
    size_t needed = 6 * (size_t)half->width;
    for (i = 0; i < needed; i += 16) {
      Lanes16 a = RTK_LOAD(Lanes16, down + i - 3), b = RTK_LOAD(Lanes16, down + i);
      Lanes16 c = RTK_LOAD(Lanes16, down + i + 3), d = RTK_LOAD(Lanes16, down + i + 6);
      RTK_STORE(along + i, ONE_THREE(a, b, c, d));
    }
    uint8_t *out = (uint8_t *)(half->samples + (size_t)half->stride * (size_t)y);
    for (int32_t x = 0; x < half->width; x++) {
      uint64_t pixel = RTK_LOAD(uint64_t, along + 6 * x) & 0x0000FFFFFFFFFFFF;
      RTK_STORE(out + 8 * x, pixel);
    }
  }
}

/// (a + 3 b + 3 c + d + 4) >> 3 of 16-bit samples, without overflow.
#define ONE_THREE_SOFT(a, b, c, d)                         \
  ({                                                       \
    Words16 outer_ = (a) + (d), inner_ = (b) + (c);        \
    (inner_ >> 1) + ((outer_ - inner_ + 4 * (inner_ & 1) + 4) >> 3); \
  })

#define EVERY_OTHER(from)                                                                       \
  (Words16) __builtin_shufflevector(RTK_LOAD(Lanes64, from), RTK_LOAD(Lanes64, (from) + 16), 0, 2, 4, 6)

RTK_KERNEL(
    half_soft, (source, half, first, count, scratch),
    const RTKSoftPlane *source, const RTKSoftPlane *half, int32_t first, int32_t count, void *scratch) {
  int16_t *down = (int16_t *)scratch + 4 * EDGE;
  int32_t width = source->width;
  for (int32_t y = first; y < first + count; y++) {
    const int16_t *rows[4];
    for (int32_t k = 0; k < 4; k++) {
      rows[k] = source->samples + (size_t)source->stride * (size_t)rtk_clamped(2 * y - 1 + k, source->height - 1);
    }
    for (int32_t i = 0; i < source->stride; i += 16) {
      Words16 a = RTK_LOAD(Words16, rows[0] + i), b = RTK_LOAD(Words16, rows[1] + i);
      Words16 c = RTK_LOAD(Words16, rows[2] + i), d = RTK_LOAD(Words16, rows[3] + i);
      RTK_STORE(down + i, ONE_THREE_SOFT(a, b, c, d));
    }
    uint64_t start = RTK_LOAD(uint64_t, down), end = RTK_LOAD(uint64_t, down + 4 * (width - 1));
    RTK_STORE(down - 4, start);
    for (int32_t k = 0; k < EDGE; k++) RTK_STORE(down + 4 * (width + k), end);
    int16_t *out = half->samples + (size_t)half->stride * (size_t)y;
    for (int32_t i = 0; i < 4 * half->width; i += 16) {
      const int16_t *at = down + 2 * i;
      RTK_STORE(
          out + i, ONE_THREE_SOFT(EVERY_OTHER(at - 4), EVERY_OTHER(at), EVERY_OTHER(at + 4), EVERY_OTHER(at + 8)));
    }
  }
}

RTK_KERNEL(
    soften_rgb, (source, plane, first, count),
    const uint8_t *source, const RTKSoftPlane *plane, int32_t first, int32_t count) {
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *in = source + 3 * (size_t)plane->width * (size_t)y;
    int16_t *out = plane->samples + (size_t)plane->stride * (size_t)y;
    for (int32_t x = 0; x < plane->width; x++) {
      for (int32_t k = 0; k < 3; k++) out[4 * x + k] = (int16_t)(in[3 * x + k] << 6);
      out[4 * x + 3] = 0;
    }
  }
}
