// Frame codecs and checksums.
#include "vectors.h"

static const int32_t widths[] = {1, 3, 16, 17, 63, 130, 641};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 5 };

void codec_vectors(void) {
  begin("rtk_median_decode8");
  for (int i = 0; i < COUNT; i++) {
    ptrdiff_t stride = widths[i] + 48;
    uint8_t *plane = zeros((size_t)stride * (HEIGHT + 1));
    rtk_median_decode8(
        processor, random_bytes((size_t)widths[i] * HEIGHT), plane + stride, widths[i], HEIGHT, stride);
    for (int y = 1; y <= HEIGHT; y++) add(plane + y * stride, (size_t)widths[i]);
  }
  end();
  begin("rtk_median_decode16");
  for (int i = 0; i < COUNT; i++) {
    ptrdiff_t stride = widths[i] + 48;
    int16_t *plane = zeros(2 * (size_t)stride * (HEIGHT + 1));
    rtk_median_decode16(
        processor, (uint16_t *)random_bytes(2 * (size_t)widths[i] * HEIGHT), plane + stride, widths[i], HEIGHT, stride);
    for (int y = 1; y <= HEIGHT; y++) add(plane + y * stride, 2 * (size_t)widths[i]);
  }
  end();
  begin("rtk_crumbs_decode");
  for (int i = 0; i < COUNT; i++) {
    // Packed here as the format says, so that the data is whole.
    size_t crumbCount = (size_t)widths[i], largeCount = 0, wideCount = 0;
    uint8_t *crumbs = random_bytes(crumbCount), *nibbles = zeros(2 * crumbCount + 8), *wide = zeros(8 * crumbCount + 8);
    for (size_t k = 0; k < crumbCount; k++)
      for (int lane = 0; lane < 4; lane++) largeCount += (crumbs[k] >> 2 * lane & 3) == 3;
    for (size_t k = 0; k < largeCount; k++) {
      uint8_t nibble = next_random() & 15;
      nibbles[k / 2] |= (uint8_t)(nibble << 4 * (k & 1));
      wideCount += nibble == 15;
    }
    for (size_t k = 0; k < 2 * wideCount; k++) wide[k] = (uint8_t)next_random();
    for (int isDamaged = 0; isDamaged < 2; isDamaged++) {
      RTKCrumbs packed = {crumbs, crumbCount, nibbles, largeCount, wide, wideCount + (size_t)isDamaged};
      uint16_t *values = zeros(8 * crumbCount), *scratch = zeros(8 * crumbCount + 16);
      _Bool isWhole = 0;
      rtk_crumbs_decode(processor, &packed, scratch, values, &isWhole);
      if (!isDamaged) add(values, 8 * crumbCount);
      ADD(isWhole);
    }
  }
  end();
  begin("rtk_planes_join");
  for (int i = 0; i < COUNT; i++)
    for (int kind = RTKPlanesAverage; kind <= RTKPlanesPlain; kind++) {
      size_t n = (size_t)widths[i];
      uint8_t *rgb = zeros(3 * n);
      rtk_planes_join(
          processor, (RTKPlanesKind)kind, random_bytes(n), random_bytes(n), random_bytes(n), widths[i], rgb);
      add(rgb, 3 * n);
    }
  end();
  begin("rtk_xxh3_64");
  for (size_t n = 0; n < 5000; n = n * 3 / 2 + 7) {
    uint64_t hash = 0;
    rtk_xxh3_64(processor, random_bytes(n), n, &hash);
    ADD(hash);
  }
  end();
  begin("rtk_xxh3_128");
  for (size_t n = 0; n < 5000; n = n * 3 / 2 + 7) {
    RTKHash128 hash = {0, 0};
    rtk_xxh3_128(processor, random_bytes(n), n, &hash);
    ADD(hash);
  }
  end();
}
