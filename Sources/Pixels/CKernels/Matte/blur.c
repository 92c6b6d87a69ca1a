// Gaussian blur of a mask. For rows see blur_rows.h. Along columns, blocks whose whole window is 0
// or 1.0 are filled, and only the band along the outline is convolved.
#include "bend.h"
#include "blur_rows.h"

size_t rtk_blur_scratch(const RTKBlur *blur) {
  Scratch scratch;
  return lay_out(blur, &scratch, NULL);
}

/// The 16-bit sum does not overflow; baseline processors multiply 16-bit lanes faster than 32-bit.
RTK_BODY int32_t tap_product(int16_t up, int16_t down, int16_t tap) { return (int16_t)(up + down) * tap; }

/// Convolves sixteen columns. With H = sum of tap * high and L = sum of tap * low over inner taps,
/// and R = sum of rest * high over inner taps plus tap * high over outer taps:
/// value = (H + (L >> 11) + (R >> (24 - innerBits)) + half) >> (innerBits - 11).
RTK_BODY void sum_block(const RTKBlur *blur, const Line *middle, uint32_t *values) {
  // 1.0 * 1.0 is 2^31, so the sum of the high parts is unsigned.
  uint32_t high[RTKBlockWidth] = {0};
  int32_t low[RTKBlockWidth] = {0}, rest[RTKBlockWidth] = {0};
  int32_t inner = 2 * blur->innerPairCount, all = 2 * blur->pairCount;
  for (int32_t k = 0; k < all; k++) {
    const Line *up = middle - k, *down = middle + k;
    int16_t tap = blur->taps[k], remainder = k < inner ? blur->rests[k] : tap;
    for (int32_t i = 0; i < RTKBlockWidth; i++) rest[i] += tap_product(up->high[i], down->high[i], remainder);
    if (k >= inner) continue;
    for (int32_t i = 0; i < RTKBlockWidth; i++) high[i] += (uint32_t)tap_product(up->high[i], down->high[i], tap);
    for (int32_t i = 0; i < RTKBlockWidth; i++) low[i] += tap_product(up->low[i], down->low[i], tap);
  }
  int32_t shift = blur->innerBits - RTKLowBits;
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int32_t small = (low[i] >> RTKLowBits) + (rest[i] >> (24 - blur->innerBits)) + (1 << (shift - 1));
    values[i] = (high[i] + (uint32_t)small) >> shift;
  }
}

RTK_BODY void blur_block(const RTKBlur *blur, const void *unused, const Line *middle, void *values) {
  (void)unused;
  sum_block(blur, middle, values);
}

RTK_BODY void soften_block(const RTKBlur *blur, const void *bend, const Line *middle, void *samples) {
  uint32_t values[RTKBlockWidth];
  sum_block(blur, middle, values);
  for (int32_t i = 0; i < RTKBlockWidth; i++) ((int16_t *)samples)[i] = bent(bend, values[i]);
}

#if RTK_HAS_AVX2
/// Adds the lines k rows up and down, and those k + 1 rows up and down, and interleaves the sums.
/// `even` gets columns 0 to 3 and 8 to 11, `odd` the others.
RTK_AVX2_BODY void load_pair(const int16_t *middle, ptrdiff_t k, __m256i *even, __m256i *odd) {
  enum { SAMPLES = sizeof(Line) / sizeof(int16_t) };
  const int16_t *up = middle - SAMPLES * k, *down = middle + SAMPLES * k;
  __m256i near = _mm256_add_epi16(_mm256_load_si256((const __m256i *)up), _mm256_load_si256((const __m256i *)down));
  __m256i far = _mm256_add_epi16(
      _mm256_load_si256((const __m256i *)(up - SAMPLES)), _mm256_load_si256((const __m256i *)(down + SAMPLES)));
  *even = _mm256_unpacklo_epi16(near, far);
  *odd = _mm256_unpackhi_epi16(near, far);
}

RTK_AVX2_BODY __m256i add_products(__m256i sum, __m256i samples, __m256i taps) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(samples, taps));
}

/// Precomputed for all blocks; see BendLanes.
typedef struct {
  __m256i half, restShift, shift;
  BendLanes bend;
} Finish;

RTK_AVX2_BODY Finish finish_avx2(const RTKBlur *blur) {
  int32_t shift = blur->innerBits - RTKLowBits;
  return (Finish){
      .half = _mm256_set1_epi32(1 << (shift - 1)),
      .restShift = _mm256_set1_epi32(24 - blur->innerBits),
      .shift = _mm256_set1_epi32(shift),
  };
}

RTK_AVX2_BODY __m256i taps_avx2(const int16_t *taps, int32_t pair) {
  return _mm256_set1_epi32(RTK_LOAD(int32_t, taps + 2 * pair));
}

/// - high: includes the rounding term.
RTK_AVX2_BODY __m256i value_avx2(const Finish *finish, __m256i high, __m256i low, __m256i rest) {
  __m256i small = _mm256_add_epi32(_mm256_srai_epi32(low, RTKLowBits), _mm256_srav_epi32(rest, finish->restShift));
  return _mm256_srlv_epi32(_mm256_add_epi32(high, small), finish->shift);
}

/// - first: columns 0 to 3 and 8 to 11. second: the others.
RTK_AVX2_BODY void sum_block_avx2(
    const RTKBlur *blur, const Finish *finish, const Line *line, __m256i *first, __m256i *second) {
  __m256i high0 = finish->half, high1 = high0;
  __m256i low0 = _mm256_setzero_si256(), low1 = low0, rest0 = low0, rest1 = low0;
  __m256i even, odd;
  int32_t pair = 0;
  for (; pair < blur->innerPairCount; pair++) {
    __m256i taps = taps_avx2(blur->taps, pair), rests = taps_avx2(blur->rests, pair);
    load_pair(line->high, 2 * pair, &even, &odd);
    high0 = add_products(high0, even, taps);
    high1 = add_products(high1, odd, taps);
    rest0 = add_products(rest0, even, rests);
    rest1 = add_products(rest1, odd, rests);
    load_pair(line->low, 2 * pair, &even, &odd);
    low0 = add_products(low0, even, taps);
    low1 = add_products(low1, odd, taps);
  }
  for (; pair < blur->pairCount; pair++) {
    __m256i taps = taps_avx2(blur->taps, pair);
    load_pair(line->high, 2 * pair, &even, &odd);
    rest0 = add_products(rest0, even, taps);
    rest1 = add_products(rest1, odd, taps);
  }
  *first = value_avx2(finish, high0, low0, rest0);
  *second = value_avx2(finish, high1, low1, rest1);
}

RTK_AVX2_BODY void blur_block_avx2(const RTKBlur *blur, const void *finish, const Line *line, void *values) {
  __m256i first, second;
  sum_block_avx2(blur, finish, line, &first, &second);
  _mm256_storeu_si256((__m256i *)values, _mm256_permute2x128_si256(first, second, 0x20));
  _mm256_storeu_si256((__m256i *)values + 1, _mm256_permute2x128_si256(first, second, 0x31));
}

RTK_AVX2_BODY void soften_block_avx2(const RTKBlur *blur, const void *finish, const Line *line, void *samples) {
  __m256i first, second;
  sum_block_avx2(blur, finish, line, &first, &second);
  bend_block_avx2(&((const Finish *)finish)->bend, first, second, samples);
}
#endif

typedef int32_t (*FindChanges)(const uint8_t *, int32_t, int32_t *);

typedef struct {
  /// The second argument is `prepared`, the variant's precomputed state.
  void (*makeBlock)(const RTKBlur *, const void *, const Line *, void *);
  const void *prepared;
  int isBent;
} Making;

RTK_BODY size_t sample_size(Making making) { return making.isBent ? sizeof(int16_t) : sizeof(uint32_t); }

RTK_BODY void fill_with_one(Making making, void *block) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    if (making.isBent) {
      ((int16_t *)block)[i] = RTKMatteOne;
    } else {
      ((uint32_t *)block)[i] = RTKBlurOne;
    }
  }
}

RTK_BODY void make_column(
    const RTKBlur *blur, const Scratch *scratch, int32_t block, int32_t count, uint8_t *samples, uint8_t *blocks,
    Making making) {
  size_t stride = (size_t)scratch->blockCount * RTKBlockWidth;
  const uint8_t *kinds = scratch->kinds + (size_t)block * (size_t)scratch->lineCount;
  const Line *lines = scratch->lines + (size_t)block * (size_t)scratch->lineCount;
  int32_t shared = 2 * scratch->reach;
  // Index of the latest line that is not all 0, and of the latest that is not all 1.0.
  int32_t notZero = -1, notOne = -1;
  for (int32_t i = 0; i < shared; i++) {
    notZero = kinds[i] != RTKBlockZero ? i : notZero;
    notOne = kinds[i] != RTKBlockOne ? i : notOne;
  }
  for (int32_t y = 0; y < count; y++) {
    uint8_t last = kinds[y + shared];
    notZero = last != RTKBlockZero ? y + shared : notZero;
    notOne = last != RTKBlockOne ? y + shared : notOne;
    uint8_t *out = samples + sample_size(making) * (stride * (size_t)y + (size_t)block * RTKBlockWidth);
    uint8_t *outBlock = blocks + (size_t)scratch->blockCount * (size_t)y + block;
    // A block that already holds this content from an earlier matte is skipped.
    if (notZero < y) {
      if (*outBlock == RTKBlockZero) continue;
      *outBlock = RTKBlockZero;
      memset(out, 0, RTKBlockWidth * sample_size(making));
    } else if (notOne < y) {
      if (*outBlock == RTKBlockOne) continue;
      *outBlock = RTKBlockOne;
      fill_with_one(making, out);
    } else {
      *outBlock = RTKBlockMixed;
      // Rows are too far apart for the hardware prefetcher.
      __builtin_prefetch(out + 8 * stride * sample_size(making), 1);
      making.makeBlock(blur, making.prepared, lines + y + scratch->reach, out);
    }
  }
}

RTK_BODY void blur_mask(
    const RTKBlur *blur, const uint8_t *mask, void *samples, uint8_t *blocks, int32_t first, int32_t count, void *memory,
    FindChanges find, Making making) {
  Scratch scratch;
  lay_out(blur, &scratch, memory);
  size_t blockCount = (size_t)scratch.blockCount, lineCount = (size_t)scratch.lineCount;
  size_t shared = 2 * (size_t)scratch.reach;
  memset(scratch.kinds, UNKNOWN, blockCount * lineCount);
  int32_t filled = 0;
  for (int32_t y = 0; y < count; y += CHUNK_ROWS) {
    int32_t chunk = count - y < CHUNK_ROWS ? count - y : CHUNK_ROWS;
    if (y > 0) {
      // Keep the lines that the next chunk's windows share with this one's.
      for (size_t b = 0; b < blockCount; b++) {
        Line *lines = scratch.lines + lineCount * b;
        uint8_t *kinds = scratch.kinds + lineCount * b;
        memmove(lines, lines + CHUNK_ROWS, shared * sizeof(Line));
        memmove(kinds, kinds + CHUNK_ROWS, shared);
      }
      filled = (int32_t)shared;
    }
    for (; filled < chunk + (int32_t)shared; filled++) {
      int32_t source = first + y - scratch.reach + filled;
      source = source < 0 ? 0 : source >= blur->height ? blur->height - 1 : source;
      const uint8_t *row = mask + (size_t)source * (size_t)blur->width;
      int32_t changeCount = find(row, blur->width, scratch.changes);
      find_kinds(blur, &scratch, row, changeCount);
      if (changeCount > 0 || (row[0] != 0 && row[0] != 255)) blur_row(blur, &scratch, row, changeCount);
      store_lines(&scratch, filled);
    }
    size_t start = (size_t)(first + y) * blockCount;
    for (int32_t block = 0; block < scratch.blockCount; block++) {
      uint8_t *target = (uint8_t *)samples + sample_size(making) * start * RTKBlockWidth;
      make_column(blur, &scratch, block, chunk, target, blocks + start, making);
    }
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY void blur_mask_avx2(
    const RTKBlur *blur, const uint8_t *mask, uint32_t *values, uint8_t *blocks, int32_t first, int32_t count,
    void *scratch) {
  Finish finish = finish_avx2(blur);
  Making making = {blur_block_avx2, &finish, 0};
  blur_mask(blur, mask, values, blocks, first, count, scratch, find_changes_avx2, making);
}

RTK_AVX2_BODY void blur_bend_mask_avx2(
    const RTKBlur *blur, const RTKBend *bend, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t first,
    int32_t count, void *scratch) {
  Finish finish = finish_avx2(blur);
  finish.bend = bend_lanes(bend);
  Making making = {soften_block_avx2, &finish, 1};
  blur_mask(blur, mask, samples, blocks, first, count, scratch, find_changes_avx2, making);
}
#endif

RTK_DISPATCH(
    blur, (blur, mask, values, blocks, first, count, scratch),
    (const RTKBlur *blur, const uint8_t *mask, uint32_t *values, uint8_t *blocks, int32_t first, int32_t count,
     void *scratch),
    blur_mask(
        blur, mask, values, blocks, first, count, scratch, find_changes_plain, (Making){blur_block, NULL, 0}),
    blur_mask_avx2(blur, mask, values, blocks, first, count, scratch))

RTK_DISPATCH(
    blur_bend, (blur, bend, mask, samples, blocks, first, count, scratch),
    (const RTKBlur *blur, const RTKBend *bend, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t first,
     int32_t count, void *scratch),
    blur_mask(
        blur, mask, samples, blocks, first, count, scratch, find_changes_plain, (Making){soften_block, bend, 1}),
    blur_bend_mask_avx2(blur, bend, mask, samples, blocks, first, count, scratch))
