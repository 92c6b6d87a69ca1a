// Scores of mattes, those in doubles included.
#include "vectors.h"

static const int32_t widths[] = {4, 17, 63, 64, 65, 130, 321};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 19 };

static RTKMatteFeatures features_of(RTKProcessor processor, const uint8_t *matte, int32_t width) {
  int32_t quads = rtk_quad_count(width);
  RTKMatteFeatures features = {
      matte, no_bits(width, HEIGHT), no_bits(quads, HEIGHT), no_bits(quads, HEIGHT), 0, 0, 0};
  rtk_matte_features(processor, width, HEIGHT, &features);
  return features;
}

/// A matte of which most is flat, and some is noise.
static RTKMatteFeatures random_features(int32_t width) {
  size_t n = (size_t)width * HEIGHT;
  uint8_t *matte = random_mask(n, 1), *flat = random_bytes(n / 32 + 1);
  for (size_t i = 0; i < n; i++) {
    if (flat[i / 32] < 200) matte[i] = flat[i / 32] < 100 ? 0 : 255;
  }
  return features_of(RTKProcessorPlain, matte, width);
}

static RTKPackedMatte packed_of(const RTKMatteFeatures *matte, int32_t width) {
  int32_t quads = rtk_quad_count(width);
  RTKPackedMatte packed = {
      zeros((size_t)rtk_packed_byte_count(matte, width, HEIGHT)), no_bits(quads, HEIGHT), no_bits(quads, HEIGHT)};
  rtk_pack_matte(matte, width, HEIGHT, &packed);
  return packed;
}

/// A matte's quads: see `rtk_busy_quads`.
static uint64_t *busy(const uint8_t *matte, int32_t width, int32_t radius) {
  int32_t quads = rtk_quad_count(width);
  RTKMatteFeatures features = features_of(RTKProcessorPlain, matte, width);
  uint64_t *found = no_bits(quads, HEIGHT);
  rtk_busy_quads(processor, features.notZero, features.notOne, found, width, HEIGHT, radius);
  return found;
}

static void plane_vectors(void) {
  begin("rtk_matte_features");
  for (int i = 0; i < COUNT; i++) {
    int32_t width = widths[i], quads = rtk_quad_count(width);
    RTKMatteFeatures features = features_of(processor, random_mask((size_t)width * HEIGHT, 1), width);
    add(features.person, bits_byte_count(width, HEIGHT));
    add(features.notZero, bits_byte_count(quads, HEIGHT)), add(features.notOne, bits_byte_count(quads, HEIGHT));
    ADD(features.areaSteps), ADD(features.softCount), ADD(features.personCount);
  }
  end();
  begin("rtk_busy_quads");
  for (int i = 0; i < COUNT; i++)
    add(busy(random_mask((size_t)widths[i] * HEIGHT, 1), widths[i], 4), bits_byte_count(rtk_quad_count(widths[i]), HEIGHT));
  end();
  begin("rtk_contour");
  for (int i = 0; i < COUNT; i++) {
    uint64_t *contour = no_bits(widths[i], HEIGHT);
    int64_t count = 0;
    rtk_contour(processor, random_bits(widths[i], HEIGHT), contour, widths[i], HEIGHT, &count);
    add(contour, bits_byte_count(widths[i], HEIGHT)), ADD(count);
  }
  end();
  begin("rtk_spread");
  for (int i = 0; i < COUNT; i++) {
    uint64_t *spread = no_bits(widths[i], HEIGHT), *few = random_bits(widths[i], HEIGHT);
    for (size_t k = 0; k < bits_byte_count(widths[i], HEIGHT) / 8; k++) few[k] &= 0x0100000010000001;
    rtk_spread(processor, few, spread, widths[i], HEIGHT, 3, zeros(rtk_spread_scratch(widths[i])));
    add(spread, bits_byte_count(widths[i], HEIGHT));
  }
  end();
  begin("rtk_count_near");
  for (int i = 0; i < COUNT; i++) {
    int64_t count = 0;
    rtk_count_near(
        processor, random_bits(widths[i], HEIGHT), random_bits(widths[i], HEIGHT), widths[i], HEIGHT, 2, &count);
    ADD(count);
  }
  end();
  begin("rtk_count_both");
  for (int i = 0; i < COUNT; i++) {
    int64_t count = 0;
    rtk_count_both(
        processor, random_bits(widths[i], HEIGHT), random_bits(widths[i], HEIGHT),
        (ptrdiff_t)bits_byte_count(widths[i], HEIGHT) / 8, &count);
    ADD(count);
  }
  end();
  begin("rtk_clear_bits");
  for (int i = 0; i < COUNT; i++) {
    int64_t count = 0;
    uint64_t *pixels = random_bits(widths[i], HEIGHT);
    rtk_clear_bits(
        processor, pixels, random_bits(widths[i], HEIGHT), (ptrdiff_t)bits_byte_count(widths[i], HEIGHT) / 8, &count);
    add(pixels, bits_byte_count(widths[i], HEIGHT)), ADD(count);
  }
  end();
  begin("rtk_regions");
  for (int i = 0; i < COUNT; i++) {
    RTKRegions regions = {0, 0, 0};
    rtk_regions(
        processor, random_bits(widths[i], HEIGHT), NULL, widths[i], HEIGHT, &regions,
        zeros(rtk_regions_scratch(widths[i], HEIGHT)));
    ADD(regions.pieceCount), ADD(regions.holeCount), ADD(regions.holePixelCount);
  }
  end();
  begin("rtk_connectivity");
  for (int i = 0; i < COUNT; i++) {
    int64_t error = 0;
    size_t n = (size_t)widths[i] * HEIGHT;
    rtk_connectivity(
        processor, random_mask(n, 1), random_mask(n, 1), widths[i], HEIGHT, &error,
        zeros(rtk_connectivity_scratch(widths[i], HEIGHT)));
    ADD(error);
  }
  end();
}

static void sum_vectors(void) {
  begin("rtk_differences");
  for (int i = 0; i < COUNT; i++) {
    RTKMatteFeatures a = random_features(widths[i]), b = random_features(widths[i]);
    int64_t sums[2] = {0, 0};
    rtk_differences(processor, &a, &b, widths[i], HEIGHT, &sums[0], &sums[1]);
    ADD(sums);
  }
  end();
  begin("rtk_absolute_differences");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    int64_t sum = 0;
    rtk_absolute_differences(processor, random_bytes(n), random_bytes(n), (ptrdiff_t)n, &sum);
    ADD(sum);
  }
  end();
  begin("rtk_change_differences");
  for (int i = 0; i < COUNT; i++) {
    RTKMatteFeatures a = random_features(widths[i]), then = random_features(widths[i]);
    RTKMatteFeatures b = random_features(widths[i]), bBefore = random_features(widths[i]);
    RTKPackedMatte before = packed_of(&then, widths[i]);
    int64_t sums[2] = {0, 0};
    rtk_change_differences(processor, &a, &before, &b, &bBefore, NULL, widths[i], HEIGHT, &sums[0]);
    rtk_change_differences(
        processor, &a, &before, &b, &bBefore, random_mask((size_t)widths[i] * HEIGHT, 0), widths[i], HEIGHT, &sums[1]);
    ADD(sums);
  }
  end();
  begin("rtk_box_sum");
  for (int i = 0; i < COUNT; i++) {
    int64_t sum = 0;
    rtk_box_sum(processor, random_bytes((size_t)(widths[i] + 5) * HEIGHT), widths[i] + 5, widths[i], HEIGHT, &sum);
    ADD(sum);
  }
  end();
  begin("rtk_reduce_by_four");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)(widths[i] / 4) * (HEIGHT / 4);
    uint8_t *reduced = zeros(n);
    rtk_reduce_by_four(processor, random_bytes((size_t)widths[i] * HEIGHT), reduced, widths[i], HEIGHT);
    add(reduced, n);
  }
  end();
  begin("rtk_sum_within");
  for (int i = 0; i < COUNT; i++) {
    RTKMatteFeatures matte = random_features(widths[i]);
    int64_t sum = 0;
    rtk_sum_within(processor, &matte, random_mask((size_t)widths[i] * HEIGHT, 0), widths[i], HEIGHT, &sum);
    ADD(sum);
  }
  end();
  begin("rtk_differences_within");
  for (int i = 0; i < COUNT; i++) {
    RTKMatteFeatures a = random_features(widths[i]), then = random_features(widths[i]);
    RTKPackedMatte before = packed_of(&then, widths[i]);
    int64_t sum = 0;
    rtk_differences_within(
        processor, &a, &before, random_mask((size_t)widths[i] * HEIGHT, 0), widths[i], HEIGHT, &sum);
    ADD(sum);
  }
  end();
  begin("rtk_keep_within");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint8_t *kept = zeros(n);
    rtk_keep_within(processor, random_bytes(n), random_mask(n, 0), (ptrdiff_t)n, kept);
    add(kept, n);
  }
  end();
  begin("rtk_left_out_places");
  for (int i = 0; i < COUNT; i++) {
    uint64_t *places = no_bits(widths[i], HEIGHT);
    rtk_left_out_places(processor, random_mask((size_t)widths[i] * HEIGHT, 0), places, widths[i], HEIGHT);
    add(places, bits_byte_count(widths[i], HEIGHT));
  }
  end();
  begin("rtk_contrast");
  for (int i = 0; i < COUNT; i++) {
    int64_t sums[2] = {0, 0};
    rtk_contrast(
        processor, random_bits(widths[i], HEIGHT), random_bytes(3 * (size_t)widths[i] * HEIGHT), widths[i], HEIGHT, 4,
        &sums[0], &sums[1]);
    ADD(sums);
  }
  end();
  begin("rtk_alignment");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint8_t *matte = random_mask(n, 1);
    int64_t aligned = 0, all = 0;
    rtk_alignment(processor, matte, random_bytes(n), busy(matte, widths[i], 1), widths[i], HEIGHT, &aligned, &all);
    ADD(aligned), ADD(all);
  }
  end();
}

static void movement_vectors(void) {
  begin("rtk_picture_change");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint16_t *change = zeros(2 * n);
    rtk_picture_change(
        processor, random_bytes(3 * n), random_bytes(3 * n), widths[i], HEIGHT, change,
        zeros(6 * ((size_t)widths[i] + 2)));
    add(change, 2 * n);
  }
  end();
  begin("rtk_change_limits");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    int32_t limits[RTKBrightnessCount] = {0};
    rtk_change_limits(
        processor, (uint16_t *)random_samples(n, 0, 60), random_bytes(3 * n), (ptrdiff_t)n, limits);
    ADD(limits);
  }
  end();
  begin("rtk_picture_moved");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    int32_t limits[RTKBrightnessCount] = {54, 80, 100, 120, 160, 200, 260, 324};
    uint64_t *moved = no_bits(widths[i], HEIGHT);
    rtk_picture_moved(
        processor, (uint16_t *)random_samples(n, 0, 400), random_bytes(3 * n), limits, widths[i], HEIGHT, moved);
    rtk_add_matte_moved(processor, random_bytes(n), random_bytes(n), 100, widths[i], HEIGHT, moved);
    add(moved, bits_byte_count(widths[i], HEIGHT));
  }
  end();
  begin("rtk_depth_moved");
  uint16_t *limits = zeros(2 * 65536);
  for (int i = 0; i < 65536; i++) limits[i] = (uint16_t)(20 + i / 50);
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKDepthPair pair = {random_depth(n), random_depth(n), widths[i], HEIGHT};
    uint8_t *moved = zeros(n);
    rtk_depth_moved(processor, &pair, limits, moved, zeros(2 * (size_t)widths[i]));
    add(moved, n);
  }
  end();
}

static void double_vectors(void) {
  RTKSlopeKernel kernel = {{9337, 7235, 3366, 940, 158}, {0, 7383, 6869, 2878, 642}};
  begin("rtk_slope_error");
  for (int i = 0; i < COUNT; i++) {
    int32_t width = widths[i];
    size_t n = (size_t)width * HEIGHT, lengthsByteCount = 16 * (size_t)rtk_quad_count(width) * HEIGHT;
    uint8_t *truth = random_mask(n, 1), *matte = random_mask(n, 1);
    const uint64_t *ofTruth = busy(truth, width, 4), *ofMatte = busy(matte, width, 4);
    float *lengths = zeros(lengthsByteCount + 48);
    double error = 0;
    void *scratch = zeros(rtk_slopes_scratch(width));
    rtk_slope_lengths(processor, &kernel, truth, ofTruth, width, HEIGHT, lengths, scratch);
    rtk_slope_error(
        processor, &kernel, matte, ofMatte, lengths, ofTruth, width, HEIGHT, &error, scratch);
    add(lengths, lengthsByteCount), ADD(error);
  }
  end();
}

void score_vectors(void) {
  plane_vectors();
  sum_vectors();
  movement_vectors();
  double_vectors();
}
