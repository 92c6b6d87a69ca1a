// The mask's blur works on what changes. Along a row, each place where the mask changes adds that change times the
// Gaussian's answer to a step, so flat stretches cost nothing. Down the columns, blocks whose whole window is zero or one
// are filled, and only the band along the outline is weighed tap by tap.
#include "lanes.h"

#if RTK_HAS_AVX2
#include <immintrin.h>
#endif

/// Rows of the result that are made from one piece of memory.
enum { CHUNK_ROWS = 64 };

typedef struct {
  int32_t blockCount;
  /// Samples from one blurred row to the next.
  size_t stride;
  /// Rows of the window.
  int32_t windowRows;
  /// Rows that are blurred along x: what a chunk's windows see. Few enough to stay in the second cache.
  uint32_t *rows;
  uint8_t *blocks;
  /// Places where the mask's row changes.
  int32_t *changes;
} Scratch;

static size_t lay_out(const RTKBlur *blur, Scratch *scratch, uint8_t *base) {
  int32_t blockCount = rtk_block_count(blur->width), windowRows = 2 * blur->radius + 1;
  size_t stride = (size_t)blockCount * RTKBlockWidth, rowCount = (size_t)(CHUNK_ROWS + windowRows - 1);
  size_t blocks = rtk_padded(rowCount * stride * sizeof(uint32_t));
  size_t changes = blocks + rtk_padded(rowCount * (size_t)blockCount);
  if (base) {
    *scratch = (Scratch){
        blockCount, stride, windowRows, (uint32_t *)base, base + blocks, (int32_t *)(base + changes)};
  }
  return changes + rtk_padded((size_t)blur->width * sizeof(int32_t));
}

size_t rtk_blur_scratch(const RTKBlur *blur) { return lay_out(blur, NULL, NULL); }

RTK_BODY int32_t find_changes(const uint8_t *mask, int32_t width, int32_t *changes) {
  int32_t count = 0, x = 1;
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

/// One row along x: sum over changes c of change * answer(x - c), in 1/255 of RTKBlurOne, modulo 2^32, in which it fits;
/// then divided by 255, rounded to nearest.
RTK_BODY void blur_row(
    const RTKBlur *blur, const Scratch *scratch, const uint8_t *mask, uint32_t *out, uint8_t *blocks) {
  int32_t width = blur->width, radius = blur->radius, stride = (int32_t)scratch->stride;
  int32_t count = find_changes(mask, width, scratch->changes);
  const int32_t *changes = scratch->changes;
  int isBinary = mask[0] == 0 || mask[0] == 255;
  for (int32_t k = 0; k < count; k++) isBinary &= mask[changes[k]] == 0 || mask[changes[k]] == 255;
  // A binary mask is summed up in units of RTKBlurOne itself, which is the same without the division.

  // What lies more than a radius behind a change has settled.
  int32_t x = 0;
  uint8_t settled = mask[0];
  memset(blocks, RTKBlockMixed, (size_t)scratch->blockCount);
  int32_t unmarked = 0;
  for (int32_t k = 0; k <= count; k++) {
    int32_t touched = k < count ? changes[k] - radius : stride;
    // Blocks between what two changes touch are flat.
    int32_t last = touched < 0 ? 0 : touched / RTKBlockWidth;
    for (int32_t b = unmarked; b < last && b < scratch->blockCount; b++) {
      blocks[b] = settled == 0 ? RTKBlockZero : settled == 255 ? RTKBlockOne : RTKBlockMixed;
    }
    int32_t end = k < count ? changes[k] + radius : stride;
    if (end > stride) end = stride;
    uint32_t value = isBinary ? (settled ? RTKBlurOne : 0) : (uint32_t)settled << 24;
    for (; x < end; x++) out[x] = value;
    if (k < count) {
      settled = mask[changes[k]];
      int32_t next = (changes[k] + radius - 1) / RTKBlockWidth + 1;
      if (next > unmarked) unmarked = next;
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

/// Sixteen columns down a window of rows: (sum of weight * sample + 2^23) >> 24, in 64 bits.
RTK_BODY void weigh_block(const RTKBlur *blur, const uint32_t *window, size_t stride, uint32_t *out) {
  const Lanes64 low = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  const Lanes64 half = {1 << 23, 1 << 23, 1 << 23, 1 << 23};
  const uint32_t *up = window + stride * (size_t)blur->radius, *down = up;
  Lanes64 a = (Lanes64)RTK_LOAD(Lanes32, up), b = (Lanes64)RTK_LOAD(Lanes32, up + 8);
  // Even and odd columns apart: a 64-bit lane holds one of each.
  uint64_t middle = blur->half[0];
  Lanes64 evenA = (a & low) * middle + half, oddA = (a >> 32) * middle + half;
  Lanes64 evenB = (b & low) * middle + half, oddB = (b >> 32) * middle + half;
  for (int32_t k = 1; k <= blur->radius; k++) {
    up -= stride;
    down += stride;
    // Known to be below 2^32, a product is one instruction.
    uint64_t w = blur->half[k];
    Lanes64 weight = {w, w, w, w};
    a = (Lanes64)(RTK_LOAD(Lanes32, up) + RTK_LOAD(Lanes32, down));
    b = (Lanes64)(RTK_LOAD(Lanes32, up + 8) + RTK_LOAD(Lanes32, down + 8));
    evenA += (a & low) * weight;
    oddA += (a >> 32) * weight;
    evenB += (b & low) * weight;
    oddB += (b >> 32) * weight;
  }
  RTK_STORE(out, (evenA >> 24 & low) | (oddA >> 24) << 32);
  RTK_STORE(out + 8, (evenB >> 24 & low) | (oddB >> 24) << 32);
}

/// Keeps the side of the outline that the blur may show on; values stay within 0 ... RTKBlurOne.
RTK_BODY void feather_block(const RTKBlur *blur, uint32_t *values) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    uint32_t value = values[i] * blur->gain;
    value = (value > blur->bias ? value : blur->bias) - blur->bias;
    values[i] = value < RTKBlurOne ? value : RTKBlurOne;
  }
}

/// The cell of a value's octave: its number and the bits that follow its leading one.
RTK_BODY int32_t curve_cell(uint32_t value, int32_t bits) {
  int32_t octave = 31 - __builtin_clz(value);
  uint32_t place = octave <= bits ? value << (bits - octave) : value >> (octave - bits);
  return (octave << bits) + (int32_t)(place - (1u << bits));
}

RTK_BODY void curve_block(const RTKBlur *blur, const uint32_t *values, int16_t *samples) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    samples[i] = values[i] == 0 ? 0 : (int16_t)blur->curve[curve_cell(values[i], blur->curveBits)];
  }
}

#if RTK_HAS_AVX2
/// A value below 2^25 becomes a float exactly; exponent and leading mantissa bits are its cell.
RTK_AVX2 static inline __attribute__((always_inline)) void curve_block_avx2(
    const RTKBlur *blur, const uint32_t *values, int16_t *samples) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i bias = _mm256_set1_epi32(127 << blur->curveBits);
  const __m128i shift = _mm_cvtsi32_si128(23 - blur->curveBits);
  __m256i results[2];
  for (int half = 0; half < 2; half++) {
    __m256i value = _mm256_loadu_si256((const __m256i *)(values + 8 * half));
    __m256i isZero = _mm256_cmpeq_epi32(value, zero);
    // Zero has no octave: it is looked up as one, and becomes zero again.
    __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_sub_epi32(value, isZero)));
    __m256i cell = _mm256_sub_epi32(_mm256_srl_epi32(bits, shift), bias);
    __m256i pair = _mm256_i32gather_epi32((const int *)blur->curve, cell, 2);
    results[half] = _mm256_andnot_si256(isZero, _mm256_and_si256(pair, _mm256_set1_epi32(0xFFFF)));
  }
  __m256i packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(results[0], results[1]), 0xD8);
  _mm256_storeu_si256((__m256i *)samples, packed);
}
#endif

typedef void (*CurveBlock)(const RTKBlur *, const uint32_t *, int16_t *);

/// One column of blocks, down a chunk: what a window of it needs stays in the first cache.
RTK_BODY void soften_blocks(
    const RTKBlur *blur, const Scratch *scratch, int32_t block, int32_t count, int16_t *samples, uint8_t *blocks,
    CurveBlock curve) {
  size_t stride = scratch->stride, blockCount = (size_t)scratch->blockCount;
  const uint8_t *rowBlocks = scratch->blocks + block;
  // Rows of the window that are not all zero, and not all one.
  int32_t notZero = 0, notOne = 0;
  for (int32_t i = 0; i < scratch->windowRows - 1; i++) {
    notZero += rowBlocks[blockCount * (size_t)i] != RTKBlockZero;
    notOne += rowBlocks[blockCount * (size_t)i] != RTKBlockOne;
  }
  for (int32_t y = 0; y < count; y++) {
    uint8_t last = rowBlocks[blockCount * (size_t)(y + scratch->windowRows - 1)];
    notZero += last != RTKBlockZero;
    notOne += last != RTKBlockOne;
    int16_t *out = samples + stride * (size_t)y + (size_t)block * RTKBlockWidth;
    uint8_t *outBlock = blocks + blockCount * (size_t)y + block;
    if (notZero == 0) {
      *outBlock = RTKBlockZero;
      memset(out, 0, RTKBlockWidth * sizeof(int16_t));
    } else if (notOne == 0) {
      *outBlock = RTKBlockOne;
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[i] = RTKMatteOne;
    } else {
      uint32_t values[RTKBlockWidth];
      weigh_block(blur, scratch->rows + stride * (size_t)y + (size_t)block * RTKBlockWidth, stride, values);
      *outBlock = RTKBlockMixed;
      feather_block(blur, values);
      curve(blur, values, out);
    }
    uint8_t first = rowBlocks[blockCount * (size_t)y];
    notZero -= first != RTKBlockZero;
    notOne -= first != RTKBlockOne;
  }
}

RTK_BODY void blur_curve(
    const RTKBlur *blur, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t first, int32_t count,
    void *memory, CurveBlock curve) {
  Scratch scratch;
  lay_out(blur, &scratch, memory);
  size_t stride = scratch.stride, blockCount = (size_t)scratch.blockCount;
  int32_t shared = scratch.windowRows - 1, blurred = 0;
  for (int32_t y = 0; y < count; y += CHUNK_ROWS) {
    int32_t chunk = count - y < CHUNK_ROWS ? count - y : CHUNK_ROWS;
    if (y > 0) {
      // The windows of the next chunk begin with the rows that those of the last one ended with.
      memmove(scratch.rows, scratch.rows + stride * CHUNK_ROWS, stride * (size_t)shared * sizeof(uint32_t));
      memmove(scratch.blocks, scratch.blocks + blockCount * CHUNK_ROWS, blockCount * (size_t)shared);
      blurred = shared;
    }
    for (; blurred < chunk + shared; blurred++) {
      int32_t source = first + y - blur->radius + blurred;
      source = source < 0 ? 0 : source >= blur->height ? blur->height - 1 : source;
      blur_row(
          blur, &scratch, mask + (size_t)source * (size_t)blur->width, scratch.rows + stride * (size_t)blurred,
          scratch.blocks + blockCount * (size_t)blurred);
    }
    size_t row = (size_t)(first + y);
    for (int32_t block = 0; block < scratch.blockCount; block++) {
      soften_blocks(blur, &scratch, block, chunk, samples + stride * row, blocks + blockCount * row, curve);
    }
  }
}

#if RTK_HAS_AVX2
RTK_AVX2 static void blur_curve_avx2(
    const RTKBlur *blur, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t first, int32_t count,
    void *scratch) {
  blur_curve(blur, mask, samples, blocks, first, count, scratch, curve_block_avx2);
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
  blur_curve(blur, mask, samples, blocks, first, count, scratch, curve_block);
}
