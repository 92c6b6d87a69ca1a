#include "lanes.h"

// Scalar loops, which the compiler vectorizes for each variant.

RTK_BODY uint8_t luma(int32_t r, int32_t g, int32_t b) {
  return (uint8_t)(((16829 * r + 33039 * g + 6416 * b + 32768) >> 16) + 16);
}

/// - shift: 16, or 17 if r, g and b are the sums of two pixels.
RTK_BODY uint8_t blue_difference(int32_t r, int32_t g, int32_t b, int shift) {
  return (uint8_t)(((-9714 * r - 19071 * g + 28785 * b + (1 << (shift - 1))) >> shift) + 128);
}

RTK_BODY uint8_t red_difference(int32_t r, int32_t g, int32_t b, int shift) {
  return (uint8_t)(((28784 * r - 24103 * g - 4681 * b + (1 << (shift - 1))) >> shift) + 128);
}

RTK_KERNEL(
    rgb_to_planes, (rgb, y, u, v, count),
    const uint8_t *restrict rgb, uint8_t *restrict y, uint8_t *restrict u, uint8_t *restrict v, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    y[i] = luma(r, g, b);
    u[i] = blue_difference(r, g, b, 16);
    v[i] = red_difference(r, g, b, 16);
  }
}

RTK_BODY void pairs(const uint8_t *restrict rgb, uint8_t *restrict out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const uint8_t *p = rgb + 6 * i;
    int32_t r = p[0] + p[3], g = p[1] + p[4], b = p[2] + p[5];
    out[4 * i] = luma(p[0], p[1], p[2]);
    out[4 * i + 1] = blue_difference(r, g, b, 17);
    out[4 * i + 2] = luma(p[3], p[4], p[5]);
    out[4 * i + 3] = red_difference(r, g, b, 17);
  }
}

RTK_KERNEL(rgb_to_yuyv, (rgb, out, width, height), const uint8_t *rgb, uint8_t *out, int32_t width, int32_t height) {
  for (int32_t row = 0; row < height; row++) {
    pairs(rgb, out, width / 2);
    rgb += 3 * (ptrdiff_t)width;
    out += 4 * (ptrdiff_t)((width + 1) / 2);
    if (width % 2) {
      uint8_t last[6];
      memcpy(last, rgb - 3, 3);
      memcpy(last + 3, rgb - 3, 3);
      pairs(last, out - 4, 1);
    }
  }
}
