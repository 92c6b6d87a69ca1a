// Resizing of pictures and grey, and what else needs tables of places and weights.
#include "vectors.h"

static const int32_t widths[] = {8, 33, 64, 161, 320};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 22, TAPS = 4 };

/// Halves, with four taps.
static RTKReduction reduction_of(int32_t width) {
  static const int16_t taps[TAPS] = {2048, 6144, 6144, 2048};
  int32_t half = width / 2, rows = HEIGHT / 2;
  size_t padded = ((size_t)half + 15) / 16 * 16;
  int32_t *columns = zeros(4 * padded), *lines = zeros(4 * (size_t)rows);
  int16_t *columnWeights = zeros(2 * TAPS * padded), *rowWeights = zeros(2 * TAPS * (size_t)rows);
  for (size_t x = 0; x < padded; x++) {
    int32_t place = 2 * ((int32_t)x < half ? (int32_t)x : half - 1) - 1;
    columns[x] = place < 0 ? 0 : place > width - TAPS ? width - TAPS : place;
    memcpy(columnWeights + TAPS * x, taps, sizeof taps);
  }
  for (int32_t y = 0; y < rows; y++) {
    int32_t place = 2 * y - 1;
    lines[y] = place < 0 ? 0 : place > HEIGHT - TAPS ? HEIGHT - TAPS : place;
    memcpy(rowWeights + TAPS * y, taps, sizeof taps);
  }
  return (RTKReduction){width, HEIGHT, half, rows, TAPS, TAPS, columns, lines, columnWeights, rowWeights};
}

static RTKResampling resampling_of(int32_t from, int32_t to) {
  int32_t *first = zeros(4 * (size_t)to), *counts = zeros(4 * (size_t)to), *offsets = zeros(4 * (size_t)to);
  uint32_t *weights = zeros(8 * (size_t)to);
  for (int32_t x = 0; x < to; x++) {
    int32_t place = (int32_t)((int64_t)x * (from - 1) / (to > 1 ? to - 1 : 1));
    first[x] = place < from - 1 ? place : from - 2;
    counts[x] = 2, offsets[x] = 2 * x;
    weights[2 * x] = (uint32_t)(next_random() % 65537), weights[2 * x + 1] = 65536 - weights[2 * x];
  }
  return (RTKResampling){first, counts, offsets, weights};
}

void resize_vectors(void) {
  begin("rtk_reduce_grey");
  for (int i = 0; i < COUNT; i++) {
    RTKReduction reduction = reduction_of(widths[i]);
    size_t row = ((size_t)reduction.targetWidth + 15) / 16 * 16;
    int16_t *out = zeros(2 * row * (size_t)reduction.targetHeight);
    rtk_reduce_grey(
        processor, &reduction, random_samples((size_t)widths[i] * HEIGHT, 0, RTKGreyOne), out, 0,
        reduction.targetHeight, zeros(rtk_reduce_scratch(&reduction)));
    for (size_t y = 0; y < (size_t)reduction.targetHeight; y++) add(out + row * y, 2 * (size_t)reduction.targetWidth);
  }
  end();
  begin("rtk_reduce_rgb");
  for (int i = 0; i < COUNT; i++) {
    RTKReduction reduction = reduction_of(widths[i]);
    size_t row = ((size_t)reduction.targetWidth + 15) / 16 * 16, n = row * (size_t)reduction.targetHeight;
    int16_t *planes[3] = {zeros(2 * n), zeros(2 * n), zeros(2 * n)};
    rtk_reduce_rgb(
        processor, &reduction, random_bytes(3 * (size_t)widths[i] * HEIGHT), planes[0], planes[1], planes[2], 0,
        reduction.targetHeight, zeros(rtk_reduce_rgb_scratch(&reduction)));
    for (int c = 0; c < 3; c++)
      for (size_t y = 0; y < (size_t)reduction.targetHeight; y++)
        add(planes[c] + row * y, 2 * (size_t)reduction.targetWidth);
  }
  end();
  begin("rtk_resample_rgb");
  for (int i = 0; i < COUNT; i++) {
    int32_t width = widths[i] * 3 / 2 + 1, height = HEIGHT + 7;
    RTKResample resample = {
        widths[i], width, height, resampling_of(widths[i], width), resampling_of(HEIGHT, height), 2};
    uint8_t *out = zeros(3 * (size_t)width * (size_t)height);
    rtk_resample_rgb(
        processor, &resample, random_bytes(3 * (size_t)widths[i] * HEIGHT), out, 3 * width, 0, height,
        zeros(rtk_resample_scratch(&resample)));
    add(out, 3 * (size_t)width * (size_t)height);
  }
  end();
  begin("rtk_smooth_unsure_samples");
  uint16_t *weights = zeros(2 * (RTKMatteOne + 1));
  for (int k = 1; k < RTKMatteOne; k++) weights[k] = (uint16_t)(60000 - k);
  for (int i = 0; i < COUNT; i++) {
    size_t blocks = ((size_t)widths[i] + 15) / 16 * HEIGHT;
    int16_t *samples = random_samples(16 * blocks, 0, RTKMatteOne), *out = zeros(32 * blocks);
    uint16_t *old = (uint16_t *)random_samples(16 * blocks, 0, 16320);
    uint8_t *kinds = zeros(blocks), *outKinds = zeros(blocks);
    rtk_mark_blocks(RTKProcessorPlain, samples, kinds, (int32_t)(16 * blocks), 0, 1);
    rtk_smooth_unsure_samples(processor, samples, kinds, weights, old, out, outKinds, (ptrdiff_t)blocks);
    add(out, 32 * blocks), add(old, 32 * blocks), add(outKinds, blocks);
  }
  end();
  begin("rtk_mask_of_clear");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint8_t *mask = zeros(n);
    for (int k = 0; k < 4; k++) {
      int64_t count = 0;
      rtk_mask_of_clear(
          processor, random_bits(widths[i], HEIGHT), k & 1 ? random_mask(n, 1) : NULL, k & 2 ? random_mask(n, 0) : NULL,
          widths[i], HEIGHT, mask, &count);
      add(mask, n), ADD(count);
    }
  }
  end();
  begin("rtk_add_depth_moved");
  for (int i = 0; i < COUNT; i++) {
    int32_t depthWidth = widths[i] / 2, *columns = zeros(4 * (size_t)widths[i]), rows[HEIGHT];
    for (int32_t x = 0; x < widths[i]; x++) columns[x] = x / 2 < depthWidth ? x / 2 : depthWidth - 1;
    for (int32_t y = 0; y < HEIGHT; y++) rows[y] = y / 2;
    uint64_t *moved = no_bits(widths[i], HEIGHT);
    rtk_add_depth_moved(
        processor, random_mask((size_t)depthWidth * HEIGHT / 2, 0), depthWidth, columns, rows, widths[i], HEIGHT, moved);
    add(moved, bits_byte_count(widths[i], HEIGHT));
  }
  end();
}
