// The guided filter's last step: bilinear mean coefficients applied to the video's grey. Blocks
// whose windows are all 0 or all 1.0 are filled.
#include "lanes.h"

enum { EDGE = 4 };

/// Coefficients a and b, moved as one word.
typedef uint32_t Pair;

typedef struct {
  int32_t sourceBlocks;
  int32_t blockCount;
  size_t stride;
  /// Two rows, scaled along x; row r is in slot r & 1.
  Pair *rows;
  uint8_t *windows;
  Pair *line;
} Scratch;

static size_t lay_out(const RTKScale *scale, Scratch *scratch, uint8_t *base) {
  scratch->sourceBlocks = rtk_block_count(scale->sourceWidth);
  scratch->blockCount = rtk_block_count(scale->targetWidth);
  scratch->stride = (size_t)scratch->blockCount * RTKBlockWidth;
  size_t used = 0;
  scratch->rows = rtk_part(base, &used, 2 * scratch->stride * sizeof(Pair));
  scratch->windows = rtk_part(base, &used, 2 * (size_t)scratch->blockCount);
  scratch->line = rtk_part(base, &used, ((size_t)scale->sourceWidth + 3 * EDGE) * sizeof(Pair));
  return used;
}

size_t rtk_guide_scratch_for_scale(const RTKScale *scale) {
  Scratch scratch;
  return lay_out(scale, &scratch, NULL);
}

/// (sum of weight * coefficient + 2^13) >> 14 for sixteen columns.
RTK_BODY void scale_pairs(const Pair *line, const int32_t *columns, const int16_t *weights, Pair *out) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int16_t left[2], right[2], mixed[2];
    memcpy(left, line + columns[i] + 1, sizeof left);
    memcpy(right, line + columns[i] + 2, sizeof right);
    for (int32_t k = 0; k < 2; k++) {
      int32_t sum = left[k] * weights[4 * i + 1] + right[k] * weights[4 * i + 2];
      mixed[k] = (int16_t)((sum + RTKWeightOne / 2) >> 14);
    }
    memcpy(out + i, mixed, sizeof mixed);
  }
}

RTK_BODY void finish_block(
    const RTKGuide *guide, const Pair *const rows[2], ptrdiff_t x, const int16_t *weights, const int16_t *grey,
    uint8_t *out) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int16_t above[2], below[2], mixed[2];
    memcpy(above, rows[0] + x + i, sizeof above);
    memcpy(below, rows[1] + x + i, sizeof below);
    for (int32_t k = 0; k < 2; k++) {
      mixed[k] = (int16_t)((above[k] * weights[0] + below[k] * weights[1] + RTKWeightOne / 2) >> 14);
    }
    int32_t value = mixed[0] * (grey[i] - RTKGreyOne / 2) + mixed[1] * (RTKGreyOne / 2);
    out[i] = (uint8_t)rtk_clamped((value + (64 << guide->bits)) >> (guide->bits + 7), 255);
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY __m256i mixed_pairs(const Pair *line, const int32_t *columns, const int16_t *weights) {
  __m256i taps = _mm256_set_epi64x(
      RTK_LOAD(int64_t, line + columns[3] + 1), RTK_LOAD(int64_t, line + columns[2] + 1),
      RTK_LOAD(int64_t, line + columns[1] + 1), RTK_LOAD(int64_t, line + columns[0] + 1));
  // Reorders to a left, a right, b left, b right; repeats the middle two of each column's weights.
  const __m256i byKind = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15));
  const __m256i middle = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(2, 3, 4, 5, 2, 3, 4, 5, 10, 11, 12, 13, 10, 11, 12, 13));
  __m256i weight = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)weights), middle);
  __m256i sum = _mm256_madd_epi16(_mm256_shuffle_epi8(taps, byKind), weight);
  return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(RTKWeightOne / 2)), 14);
}

RTK_AVX2_BODY void scale_pairs_avx2(const Pair *line, const int32_t *columns, const int16_t *weights, Pair *out) {
  for (int32_t i = 0; i < RTKBlockWidth; i += 8) {
    __m256i low = mixed_pairs(line, columns + i, weights + 4 * i);
    __m256i high = mixed_pairs(line, columns + i + 4, weights + 4 * i + 16);
    __m256i packed = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xD8);
    _mm256_storeu_si256((__m256i *)(out + i), packed);
  }
}

RTK_AVX2_BODY __m256i finish_eight(
    const RTKGuide *guide, const Pair *const rows[2], ptrdiff_t x, __m256i weights, const int16_t *grey) {
  __m256i above = _mm256_loadu_si256((const __m256i *)(rows[0] + x));
  __m256i below = _mm256_loadu_si256((const __m256i *)(rows[1] + x));
  const __m256i half = _mm256_set1_epi32(RTKWeightOne / 2);
  __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(above, below), weights);
  __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(above, below), weights);
  low = _mm256_srai_epi32(_mm256_add_epi32(low, half), 14);
  high = _mm256_srai_epi32(_mm256_add_epi32(high, half), 14);
  // Packing restores the interleaving of a and b.
  __m256i mixed = _mm256_packs_epi32(low, high);
  const __m256i mid = _mm256_set1_epi32(RTKGreyOne / 2);
  __m256i place = _mm256_sub_epi32(_mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)grey)), mid);
  place = _mm256_blend_epi16(place, _mm256_slli_epi32(mid, 16), 0xAA);
  __m256i value = _mm256_add_epi32(_mm256_madd_epi16(mixed, place), _mm256_set1_epi32(64 << guide->bits));
  return _mm256_sra_epi32(value, _mm_cvtsi32_si128(guide->bits + 7));
}

RTK_AVX2_BODY void finish_block_avx2(
    const RTKGuide *guide, const Pair *const rows[2], ptrdiff_t x, const int16_t *weights, const int16_t *grey,
    uint8_t *out) {
  __m256i pair = _mm256_set1_epi32(RTK_LOAD(int32_t, weights));
  __m256i words = _mm256_packs_epi32(
      finish_eight(guide, rows, x, pair, grey), finish_eight(guide, rows, x + 8, pair, grey + 8));
  words = _mm256_permute4x64_epi64(words, 0xD8);
  __m128i bytes = _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
  _mm_storeu_si128((__m128i *)out, bytes);
}
#endif

typedef void (*ScalePairs)(const Pair *, const int32_t *, const int16_t *, Pair *);
typedef void (*FinishBlock)(
    const RTKGuide *, const Pair *const *, ptrdiff_t, const int16_t *, const int16_t *, uint8_t *);

/// Combined content of the source blocks that a target block's taps read.
RTK_BODY uint8_t window_along(const RTKScale *scale, const uint8_t *windows, int32_t x) {
  int32_t last = scale->sourceWidth - 1, end = x + RTKBlockWidth;
  if (end > scale->targetWidth) end = scale->targetWidth;
  int32_t from = rtk_clamped(scale->columns[x] + 1, last) / RTKBlockWidth;
  int32_t to = rtk_clamped(scale->columns[end - 1] + 2, last) / RTKBlockWidth;
  uint8_t window = 0;
  for (int32_t b = from; b <= to; b++) window |= windows[b];
  return window;
}

RTK_BODY void fill_row(
    const RTKGuide *guide, const RTKScale *scale, const Scratch *scratch, const Pair *pairs, const uint8_t *windows,
    int32_t slot, ScalePairs scalePairs) {
  Pair *row = scratch->rows + scratch->stride * (size_t)slot;
  uint8_t *rowWindows = scratch->windows + (size_t)scratch->blockCount * (size_t)slot;
  int32_t width = scale->sourceWidth;
  Pair *line = scratch->line + EDGE;
  memcpy(line, pairs, (size_t)width * sizeof(Pair));
  for (int32_t i = 0; i < EDGE; i++) line[i - EDGE] = pairs[0];
  for (int32_t i = 0; i < 2 * EDGE; i++) line[width + i] = pairs[width - 1];
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    int32_t x = b * RTKBlockWidth;
    rowWindows[b] = window_along(scale, windows, x);
    if (rowWindows[b] == RTKWindowMixed) {
      scalePairs(line, scale->columns + x, scale->columnWeights + 4 * x, row + x);
    } else {
      Pair level = rowWindows[b] == RTKWindowOne ? (Pair)(2 << guide->bits) << 16 : 0;
      for (int32_t i = 0; i < RTKBlockWidth; i++) row[x + i] = level;
    }
  }
}

RTK_BODY void guide_matte(
    const RTKGuide *guide, const RTKScale *scale, const int16_t *pairs, const uint8_t *windows, const int16_t *grey,
    uint8_t *matte, int32_t first, int32_t count, void *memory, ScalePairs scalePairs, FinishBlock finishBlock) {
  Scratch scratch;
  lay_out(scale, &scratch, memory);
  int32_t held[2] = {INT32_MIN, INT32_MIN};
  size_t width = (size_t)scale->targetWidth;
  for (int32_t y = first; y < first + count; y++) {
    const Pair *rows[2];
    const uint8_t *rowWindows[2];
    for (int32_t k = 0; k < 2; k++) {
      int32_t row = scale->rows[y] + 1 + k, slot = row & 1;
      if (held[slot] != row) {
        size_t source = (size_t)rtk_clamped(row, scale->sourceHeight - 1);
        fill_row(
            guide, scale, &scratch, (const Pair *)pairs + (size_t)scale->sourceWidth * source,
            windows + (size_t)scratch.sourceBlocks * source, slot, scalePairs);
        held[slot] = row;
      }
      rows[k] = scratch.rows + scratch.stride * (size_t)slot;
      rowWindows[k] = scratch.windows + (size_t)scratch.blockCount * (size_t)slot;
    }
    uint8_t *out = matte + width * (size_t)y;
    for (int32_t b = 0; b < scratch.blockCount; b++) {
      int32_t x = b * RTKBlockWidth, left = scale->targetWidth - x;
      int32_t length = left < RTKBlockWidth ? left : RTKBlockWidth;
      uint8_t window = rowWindows[0][b] | rowWindows[1][b];
      if (window != RTKWindowMixed) {
        memset(out + x, window == RTKWindowOne ? 255 : 0, (size_t)length);
        continue;
      }
      const int16_t *source = grey + width * (size_t)y + x;
      if (length == RTKBlockWidth) {
        finishBlock(guide, rows, x, scale->rowWeights + 4 * y + 1, source, out + x);
      } else {
        int16_t lastGrey[RTKBlockWidth] = {0};
        uint8_t last[RTKBlockWidth];
        memcpy(lastGrey, source, (size_t)length * sizeof(int16_t));
        finishBlock(guide, rows, x, scale->rowWeights + 4 * y + 1, lastGrey, last);
        memcpy(out + x, last, (size_t)length);
      }
    }
  }
}

RTK_DISPATCH(
    guide_matte, (guide, scale, pairs, windows, grey, matte, first, count, scratch),
    (const RTKGuide *guide, const RTKScale *scale, const int16_t *pairs, const uint8_t *windows, const int16_t *grey,
     uint8_t *matte, int32_t first, int32_t count, void *scratch),
    guide_matte(guide, scale, pairs, windows, grey, matte, first, count, scratch, scale_pairs, finish_block),
    guide_matte(
        guide, scale, pairs, windows, grey, matte, first, count, scratch, scale_pairs_avx2, finish_block_avx2))
