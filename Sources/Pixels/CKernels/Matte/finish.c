// Finishes mattes that need no scaling: (sample + 32) >> 6. Their samples are given, or bent from a blurred mask here.
#include "bend.h"

enum { EIGHT = 8 };

typedef struct {
  const void *bend;
  /// Samples, or values of a blurred mask.
  const void *blocks;
  size_t ahead;
  size_t end;
} Source;

/// - Returns: a block's samples, which may be made in `memory`.
typedef const int16_t *(*SamplesOf)(const Source *, size_t block, int16_t *memory);

RTK_BODY const int16_t *given_samples(const Source *source, size_t block, int16_t *memory) {
  (void)memory;
  return (const int16_t *)source->blocks + RTKBlockWidth * block;
}

RTK_BODY const uint32_t *values_of(const Source *source, size_t block) {
  const uint32_t *values = (const uint32_t *)source->blocks + RTKBlockWidth * block;
  if (block + source->ahead < source->end) __builtin_prefetch(values + RTKBlockWidth * source->ahead);
  return values;
}

RTK_BODY const int16_t *bent_samples(const Source *source, size_t block, int16_t *memory) {
  bend_block(source->bend, values_of(source, block), memory);
  return memory;
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY const int16_t *bent_samples_avx2(const Source *source, size_t block, int16_t *memory) {
  bend_values_avx2(source->bend, values_of(source, block), memory);
  return memory;
}
#endif

RTK_BODY void finish_block(const Source *source, size_t block, uint8_t kind, uint8_t *out, SamplesOf samplesOf) {
  if (kind != RTKBlockMixed) {
    memset(out, kind == RTKBlockOne ? 255 : 0, RTKBlockWidth);
  } else {
    int16_t memory[RTKBlockWidth];
    Lanes16 rounded = (RTK_LOAD(Lanes16, samplesOf(source, block, memory)) + 32) >> 6;
    RTK_STORE(out, __builtin_convertvector(rounded, Bytes16));
  }
}

/// Whether eight blocks are all 0, or all RTKMatteOne.
RTK_BODY int32_t is_flat(const uint8_t *kinds) {
  uint64_t eight = RTK_LOAD(uint64_t, kinds);
  return kinds[0] != RTKBlockMixed && eight == kinds[0] * (uint64_t)0x0101010101010101;
}

RTK_BODY void finish_rows(
    const void *bend, const void *samples, const uint8_t *blocks, uint8_t *matte, int32_t width, int32_t first,
    int32_t count, SamplesOf samplesOf) {
  int32_t blockCount = rtk_block_count(width), whole = width / RTKBlockWidth;
  const Source source = {
      bend, samples, (size_t)(ROWS_AHEAD * blockCount), (size_t)(first + count) * (size_t)blockCount};
  for (int32_t y = first; y < first + count; y++) {
    size_t row = (size_t)y * (size_t)blockCount;
    const uint8_t *kinds = blocks + row;
    uint8_t *out = matte + (size_t)y * (size_t)width;
    // Most blocks are like those beside them.
    for (int32_t b = 0; b < whole; b += EIGHT) {
      int32_t end = whole - b < EIGHT ? whole : b + EIGHT;
      if (end == b + EIGHT && is_flat(kinds + b)) {
        memset(out + b * RTKBlockWidth, kinds[b] == RTKBlockOne ? 255 : 0, EIGHT * RTKBlockWidth);
      } else {
        for (int32_t i = b; i < end; i++) {
          finish_block(&source, row + (size_t)i, kinds[i], out + i * RTKBlockWidth, samplesOf);
        }
      }
    }
    if (whole < blockCount) {
      uint8_t last[RTKBlockWidth];
      finish_block(&source, row + (size_t)whole, kinds[whole], last, samplesOf);
      memcpy(out + whole * RTKBlockWidth, last, (size_t)(width - whole * RTKBlockWidth));
    }
  }
}

RTK_KERNEL(
    finish_matte, (samples, blocks, matte, width, first, count),
    const int16_t *samples, const uint8_t *blocks, uint8_t *matte, int32_t width, int32_t first, int32_t count) {
  finish_rows(NULL, samples, blocks, matte, width, first, count, given_samples);
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY void bend_matte_avx2_body(
    const RTKBend *bend, const uint32_t *values, const uint8_t *blocks, uint8_t *matte, int32_t width, int32_t first,
    int32_t count) {
  const BendLanes lanes = bend_lanes(bend);
  finish_rows(&lanes, values, blocks, matte, width, first, count, bent_samples_avx2);
}
#endif

RTK_DISPATCH(
    bend_matte, (bend, values, blocks, matte, width, first, count),
    (const RTKBend *bend, const uint32_t *values, const uint8_t *blocks, uint8_t *matte, int32_t width, int32_t first,
     int32_t count),
    finish_rows(bend, values, blocks, matte, width, first, count, bent_samples),
    bend_matte_avx2_body(bend, values, blocks, matte, width, first, count))
