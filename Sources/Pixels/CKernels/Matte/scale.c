// Scales a matte along x, then along y. Blocks whose taps are all 0 or all 1.0 are filled.
#include "columns.h"

enum { EDGE = 4 };

typedef struct {
  int32_t sourceBlocks;
  int32_t blockCount;
  size_t stride;
  /// Four rows, scaled along x; row r is in slot r & 3.
  int16_t *rows;
  uint8_t *blocks;
  int16_t *line;
  /// For each target block, the first and the last source block that its taps read.
  int32_t *sources;
} Scratch;

static size_t lay_out(const RTKScale *scale, Scratch *scratch, uint8_t *base) {
  scratch->sourceBlocks = rtk_block_count(scale->sourceWidth);
  scratch->blockCount = rtk_block_count(scale->targetWidth);
  scratch->stride = (size_t)scratch->blockCount * RTKBlockWidth;
  size_t used = 0, blockCount = (size_t)scratch->blockCount;
  scratch->rows = rtk_part(base, &used, 4 * scratch->stride * sizeof(int16_t));
  scratch->blocks = rtk_part(base, &used, 4 * blockCount);
  scratch->line = rtk_part(base, &used, ((size_t)scale->sourceWidth + 3 * EDGE) * sizeof(int16_t));
  scratch->sources = rtk_part(base, &used, 2 * blockCount * sizeof(int32_t));
  return used;
}

size_t rtk_scale_scratch(const RTKScale *scale) {
  Scratch scratch;
  return lay_out(scale, &scratch, NULL);
}

/// (sum of weight * sample + 2^13) >> 14 for sixteen columns.
RTK_BODY void scale_columns(const int16_t *line, const int32_t *columns, const int16_t *weights, int16_t *out) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    const int16_t *sample = line + columns[i], *weight = weights + 4 * i;
    int32_t sum = RTKWeightOne / 2;
    for (int32_t k = 0; k < 4; k++) sum += sample[k] * weight[k];
    out[i] = (int16_t)(sum >> 14);
  }
}

/// (sum of weight * sample + 2^19) >> 20: drops 14 bits of weights and 6 of matte samples.
RTK_BODY void scale_rows(const int16_t *const rows[4], ptrdiff_t x, const int16_t *weights, uint8_t *out) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int32_t sum = 1 << 19;
    for (int32_t k = 0; k < 4; k++) sum += rows[k][x + i] * weights[k];
    sum >>= 20;
    out[i] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY void scale_columns_avx2(
    const int16_t *line, const int32_t *columns, const int16_t *weights, int16_t *out) {
  for (int32_t i = 0; i < RTKBlockWidth; i += 8) {
    rtk_weigh_eight_columns(line, columns + i, weights + 4 * i, out + i);
  }
}

RTK_AVX2_BODY __m256i weight_pair(const int16_t *weights) { return _mm256_set1_epi32(RTK_LOAD(int32_t, weights)); }

RTK_AVX2_BODY void scale_rows_avx2(const int16_t *const rows[4], ptrdiff_t x, const int16_t *weights, uint8_t *out) {
  __m256i row[4];
  for (int k = 0; k < 4; k++) row[k] = _mm256_loadu_si256((const __m256i *)(rows[k] + x));
  __m256i first = weight_pair(weights), second = weight_pair(weights + 2), half = _mm256_set1_epi32(1 << 19);
  __m256i low = _mm256_add_epi32(
      _mm256_madd_epi16(_mm256_unpacklo_epi16(row[0], row[1]), first),
      _mm256_madd_epi16(_mm256_unpacklo_epi16(row[2], row[3]), second));
  __m256i high = _mm256_add_epi32(
      _mm256_madd_epi16(_mm256_unpackhi_epi16(row[0], row[1]), first),
      _mm256_madd_epi16(_mm256_unpackhi_epi16(row[2], row[3]), second));
  low = _mm256_srai_epi32(_mm256_add_epi32(low, half), 20);
  high = _mm256_srai_epi32(_mm256_add_epi32(high, half), 20);
  // Packing saturates, which clamps.
  __m256i words = _mm256_packs_epi32(low, high);
  __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128((__m128i *)out, bytes);
}
#endif

typedef void (*ScaleColumns)(const int16_t *, const int32_t *, const int16_t *, int16_t *);
typedef void (*ScaleRows)(const int16_t *const *, ptrdiff_t, const int16_t *, uint8_t *);

RTK_BODY void find_sources(const RTKScale *scale, const Scratch *scratch) {
  int32_t last = scale->sourceWidth - 1;
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    int32_t x = b * RTKBlockWidth, end = x + RTKBlockWidth;
    if (end > scale->targetWidth) end = scale->targetWidth;
    scratch->sources[2 * b] = rtk_clamped(scale->columns[x], last) / RTKBlockWidth;
    scratch->sources[2 * b + 1] = rtk_clamped(scale->columns[end - 1] + 3, last) / RTKBlockWidth;
  }
}

/// Content of a target block, from the source blocks that its taps read.
RTK_BODY uint8_t block_along(const Scratch *scratch, const uint8_t *sourceBlocks, int32_t b) {
  int32_t from = scratch->sources[2 * b], to = scratch->sources[2 * b + 1];
  uint8_t block = sourceBlocks[from];
  for (int32_t i = from + 1; i <= to; i++) {
    if (sourceBlocks[i] != block) return RTKBlockMixed;
  }
  return block;
}

RTK_BODY void fill_row(
    const RTKScale *scale, const Scratch *scratch, const int16_t *samples, const uint8_t *blocks, int32_t slot,
    ScaleColumns scaleColumns) {
  int16_t *row = scratch->rows + scratch->stride * (size_t)slot;
  uint8_t *rowBlocks = scratch->blocks + (size_t)scratch->blockCount * (size_t)slot;
  int32_t width = scale->sourceWidth;
  int16_t *line = scratch->line + EDGE;
  memcpy(line, samples, (size_t)width * sizeof(int16_t));
  for (int32_t i = 0; i < EDGE; i++) line[i - EDGE] = samples[0];
  for (int32_t i = 0; i < 2 * EDGE; i++) line[width + i] = samples[width - 1];
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    int32_t x = b * RTKBlockWidth;
    int16_t *out = row + x;
    rowBlocks[b] = block_along(scratch, blocks, b);
    if (rowBlocks[b] == RTKBlockZero) {
      memset(out, 0, RTKBlockWidth * sizeof(int16_t));
    } else if (rowBlocks[b] == RTKBlockOne) {
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[i] = RTKMatteOne;
    } else {
      scaleColumns(line, scale->columns + x, scale->columnWeights + 4 * x, out);
    }
  }
}

RTK_BODY void scale_block(
    const int16_t *const rows[4], const uint8_t *const blocks[4], int32_t b, const int16_t *weights, uint8_t *out,
    ScaleRows scaleRows) {
  uint8_t block = blocks[0][b];
  if (block != RTKBlockMixed && block == blocks[1][b] && block == blocks[2][b] && block == blocks[3][b]) {
    memset(out, block == RTKBlockOne ? 255 : 0, RTKBlockWidth);
  } else {
    scaleRows(rows, b * RTKBlockWidth, weights, out);
  }
}

RTK_BODY void scale_matte(
    const RTKScale *scale, const int16_t *samples, const uint8_t *blocks, uint8_t *matte, int32_t first,
    int32_t count, void *memory, ScaleColumns scaleColumns, ScaleRows scaleRows) {
  Scratch scratch;
  lay_out(scale, &scratch, memory);
  find_sources(scale, &scratch);
  const int32_t none = INT32_MIN;
  int32_t held[4] = {none, none, none, none};
  size_t sourceStride = (size_t)scratch.sourceBlocks * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    const int16_t *rows[4];
    const uint8_t *rowBlocks[4];
    for (int32_t k = 0; k < 4; k++) {
      int32_t row = scale->rows[y] + k, slot = row & 3;
      if (held[slot] != row) {
        size_t source = (size_t)rtk_clamped(row, scale->sourceHeight - 1);
        fill_row(
            scale, &scratch, samples + sourceStride * source, blocks + (size_t)scratch.sourceBlocks * source, slot,
            scaleColumns);
        held[slot] = row;
      }
      rows[k] = scratch.rows + scratch.stride * (size_t)slot;
      rowBlocks[k] = scratch.blocks + (size_t)scratch.blockCount * (size_t)slot;
    }
    uint8_t *out = matte + (size_t)scale->targetWidth * (size_t)y;
    const int16_t *weights = scale->rowWeights + 4 * y;
    int32_t whole = scale->targetWidth / RTKBlockWidth;
    for (int32_t b = 0; b < whole; b++) {
      scale_block(rows, rowBlocks, b, weights, out + b * RTKBlockWidth, scaleRows);
    }
    if (whole < scratch.blockCount) {
      uint8_t last[RTKBlockWidth];
      scale_block(rows, rowBlocks, whole, weights, last, scaleRows);
      memcpy(out + whole * RTKBlockWidth, last, (size_t)(scale->targetWidth - whole * RTKBlockWidth));
    }
  }
}

RTK_DISPATCH(
    scale_matte, (scale, samples, blocks, matte, first, count, scratch),
    (const RTKScale *scale, const int16_t *samples, const uint8_t *blocks, uint8_t *matte, int32_t first,
     int32_t count, void *scratch),
    scale_matte(scale, samples, blocks, matte, first, count, scratch, scale_columns, scale_rows),
    scale_matte(scale, samples, blocks, matte, first, count, scratch, scale_columns_avx2, scale_rows_avx2))
