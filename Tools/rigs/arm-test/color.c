// Colour conversion and blending.
#include "vectors.h"

static const int32_t widths[] = {1, 2, 7, 16, 31, 64, 65, 200, 641};
enum { COUNT = sizeof widths / sizeof *widths };

void color_vectors(void) {
  begin("rtk_blend_rgb");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *out = zeros(3 * n);
    rtk_blend_rgb(
        processor, random_bytes(3 * n), random_bytes(3 * n), random_mask(n, 1), out, widths[i]);
    add(out, 3 * n);
  }
  end();
  begin("rtk_rgb_to_planes");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *y = zeros(n), *u = zeros(n), *v = zeros(n);
    rtk_rgb_to_planes(processor, random_bytes(3 * n), y, u, v, widths[i]);
    add(y, n), add(u, n), add(v, n);
  }
  end();
  begin("rtk_rgb_to_yuyv");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i], row = (n + 1) / 2 * 4;
    uint8_t *out = zeros(3 * row);
    rtk_rgb_to_yuyv(processor, random_bytes(9 * n), out, widths[i], 3);
    add(out, 3 * row);
  }
  end();
  // BT.601, full range.
  RTKColorMatrix matrix = {65536, 91881, -22554, -46802, 116130, 0};
  begin("rtk_rgb_of_yuyv");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *out = zeros(3 * n);
    rtk_rgb_of_yuyv(processor, &matrix, random_bytes((n + 1) / 2 * 4), out, widths[i]);
    add(out, 3 * n);
  }
  end();
  begin("rtk_rgb_of_nv12");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)(widths[i] + 1) / 2 * 2;
    uint8_t *out = zeros(3 * n);
    rtk_rgb_of_nv12(processor, &matrix, random_bytes(n), random_bytes(n), out, widths[i]);
    add(out, 3 * (size_t)widths[i]);
  }
  end();
  begin("rtk_rgb_of_bayer");
  for (int i = 1; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    for (int k = 0; k < 4; k++) {
      uint8_t *out = zeros(3 * n);
      rtk_rgb_of_bayer(
          processor, random_bytes(n), random_bytes(n), random_bytes(n), out, widths[i], k & 1, k >> 1);
      add(out, 3 * n);
    }
  }
  end();
  begin("rtk_blend_light");
  uint16_t *toLight = zeros(512);
  uint8_t *toByte = zeros(65536);
  for (int i = 0; i < 256; i++) toLight[i] = (uint16_t)((uint32_t)(i * i) * 65535u / 65025u);
  for (int i = 0; i < 65536; i++) toByte[i] = (uint8_t)(i >> 8);
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *out = zeros(3 * n);
    rtk_blend_light(
        processor, random_bytes(3 * n), random_bytes(3 * n), random_mask(n, 1), out, widths[i], toLight, toByte);
    add(out, 3 * n);
  }
  end();
}
