// Converts a blurred mask, which several mattes may share, to one of their matte samples.
#include "bend.h"

RTK_BODY void fill_samples(int16_t *samples, uint8_t kind) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) samples[i] = kind == RTKBlockOne ? RTKMatteOne : 0;
}

typedef void (*BendBlock)(const void *, const uint32_t *, int16_t *);

RTK_BODY void bend_rows(
    const uint32_t *values, const uint8_t *valueBlocks, int16_t *samples, uint8_t *blocks, int32_t width,
    int32_t first, int32_t count, BendBlock bendBlock, const void *prepared) {
  size_t blockCount = (size_t)rtk_block_count(width), ahead = ROWS_AHEAD * blockCount;
  size_t end = (size_t)(first + count) * blockCount;
  for (size_t b = (size_t)first * blockCount; b < end; b++) {
    uint8_t kind = valueBlocks[b];
    if (kind == RTKBlockMixed) {
      size_t next = b + ahead < end ? b + ahead : b;
      __builtin_prefetch(values + RTKBlockWidth * next);
      __builtin_prefetch(samples + RTKBlockWidth * next, 1);
      bendBlock(prepared, values + RTKBlockWidth * b, samples + RTKBlockWidth * b);
    } else if (kind != blocks[b]) {
      // A block that already holds this content from an earlier matte is skipped.
      fill_samples(samples + RTKBlockWidth * b, kind);
    }
    blocks[b] = kind;
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY void bend_rows_avx2(
    const RTKBend *bend, const uint32_t *values, const uint8_t *valueBlocks, int16_t *samples, uint8_t *blocks,
    int32_t width, int32_t first, int32_t count) {
  const BendLanes lanes = bend_lanes(bend);
  bend_rows(values, valueBlocks, samples, blocks, width, first, count, bend_values_avx2, &lanes);
}
#endif

RTK_DISPATCH(
    bend, (bend, values, valueBlocks, samples, blocks, width, first, count),
    (const RTKBend *bend, const uint32_t *values, const uint8_t *valueBlocks, int16_t *samples, uint8_t *blocks,
     int32_t width, int32_t first, int32_t count),
    bend_rows(values, valueBlocks, samples, blocks, width, first, count, bend_block, bend),
    bend_rows_avx2(bend, values, valueBlocks, samples, blocks, width, first, count))
