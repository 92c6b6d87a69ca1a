// The mask's blur works on what changes. Along a row, each place where the mask changes adds that change times the
// Gaussian's answer to a step, so flat stretches cost nothing. Down the columns, blocks whose whole window is zero or one
// are filled, and only the band along the outline is weighed tap by tap.
#include "lanes.h"

#if RTK_HAS_AVX2
#include <immintrin.h>
#endif

enum {
  /// Rows of the result that are made from one piece of memory, few enough that it stays in the second cache.
  CHUNK_ROWS = 96,
  /// Of a line that holds nothing known.
  UNKNOWN = 3,
};

/// Sixteen columns of a row that was blurred along x, in two parts: value = high * 2^11 + low, with low in -1024 ... 1023.
/// One is 8192 and 0. It is as long as a line of the cache.
typedef struct {
  int16_t high[RTKBlockWidth];
  int16_t low[RTKBlockWidth];
} Line;

typedef struct {
  int32_t blockCount;
  /// Rows on each side of a window's middle: taps come in pairs.
  int32_t reach;
  int32_t lineCount;
  /// Block by block, `lineCount` lines of what a chunk's windows see, and what each holds.
  Line *lines;
  uint8_t *kinds;
  /// A row before it is cut in lines.
  uint32_t *row;
  /// Places where the mask's row changes.
  int32_t *changes;
  /// What the row's blocks hold.
  uint8_t *rowKinds;
} Scratch;

static size_t lay_out(const RTKBlur *blur, Scratch *scratch, uint8_t *base) {
  int32_t blockCount = rtk_block_count(blur->width), reach = 2 * blur->pairCount - 1;
  int32_t lineCount = CHUNK_ROWS + 2 * reach;
  size_t kinds = rtk_padded((size_t)blockCount * (size_t)lineCount * sizeof(Line));
  size_t row = kinds + rtk_padded((size_t)blockCount * (size_t)lineCount);
  size_t changes = row + rtk_padded((size_t)blockCount * RTKBlockWidth * sizeof(uint32_t));
  size_t rowKinds = changes + rtk_padded((size_t)blur->width * sizeof(int32_t));
  if (base) {
    *scratch = (Scratch){
        blockCount,
        reach,
        lineCount,
        (Line *)base,
        base + kinds,
        (uint32_t *)(base + row),
        (int32_t *)(base + changes),
        base + rowKinds};
  }
  return rowKinds + rtk_padded((size_t)blockCount);
}

size_t rtk_blur_scratch(const RTKBlur *blur) { return lay_out(blur, NULL, NULL); }

/// Places from x on.
RTK_BODY int32_t find_changes(const uint8_t *mask, int32_t x, int32_t width, int32_t *changes, int32_t count) {
  for (; x + 8 <= width; x += 8) {
    uint64_t difference = RTK_LOAD(uint64_t, mask + x) ^ RTK_LOAD(uint64_t, mask + x - 1);
    if (difference == 0) continue;
    for (int32_t k = x; k < x + 8; k++) {
      if (mask[k] != mask[k - 1]) changes[count++] = k;
    }
  }
  for (; x < width; x++) {
    if (mask[x] != mask[x - 1]) changes[count++] = x;
  }
  return count;
}

RTK_BODY int32_t find_changes_plain(const uint8_t *mask, int32_t width, int32_t *changes) {
  return find_changes(mask, 1, width, changes, 0);
}

/// What a row's blocks hold: those between what two changes touch are flat.
RTK_BODY void find_kinds(
    const RTKBlur *blur, const Scratch *scratch, const uint8_t *mask, int32_t count) {
  const int32_t *changes = scratch->changes;
  int32_t radius = blur->radius, unmarked = 0;
  memset(scratch->rowKinds, RTKBlockMixed, (size_t)scratch->blockCount);
  uint8_t settled = mask[0];
  for (int32_t k = 0; k <= count; k++) {
    int32_t touched = k < count ? changes[k] - radius : scratch->blockCount * RTKBlockWidth;
    int32_t last = touched < 0 ? 0 : touched / RTKBlockWidth;
    if ((settled == 0 || settled == 255) && last > unmarked) {
      memset(scratch->rowKinds + unmarked, settled == 0 ? RTKBlockZero : RTKBlockOne, (size_t)(last - unmarked));
    }
    if (k == count) break;
    settled = mask[changes[k]];
    int32_t next = (changes[k] + radius - 1) / RTKBlockWidth + 1;
    if (next > unmarked) unmarked = next;
  }
}

/// One row along x: sum over changes c of change * answer(x - c), in 1/255 of RTKBlurOne, modulo 2^32, in which it fits;
/// then divided by 255, rounded to nearest. A binary mask is summed up in units of RTKBlurOne itself, which is the same
/// without the division.
RTK_BODY void blur_row(const RTKBlur *blur, const Scratch *scratch, const uint8_t *mask, int32_t count) {
  int32_t width = blur->width, radius = blur->radius, stride = scratch->blockCount * RTKBlockWidth;
  const int32_t *changes = scratch->changes;
  uint32_t *out = scratch->row;
  int isBinary = mask[0] == 0 || mask[0] == 255;
  for (int32_t k = 0; k < count; k++) isBinary &= mask[changes[k]] == 0 || mask[changes[k]] == 255;

  // What lies a radius behind a change has settled.
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    if (scratch->rowKinds[b] != RTKBlockMixed) continue;
    int32_t x = b * RTKBlockWidth, behind = x - radius;
    uint8_t settled[RTKBlockWidth];
    if (behind >= 0 && behind + RTKBlockWidth <= width) {
      memcpy(settled, mask + behind, RTKBlockWidth);
    } else {
      for (int32_t i = 0; i < RTKBlockWidth; i++) settled[i] = mask[rtk_clamped(behind + i, width - 1)];
    }
    if (isBinary) {
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[x + i] = (uint32_t)(settled[i] & 1) << 24;
    } else {
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[x + i] = (uint32_t)settled[i] << 24;
    }
  }
  for (int32_t k = 0; k < count; k++) {
    int32_t place = changes[k], from = place - radius, to = place + radius;
    const uint32_t *steps = blur->steps;
    if (from < 0) {
      steps -= from;
      from = 0;
    }
    if (to > width) to = width;
    uint32_t *target = out + from;
    int32_t length = to - from;
    int32_t change = (int32_t)mask[place] - (int32_t)mask[place - 1];
    if (!isBinary) {
      for (int32_t i = 0; i < length; i++) target[i] += (uint32_t)change * steps[i];
    } else if (change > 0) {
      for (int32_t i = 0; i < length; i++) target[i] += steps[i];
    } else {
      for (int32_t i = 0; i < length; i++) target[i] -= steps[i];
    }
  }
  if (!isBinary) {
    for (int32_t i = 0; i < stride; i++) out[i] = (uint32_t)(((uint64_t)out[i] + 127) / 255);
  }
}

/// Cuts the row in lines. One that holds the same flat block already is left as it is.
RTK_BODY void store_lines(const Scratch *scratch, int32_t number) {
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    size_t place = (size_t)b * (size_t)scratch->lineCount + (size_t)number;
    uint8_t kind = scratch->rowKinds[b];
    Line *line = scratch->lines + place;
    if (kind == RTKBlockMixed) {
      const uint32_t *row = scratch->row + b * RTKBlockWidth;
      for (int32_t i = 0; i < RTKBlockWidth; i++) {
        uint32_t high = (row[i] + (1 << (RTKLowBits - 1))) >> RTKLowBits;
        line->high[i] = (int16_t)high;
        line->low[i] = (int16_t)(row[i] - (high << RTKLowBits));
      }
    } else if (kind != scratch->kinds[place]) {
      int16_t value = kind == RTKBlockOne ? RTKBlurOne >> RTKLowBits : 0;
      for (int32_t i = 0; i < RTKBlockWidth; i++) line->high[i] = value;
      memset(line->low, 0, sizeof line->low);
    }
    scratch->kinds[place] = kind;
  }
}

/// The cell of a value's octave, and the place in it in 1/2^14.
RTK_BODY int32_t curve_value(const RTKBlur *blur, uint32_t value) {
  if (value == 0) return 0;
  int32_t bits = blur->curveBits, octave = 31 - __builtin_clz(value);
  // The bits behind the leading one, from bit 23 on down.
  uint32_t mantissa = (octave == 24 ? 0 : value << (23 - octave)) & 0x7FFFFF;
  int32_t cell = (octave << bits) + (int32_t)(mantissa >> (23 - bits));
  int32_t place = (int32_t)(mantissa << (bits + 7) >> 16 & 0x3FFF);
  const int16_t *pair = blur->curve + 2 * cell;
  return (pair[0] * (1 << 14) + pair[1] * place + (1 << 14)) >> 15;
}

/// The sum of two samples has 16 bits as well, of which plain processors multiply the more at once.
RTK_BODY int32_t tap_product(int16_t up, int16_t down, int16_t tap) { return (int16_t)(up + down) * tap; }

/// Keeps the side of the outline that the blur may show on; values stay within 0 ... RTKBlurOne.
RTK_BODY uint32_t feathered(const RTKBlur *blur, uint32_t value) {
  value *= blur->gain;
  value = (value > blur->bias ? value : blur->bias) - blur->bias;
  return value < RTKBlurOne ? value : RTKBlurOne;
}

/// Sixteen columns down the window whose middle is given, then feather and curve. With the sums H of tap * high of inner
/// taps, L of tap * low of them, and R of rest * high of them and tap * high of outer ones,
/// value = (H + (L >> 11) + (R >> (24 - innerBits)) + half) >> (innerBits - 11).
RTK_BODY void soften_block(const RTKBlur *blur, const void *unused, const Line *middle, int16_t *samples) {
  (void)unused;
  // One times one is 2^31, so the sum of the high parts needs its sign bit.
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
    samples[i] = (int16_t)curve_value(blur, feathered(blur, (high[i] + (uint32_t)small) >> shift));
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY int32_t find_changes_avx2(const uint8_t *mask, int32_t width, int32_t *changes) {
  int32_t count = 0, x = 1;
  for (; x + 32 <= width; x += 32) {
    __m256i here = _mm256_loadu_si256((const __m256i *)(mask + x));
    __m256i before = _mm256_loadu_si256((const __m256i *)(mask + x - 1));
    uint32_t bits = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(here, before));
    for (; bits; bits &= bits - 1) changes[count++] = x + __builtin_ctz(bits);
  }
  return find_changes(mask, x, width, changes, count);
}

/// One part of two taps' lines: rows k up and down, and k + 1 up and down. `even` becomes columns 0 to 3 and 8 to 11, in
/// turn of the one and of the other.
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

/// What follows the sums, the same for each block: numbers by which each lane shifts, for which a processor takes one step
/// where it takes two for a number that all lanes share.
typedef struct {
  __m256i half, restShift, shift, cellShift, placeShift, firstCell;
  /// Unless the blur shows on both sides.
  __m256i gain, bias;
  int isOneSided;
} Finish;

RTK_AVX2_BODY Finish finish_avx2(const RTKBlur *blur) {
  int32_t shift = blur->innerBits - RTKLowBits;
  return (Finish){
      .half = _mm256_set1_epi32(1 << (shift - 1)),
      .restShift = _mm256_set1_epi32(24 - blur->innerBits),
      .shift = _mm256_set1_epi32(shift),
      .cellShift = _mm256_set1_epi32(23 - blur->curveBits),
      .placeShift = _mm256_set1_epi32(7 + blur->curveBits),
      .firstCell = _mm256_set1_epi32(127 << blur->curveBits),
      .gain = _mm256_set1_epi32((int32_t)blur->gain),
      .bias = _mm256_set1_epi32((int32_t)blur->bias),
      .isOneSided = blur->gain != 1 || blur->bias != 0,
  };
}

RTK_AVX2_BODY __m256i feathered_avx2(const Finish *finish, __m256i value) {
  if (finish->isOneSided) {
    value = _mm256_mullo_epi32(value, finish->gain);
    value = _mm256_sub_epi32(_mm256_max_epu32(value, finish->bias), finish->bias);
  }
  return _mm256_min_epu32(value, _mm256_set1_epi32(RTKBlurOne));
}

/// A value up to 2^24 becomes a float exactly: exponent and leading bits of the mantissa are its cell, the next its place.
RTK_AVX2_BODY __m256i curve_avx2(const RTKBlur *blur, const Finish *finish, __m256i value) {
  __m256i isZero = _mm256_cmpeq_epi32(value, _mm256_setzero_si256());
  // Zero has no octave: it is looked up as one, and becomes zero again.
  __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_sub_epi32(value, isZero)));
  __m256i cell = _mm256_sub_epi32(_mm256_srlv_epi32(bits, finish->cellShift), finish->firstCell);
  __m256i pair = _mm256_i32gather_epi32((const int *)blur->curve, cell, 4);
  __m256i place = _mm256_and_si256(_mm256_sllv_epi32(bits, finish->placeShift), _mm256_set1_epi32(0x3FFF0000));
  __m256i sum = _mm256_madd_epi16(pair, _mm256_or_si256(place, _mm256_set1_epi32(1 << 14)));
  sum = _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << 14)), 15);
  return _mm256_andnot_si256(isZero, sum);
}

RTK_AVX2_BODY __m256i taps_avx2(const int16_t *taps, int32_t pair) {
  return _mm256_set1_epi32(RTK_LOAD(int32_t, taps + 2 * pair));
}

/// - high: with half of what it is shifted by.
RTK_AVX2_BODY __m256i samples_avx2(const RTKBlur *blur, const Finish *finish, __m256i high, __m256i low, __m256i rest) {
  __m256i small = _mm256_add_epi32(_mm256_srai_epi32(low, RTKLowBits), _mm256_srav_epi32(rest, finish->restShift));
  __m256i value = _mm256_srlv_epi32(_mm256_add_epi32(high, small), finish->shift);
  return curve_avx2(blur, finish, feathered_avx2(finish, value));
}

RTK_AVX2_BODY void soften_block_avx2(const RTKBlur *blur, const void *finish, const Line *line, int16_t *samples) {
  __m256i high0 = ((const Finish *)finish)->half, high1 = high0;
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
  // Packing brings the columns in order.
  __m256i packed = _mm256_packus_epi32(
      samples_avx2(blur, finish, high0, low0, rest0), samples_avx2(blur, finish, high1, low1, rest1));
  _mm256_storeu_si256((__m256i *)samples, packed);
}
#endif

typedef int32_t (*FindChanges)(const uint8_t *, int32_t, int32_t *);
/// With what a variant has prepared.
typedef void (*SoftenBlock)(const RTKBlur *, const void *, const Line *, int16_t *);

/// One column of blocks, down a chunk.
RTK_BODY void soften_column(
    const RTKBlur *blur, const Scratch *scratch, int32_t block, int32_t count, int16_t *samples, uint8_t *blocks,
    SoftenBlock soften, const void *prepared) {
  size_t stride = (size_t)scratch->blockCount * RTKBlockWidth;
  const uint8_t *kinds = scratch->kinds + (size_t)block * (size_t)scratch->lineCount;
  const Line *lines = scratch->lines + (size_t)block * (size_t)scratch->lineCount;
  int32_t shared = 2 * scratch->reach;
  // The last lines so far that are not all zero, and not all one.
  int32_t notZero = -1, notOne = -1;
  for (int32_t i = 0; i < shared; i++) {
    notZero = kinds[i] != RTKBlockZero ? i : notZero;
    notOne = kinds[i] != RTKBlockOne ? i : notOne;
  }
  for (int32_t y = 0; y < count; y++) {
    uint8_t last = kinds[y + shared];
    notZero = last != RTKBlockZero ? y + shared : notZero;
    notOne = last != RTKBlockOne ? y + shared : notOne;
    int16_t *out = samples + stride * (size_t)y + (size_t)block * RTKBlockWidth;
    uint8_t *outBlock = blocks + (size_t)scratch->blockCount * (size_t)y + block;
    // A block that holds the same already, from the frame before, is left as it is.
    if (notZero < y) {
      if (*outBlock == RTKBlockZero) continue;
      *outBlock = RTKBlockZero;
      memset(out, 0, RTKBlockWidth * sizeof(int16_t));
    } else if (notOne < y) {
      if (*outBlock == RTKBlockOne) continue;
      *outBlock = RTKBlockOne;
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[i] = RTKMatteOne;
    } else {
      *outBlock = RTKBlockMixed;
      // Rows lie too far apart to be foreseen.
      __builtin_prefetch(out + 8 * stride, 1);
      soften(blur, prepared, lines + y + scratch->reach, out);
    }
  }
}

RTK_BODY void blur_curve(
    const RTKBlur *blur, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t first, int32_t count,
    void *memory, FindChanges find, SoftenBlock soften, const void *prepared) {
  Scratch scratch;
  lay_out(blur, &scratch, memory);
  size_t blockCount = (size_t)scratch.blockCount, lineCount = (size_t)scratch.lineCount;
  size_t shared = 2 * (size_t)scratch.reach;
  memset(scratch.kinds, UNKNOWN, blockCount * lineCount);
  int32_t filled = 0;
  for (int32_t y = 0; y < count; y += CHUNK_ROWS) {
    int32_t chunk = count - y < CHUNK_ROWS ? count - y : CHUNK_ROWS;
    if (y > 0) {
      // The windows of the next chunk begin with the lines that those of the last one ended with.
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
      soften_column(blur, &scratch, block, chunk, samples + start * RTKBlockWidth, blocks + start, soften, prepared);
    }
  }
}

#if RTK_HAS_AVX2
RTK_AVX2 static void blur_curve_avx2(
    const RTKBlur *blur, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t first, int32_t count,
    void *scratch) {
  Finish finish = finish_avx2(blur);
  blur_curve(blur, mask, samples, blocks, first, count, scratch, find_changes_avx2, soften_block_avx2, &finish);
}
#endif

void rtk_blur_curve(
    RTKProcessor processor, const RTKBlur *blur, const uint8_t *mask, int16_t *samples, uint8_t *blocks,
    int32_t first, int32_t count, void *scratch) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) {
    return blur_curve_avx2(blur, mask, samples, blocks, first, count, scratch);
  }
#endif
  blur_curve(blur, mask, samples, blocks, first, count, scratch, find_changes_plain, soften_block, NULL);
}
