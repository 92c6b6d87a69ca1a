// Video and background effects.
#include "vectors.h"

static const int32_t widths[] = {1, 2, 9, 16, 33, 65, 320};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 11 };

static RTKSoftPlane soft(int32_t width, int32_t height, int isRandom) {
  int32_t stride = (4 * width + 31) / 32 * 32;
  size_t n = (size_t)stride * (size_t)height;
  return (RTKSoftPlane){isRandom ? random_samples(n, 0, 16320) : zeros(2 * n), width, height, stride};
}

/// The pixels; rows may be padded with anything.
static void add_soft(const RTKSoftPlane *plane) {
  for (int32_t y = 0; y < plane->height; y++) add(plane->samples + y * plane->stride, 8 * (size_t)plane->width);
}

void effect_vectors(void) {
  begin("rtk_half_rgb");
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane half = soft((widths[i] + 1) / 2, (HEIGHT + 1) / 2, 0);
    rtk_half_rgb(
        processor, random_bytes(3 * (size_t)widths[i] * HEIGHT), widths[i], HEIGHT, &half, 0, half.height,
        zeros(rtk_half_scratch(widths[i])));
    add_soft(&half);
  }
  end();
  begin("rtk_half_soft");
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane source = soft(widths[i], HEIGHT, 1), half = soft((widths[i] + 1) / 2, (HEIGHT + 1) / 2, 0);
    rtk_half_soft(processor, &source, &half, 0, half.height, zeros(rtk_half_scratch(widths[i])));
    add_soft(&half);
  }
  end();
  begin("rtk_soften_rgb");
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane plane = soft(widths[i], HEIGHT, 0);
    rtk_soften_rgb(processor, random_bytes(3 * (size_t)widths[i] * HEIGHT), &plane, 0, HEIGHT);
    add_soft(&plane);
  }
  end();
  RTKSoftWeights weights = {3, {20000, 12768, 8000, 2000}};
  begin("rtk_weigh_along");
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane source = soft(widths[i], HEIGHT, 1), target = soft(widths[i], HEIGHT, 0);
    rtk_weigh_along(processor, &weights, &source, &target, 0, HEIGHT, zeros(rtk_weigh_scratch(widths[i])));
    add_soft(&target);
  }
  end();
  begin("rtk_weigh_down");
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane source = soft(widths[i], HEIGHT, 1), target = soft(widths[i], HEIGHT, 0);
    rtk_weigh_down(processor, &weights, &source, &target, 0, HEIGHT);
    add_soft(&target);
  }
  end();
  begin("rtk_soft_luma");
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane plane = soft(widths[i], HEIGHT, 1);
    rtk_soft_luma(processor, &plane, 0, HEIGHT);
    add_soft(&plane);
  }
  end();
  begin("rtk_variable_blur");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKVariableBlur blur = {widths[i], 2, {{{soft((widths[i] + 3) / 4, (HEIGHT + 3) / 4, 1), 4}, 8000, 6000, 5},
                                           {{soft((widths[i] + 1) / 2, (HEIGHT + 1) / 2, 1), 2}, 15000, 7000, 4}}};
    uint8_t *out = zeros(3 * n);
    rtk_variable_blur(
        processor, &blur, random_bytes(3 * n), random_mask(n, 1), out, 0, HEIGHT,
        zeros(rtk_variable_blur_scratch(&blur)));
    add(out, 3 * n);
  }
  end();
  begin("rtk_light_wrap");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKSoftLevel level = {soft((widths[i] + 3) / 4, (HEIGHT + 3) / 4, 1), 4};
    uint8_t *picture = random_bytes(3 * n);
    rtk_light_wrap(
        processor, &level, 12000, random_mask(n, 1), picture, widths[i], 0, HEIGHT,
        zeros(rtk_light_wrap_scratch(&level)));
    add(picture, 3 * n);
  }
  end();
  begin("rtk_fade_rgb");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *out = zeros(3 * n);
    rtk_fade_rgb(processor, random_bytes(3 * n), random_mask(n, 1), out, widths[i]);
    add(out, 3 * n);
  }
  end();
  begin("rtk_comic_tone");
  RTKComicTone tone = {2720, 6, 9000, 300, 8};
  for (int i = 0; i < COUNT; i++) {
    RTKSoftPlane fine = soft(widths[i], HEIGHT, 1), smooth = soft(widths[i], HEIGHT, 1), target = soft(widths[i], HEIGHT, 0);
    rtk_comic_tone(processor, &tone, &fine, &smooth, &target, 0, HEIGHT);
    add_soft(&target);
  }
  end();
  begin("rtk_rosy");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *out = zeros(3 * n);
    rtk_rosy(processor, random_bytes(3 * n), out, widths[i]);
    add(out, 3 * n);
  }
  end();
  begin("rtk_color_matrix");
  RTKColorTransform matrix = {{{3000, 900, 196}, {-200, 4396, -100}, {500, 500, 3096}}, {4096, -9000, 20000}};
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *out = zeros(3 * n);
    rtk_color_matrix(processor, &matrix, random_bytes(3 * n), out, widths[i]);
    add(out, 3 * n);
  }
  end();
  begin("rtk_despill");
  for (int i = 0; i < COUNT; i++)
    for (int channel = 1; channel < 3; channel++) {
      size_t n = (size_t)widths[i];
      uint8_t *out = zeros(3 * n);
      rtk_despill(processor, random_bytes(3 * n), out, widths[i], channel, 25000);
      add(out, 3 * n);
    }
  end();
  begin("rtk_mix_grey");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *picture = random_bytes(3 * n);
    rtk_mix_grey(processor, picture, random_bytes(n), 7000, widths[i]);
    add(picture, 3 * n);
  }
  end();
}
