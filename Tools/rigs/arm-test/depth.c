// Depth preparation.
#include "vectors.h"

static const int32_t widths[] = {1, 5, 31, 32, 33, 64, 161, 320};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 37 };

void depth_vectors(void) {
  begin("rtk_depth_decimate");
  // Sorts four numbers.
  static const uint8_t pairs[10] = {0, 1, 2, 3, 0, 2, 1, 3, 1, 2};
  for (int i = 0; i < COUNT; i++) {
    RTKDecimation decimation = {widths[i], HEIGHT, 2, pairs, 5};
    size_t smaller = ((size_t)widths[i] + 1) / 2 * ((HEIGHT + 1) / 2);
    uint16_t *out = zeros(2 * smaller);
    rtk_depth_decimate(processor, &decimation, random_depth((size_t)widths[i] * HEIGHT), out, 0, (HEIGHT + 1) / 2);
    add(out, 2 * smaller);
  }
  end();
  begin("rtk_depth_spatial_rows");
  for (int i = 0; i < COUNT; i++) {
    uint16_t *depth = random_depth((size_t)widths[i] * HEIGHT);
    rtk_depth_spatial_rows(
        processor, depth, widths[i], HEIGHT, 2000, 30, 0, (HEIGHT + RTKDepthLanes - 1) / RTKDepthLanes,
        zeros(rtk_depth_spatial_scratch(widths[i], HEIGHT)));
    add(depth, 2 * (size_t)widths[i] * HEIGHT);
  }
  end();
  begin("rtk_depth_spatial_columns");
  for (int i = 0; i < COUNT; i++) {
    uint16_t *depth = random_depth((size_t)widths[i] * HEIGHT);
    rtk_depth_spatial_columns(
        processor, depth, widths[i], HEIGHT, 2000, 30, 0, (widths[i] + RTKDepthLanes - 1) / RTKDepthLanes,
        zeros(rtk_depth_spatial_scratch(widths[i], HEIGHT)));
    add(depth, 2 * (size_t)widths[i] * HEIGHT);
  }
  end();
  begin("rtk_depth_follow");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint32_t *last = zeros(4 * n);
    uint8_t *history = zeros(n);
    RTKDepthFollowing following = {1500, 60, i % 2 ? 2 : 0, 0x0f};
    for (int frame = 0; frame < 4; frame++) {
      uint16_t *depth = random_depth(n);
      rtk_depth_follow(processor, &following, depth, last, history, widths[i]);
      add(depth, 2 * n);
    }
    add(last, 4 * n), add(history, n);
  }
  end();
  begin("rtk_depth_interpolate");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint16_t *out = zeros(2 * n);
    rtk_depth_interpolate(processor, random_depth(n), random_depth(n), random_depth(n), 50, out, widths[i]);
    add(out, 2 * n);
  }
  end();
  begin("rtk_depth_columns");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint16_t *found = zeros(2 * n);
    rtk_depth_columns(processor, random_depth(n), found, widths[i], HEIGHT, 0, widths[i]);
    add(found, 2 * n);
  }
  end();
  begin("rtk_depth_fill");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint16_t *depth = random_depth(n), *found = zeros(2 * n);
    rtk_depth_columns(RTKProcessorPlain, depth, found, widths[i], HEIGHT, 0, widths[i]);
    rtk_depth_fill(processor, depth, found, widths[i], HEIGHT);
    add(depth, 2 * n);
  }
  end();
  begin("rtk_depth_splat");
  uint32_t *steps = zeros(4 * 65536);
  for (int i = 0; i < 65536; i++) steps[i] = i < 300 || i > 9000 ? RTKSplatNowhere : (uint32_t)(i * 7) & 0xffff;
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    RTKSplatPlace *places = zeros(sizeof *places * n);
    for (size_t k = 0; k < n; k++)
      places[k] = (RTKSplatPlace){(int32_t)k * 250, 300, -40, 700, -90, 20, k % 7 ? 65000 + (int32_t)k : 0};
    RTKSplat splat = {widths[i], 0, HEIGHT - 1, 140, 65536 * 3, steps, places, widths[i]};
    uint16_t *target = zeros(2 * n * HEIGHT);
    memset(target, i % 2 ? 0xff : 0, 2 * n * HEIGHT);
    rtk_depth_splat(&splat, random_depth(n), 0, widths[i], target);
    add(target, 2 * n * HEIGHT);
  }
  end();
  begin("rtk_depth_noise");
  uint32_t *spread = zeros(4 * 65536);
  for (uint32_t i = 0; i < 65536; i++) spread[i] = i * 40;
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    RTKDepthNoise noise = {next_random(), spread, 0xffff, 1, 60000};
    uint16_t *out = zeros(2 * n);
    rtk_depth_noise(processor, &noise, random_depth(n), out, widths[i]);
    add(out, 2 * n);
  }
  end();
  begin("rtk_depth_range");
  for (int i = 0; i < COUNT; i++) {
    uint16_t ends[2] = {65535, 0};
    rtk_depth_range(processor, random_depth((size_t)widths[i]), widths[i], &ends[0], &ends[1]);
    ADD(ends);
  }
  end();
  begin("rtk_depth_grey");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    int16_t *grey = zeros(2 * n);
    rtk_depth_grey(processor, random_depth(n), grey, widths[i], 500, 16320u * 65536 / 65035);
    add(grey, 2 * n);
  }
  end();
  begin("rtk_add_seen_depth");
  uint16_t *errors = zeros(2 * 65536);
  for (uint32_t i = 0; i < 65536; i++) errors[i] = (uint16_t)(i / 40);
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    RTKSeenDepth seen = {zeros(2 * n), zeros(2 * n), zeros(2 * n), zeros(n), zeros(n), errors};
    uint16_t *depth = random_depth(n);
    for (int frame = 0; frame < 8; frame++) {
      // The first five maps are about one scene, in which each later one has a nearer stretch.
      for (size_t x = 0; frame > 3 && x < n / 4; x++) depth[(n / 8 * (size_t)frame + x) % n] /= 2;
      RTKSeenTally tally;
      rtk_add_seen_depth(processor, &seen, depth, 0, widths[i], &tally);
      ADD(tally);
      add(seen.isNearer, n);
      add(seen.far, 2 * n);
    }
  }
  end();
}
