// Blur, bend, scaling, smoothing, grey.
#include "vectors.h"

static const int32_t widths[] = {3, 16, 33, 64, 127, 320};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 17, RADIUS = 4 };

static size_t blocks_of(int32_t width) { return ((size_t)width + 15) / 16; }

/// A triangle of weights, 1 2 3 4 5 4 3 2 1 of 25, along x; along y its taps with 15 bits.
static RTKBlur blur_of(int32_t width) {
  static uint32_t steps[2 * RADIUS];
  static int16_t taps[RADIUS + 2], rests[RADIUS + 2];
  static const int weights[RADIUS + 1] = {5, 4, 3, 2, 1};
  uint32_t sum = 0;
  for (int k = -RADIUS; k < RADIUS; k++) {
    sum += (uint32_t)((uint64_t)RTKBlurOne * (uint64_t)weights[k < 0 ? -k : k] / 25);
    steps[k + RADIUS] = sum;
  }
  for (int k = 0; k <= RADIUS; k++) {
    // The middle counts twice, so it is halved.
    int32_t exact = RTKBlurOne * weights[k] / 25 / (k ? 1 : 2);
    taps[k] = (int16_t)(exact >> 9);
    rests[k] = (int16_t)(exact - (taps[k] << 9));
  }
  taps[RADIUS + 1] = rests[RADIUS + 1] = 0;
  return (RTKBlur){width, HEIGHT, RADIUS, steps, taps, rests, (RADIUS + 2) / 2, (RADIUS + 2) / 2, 15};
}

/// Doubled samples that grow with the blurred value. Octaves have two cells.
static RTKBend bend_of(void) {
  static int16_t curve[2 * (2 * 26 + 2)];
  int cells = sizeof curve / sizeof *curve / 2;
  for (int k = 0; k < cells; k++) {
    curve[2 * k] = (int16_t)(k * 2 * 16319 / cells);
    curve[2 * k + 1] = (int16_t)((k + 1) * 2 * 16319 / cells - curve[2 * k]);
  }
  return (RTKBend){curve, 1, 1, 0};
}

static void scale_vectors(void) {
  begin("rtk_scale_matte");
  for (int i = 0; i < COUNT; i++) {
    int32_t width = widths[i], wide = 2 * width, high = 2 * HEIGHT;
    size_t blocks = blocks_of(width), targets = 16 * blocks_of(wide);
    int32_t *columns = zeros(4 * targets), *rows = zeros(4 * (size_t)high);
    int16_t *columnWeights = zeros(8 * targets), *rowWeights = zeros(8 * (size_t)high);
    static const int16_t weights[2][4] = {{-1024, 4096, 14336, -1024}, {-1024, 14336, 4096, -1024}};
    for (size_t x = 0; x < targets; x++) {
      columns[x] = (int32_t)((int)x < wide ? x : (size_t)wide - 1) / 2 - 2 + (int)x % 2;
      memcpy(columnWeights + 4 * x, weights[x % 2], 8);
    }
    for (int32_t y = 0; y < high; y++) rows[y] = y / 2 - 2 + y % 2, memcpy(rowWeights + 4 * y, weights[y % 2], 8);
    RTKScale scale = {width, HEIGHT, wide, high, columns, rows, columnWeights, rowWeights};
    int16_t *samples = zeros(32 * blocks * HEIGHT);
    uint8_t *kinds = zeros(blocks * HEIGHT), *mask = random_mask(16 * blocks * HEIGHT, 1), *matte = zeros((size_t)wide * (size_t)high);
    for (size_t k = 0; k < 16 * blocks * HEIGHT; k++) samples[k] = (int16_t)(64 * mask[k]);
    rtk_mark_blocks(RTKProcessorPlain, samples, kinds, width, 0, HEIGHT);
    rtk_scale_matte(processor, &scale, samples, kinds, matte, 0, high, zeros(rtk_scale_scratch(&scale)));
    add(matte, (size_t)wide * (size_t)high);
  }
  end();
}

void matte_vectors(void) {
  RTKBend bend = bend_of();
  begin("rtk_blur");
  for (int i = 0; i < COUNT; i++) {
    RTKBlur blur = blur_of(widths[i]);
    size_t blocks = blocks_of(widths[i]);
    uint32_t *values = zeros(64 * blocks * HEIGHT);
    uint8_t *kinds = zeros(blocks * HEIGHT);
    rtk_blur(
        processor, &blur, random_mask((size_t)widths[i] * HEIGHT, 1), values, kinds, 0, HEIGHT,
        zeros(rtk_blur_scratch(&blur)));
    for (int y = 0; y < HEIGHT; y++) add(values + 16 * blocks * (size_t)y, 4 * (size_t)widths[i]);
    add(kinds, blocks * HEIGHT);
  }
  end();
  begin("rtk_bend");
  for (int i = 0; i < COUNT; i++) {
    RTKBlur blur = blur_of(widths[i]);
    size_t blocks = blocks_of(widths[i]);
    uint32_t *values = zeros(64 * blocks * HEIGHT);
    uint8_t *kinds = zeros(blocks * HEIGHT), *bent = zeros(blocks * HEIGHT);
    int16_t *samples = zeros(32 * blocks * HEIGHT);
    rtk_blur(
        RTKProcessorPlain, &blur, random_mask((size_t)widths[i] * HEIGHT, 1), values, kinds, 0, HEIGHT,
        zeros(rtk_blur_scratch(&blur)));
    rtk_bend(processor, &bend, values, kinds, samples, bent, widths[i], 0, HEIGHT);
    for (int y = 0; y < HEIGHT; y++) add(samples + 16 * blocks * (size_t)y, 2 * (size_t)widths[i]);
    add(bent, blocks * HEIGHT);
  }
  end();
  begin("rtk_bend_matte");
  for (int i = 0; i < COUNT; i++) {
    RTKBlur blur = blur_of(widths[i]);
    size_t blocks = blocks_of(widths[i]);
    uint32_t *values = zeros(64 * blocks * HEIGHT);
    uint8_t *kinds = zeros(blocks * HEIGHT), *matte = zeros((size_t)widths[i] * HEIGHT);
    rtk_blur(
        RTKProcessorPlain, &blur, random_mask((size_t)widths[i] * HEIGHT, 1), values, kinds, 0, HEIGHT,
        zeros(rtk_blur_scratch(&blur)));
    rtk_bend_matte(processor, &bend, values, kinds, matte, widths[i], 0, HEIGHT);
    add(matte, (size_t)widths[i] * HEIGHT);
  }
  end();
  begin("rtk_blur_bend");
  for (int i = 0; i < COUNT; i++) {
    RTKBlur blur = blur_of(widths[i]);
    size_t blocks = blocks_of(widths[i]);
    uint8_t *kinds = zeros(blocks * HEIGHT);
    int16_t *samples = zeros(32 * blocks * HEIGHT);
    rtk_blur_bend(
        processor, &blur, &bend, random_mask((size_t)widths[i] * HEIGHT, 1), samples, kinds, 0, HEIGHT,
        zeros(rtk_blur_scratch(&blur)));
    for (int y = 0; y < HEIGHT; y++) add(samples + 16 * blocks * (size_t)y, 2 * (size_t)widths[i]);
    add(kinds, blocks * HEIGHT);
  }
  end();
  scale_vectors();
  begin("rtk_finish_matte");
  for (int i = 0; i < COUNT; i++) {
    size_t blocks = blocks_of(widths[i]);
    int16_t *samples = random_samples(16 * blocks * HEIGHT, 0, RTKMatteOne);
    // The first rows are flat over many blocks.
    for (size_t k = 0; k < 16 * blocks * HEIGHT / 2; k++) samples[k] = k % (24 * blocks) < 16 * blocks ? RTKMatteOne : 0;
    uint8_t *kinds = zeros(blocks * HEIGHT), *matte = zeros((size_t)widths[i] * HEIGHT);
    rtk_mark_blocks(RTKProcessorPlain, samples, kinds, widths[i], 0, HEIGHT);
    rtk_finish_matte(processor, samples, kinds, matte, widths[i], 0, HEIGHT);
    add(matte, (size_t)widths[i] * HEIGHT);
  }
  end();
  begin("rtk_smooth_samples");
  for (int i = 0; i < COUNT; i++) {
    size_t blocks = blocks_of(widths[i]) * HEIGHT;
    int16_t *out = zeros(32 * blocks);
    uint16_t *old = (uint16_t *)random_samples(16 * blocks, 0, 16320);
    uint8_t *kinds = zeros(blocks);
    rtk_smooth_samples(
        processor, random_samples(16 * blocks, 0, RTKMatteOne), 40000, old, out, kinds, (ptrdiff_t)blocks);
    add(out, 32 * blocks), add(old, 32 * blocks), add(kinds, blocks);
  }
  end();
  begin("rtk_grey");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    int16_t *grey = zeros(2 * n);
    rtk_grey(processor, random_bytes(3 * n), grey, widths[i]);
    add(grey, 2 * n);
  }
  end();
  begin("rtk_spread_blocks");
  for (int i = 0; i < COUNT; i++) {
    size_t blocks = blocks_of(widths[i]);
    uint8_t *kinds = random_bytes(blocks * HEIGHT), *windows = zeros(blocks * HEIGHT);
    for (size_t k = 0; k < blocks * HEIGHT; k++) kinds[k] %= 3;
    rtk_spread_blocks(kinds, 0, windows, (int32_t)blocks, HEIGHT, 3, 0, HEIGHT);
    add(windows, blocks * HEIGHT);
  }
  end();
  begin("rtk_calm_still");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKStill still = {widths[i], HEIGHT, 6, 40, 20000};
    uint8_t *rgb = random_bytes(3 * n), *old = zeros(3 * n), *matte = random_mask(n, 1);
    for (size_t k = 0; k < 3 * n; k++) old[k] = (uint8_t)(k % 5 ? rgb[k] : rgb[k] ^ 3);
    rtk_calm_still(processor, &still, rgb, old, random_mask(n, 1), matte, 0, HEIGHT);
    add(matte, n);
  }
  end();
}
