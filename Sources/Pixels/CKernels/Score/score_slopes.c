// Gradient magnitudes of a matte, in 16-bit fixed point. Magnitudes are floats of integers, with contraction off, so
// that every processor has the same bits.
#include "lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { RADIUS = 4, ROWS = 2 * RADIUS + 1, BLOCK = 16 };

typedef float Floats4 __attribute__((vector_size(16)));
typedef double Doubles4 __attribute__((vector_size(32)));

typedef struct {
  /// A row of samples, with repeated edges.
  uint8_t *row;
  /// Rows filtered along x; row y is in slot y % ROWS: smoothed samples, then slopes.
  int16_t *slots;
  float *lengths;
  uint64_t *wanted;
  ptrdiff_t stride;
} Scratch;

static size_t lay_out(int32_t width, Scratch *scratch, uint8_t *base) {
  // An odd number of cache lines, so that rows do not share cache sets.
  ptrdiff_t stride = (((ptrdiff_t)width + 2 * BLOCK) / 64 * 2 + 1) * 32 + 32;
  size_t used = 0;
  uint8_t *row = rtk_part(base, &used, (size_t)width + 2 * RADIUS + 2 * BLOCK);
  int16_t *slots = rtk_part(base, &used, ROWS * 2 * (size_t)stride * sizeof(int16_t));
  float *lengths = rtk_part(base, &used, ((size_t)width + 2 * BLOCK) * sizeof(float));
  uint64_t *wanted = rtk_part(base, &used, (size_t)rtk_bit_stride(rtk_quad_count(width)) * sizeof(uint64_t));
  if (base) *scratch = (Scratch){row + RADIUS, slots, lengths, wanted, stride};
  return used;
}

size_t rtk_slopes_scratch(int32_t width) { return lay_out(width, NULL, NULL); }

/// A range of marked quads; empty if `to` <= `from`.
typedef struct {
  int32_t from;
  int32_t to;
} Quads;

RTK_BODY Quads next_quads(const uint64_t *row, int32_t from, int32_t count) {
  // The padding word behind the last quad is 0, which ends a range that reaches the row's end.
  int32_t w = from / 64, words = (count + 63) / 64;
  if (from >= count) return (Quads){count, count};
  uint64_t word = row[w] & ~(uint64_t)0 << from % 64;
  while (word == 0) {
    if (++w >= words) return (Quads){count, count};
    word = row[w];
  }
  int32_t first = 64 * w + __builtin_ctzll(word);
  uint64_t gaps = ~row[w] & ~(uint64_t)0 << first % 64;
  while (gaps == 0) gaps = ~row[++w];
  int32_t end = 64 * w + __builtin_ctzll(gaps);
  return (Quads){first, end < count ? end : count};
}

/// Pointers to the current row (index 0) and the filtered rows above and below it. Edges repeat.
typedef struct {
  const int16_t *above[RADIUS + 1];
  const int16_t *below[RADIUS + 1];
  ptrdiff_t stride;
} Window;

/// Filters a block of samples along x: smoothed values with 7 fractional bits, slopes with 8.
typedef void (*AlongBlock)(const RTKSlopeKernel *, const uint8_t *, int16_t *, int16_t *);
/// Gradient magnitudes of a block, from column x on.
typedef void (*LengthsOfBlock)(const RTKSlopeKernel *, const Window *, ptrdiff_t, float *);

RTK_BODY void along_block(const RTKSlopeKernel *kernel, const uint8_t *row, int16_t *smooth, int16_t *slope) {
  for (int32_t i = 0; i < BLOCK; i++) {
    int32_t sum = kernel->smooth[0] * row[i], steps = 0;
    for (int32_t k = 1; k <= RADIUS; k++) {
      sum += kernel->smooth[k] * (row[i + k] + row[i - k]);
      steps += kernel->slope[k] * (row[i + k] - row[i - k]);
    }
    smooth[i] = (int16_t)((sum + 128) >> 8);
    slope[i] = (int16_t)((steps + 128) >> 8);
  }
}

RTK_BODY void lengths_of_block(const RTKSlopeKernel *kernel, const Window *window, ptrdiff_t x, float *lengths) {
  const int16_t *slopes = window->above[0] + window->stride + x;
  for (int32_t i = 0; i < BLOCK; i++) {
    int32_t along = kernel->smooth[0] * slopes[i], down = 0;
    for (int32_t k = 1; k <= RADIUS; k++) {
      const int16_t *above = window->above[k] + x + i, *below = window->below[k] + x + i;
      along += kernel->smooth[k] * (below[window->stride] + above[window->stride]);
      down += kernel->slope[k] * (*below - *above);
    }
    float a = (float)along, b = (float)down;
    lengths[i] = __builtin_sqrtf(a * a + b * b);
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY __m256i pair(int16_t first, int16_t second) {
  return _mm256_set1_epi32((uint16_t)first | (int32_t)((uint32_t)(uint16_t)second << 16));
}

/// Sums of products, of the pixels that unpacking puts into the low and the high halves.
typedef struct {
  __m256i low;
  __m256i high;
} Sums;

RTK_AVX2_BODY Sums added(Sums sums, __m256i first, __m256i second, __m256i weights) {
  return (Sums){
      _mm256_add_epi32(sums.low, _mm256_madd_epi16(_mm256_unpacklo_epi16(first, second), weights)),
      _mm256_add_epi32(sums.high, _mm256_madd_epi16(_mm256_unpackhi_epi16(first, second), weights))};
}

RTK_AVX2_BODY __m256i wide(const uint8_t *samples) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)samples));
}

RTK_AVX2_BODY void store_block(int16_t *to, Sums sums) {
  _mm256_storeu_si256(
      (__m256i *)to, _mm256_packs_epi32(_mm256_srai_epi32(sums.low, 8), _mm256_srai_epi32(sums.high, 8)));
}

RTK_AVX2_BODY void along_block_avx2(const RTKSlopeKernel *kernel, const uint8_t *row, int16_t *smooth, int16_t *slope) {
  const int16_t *s = kernel->smooth, *d = kernel->slope;
  __m256i left1 = wide(row - 1), right1 = wide(row + 1), left2 = wide(row - 2), right2 = wide(row + 2);
  __m256i left3 = wide(row - 3), right3 = wide(row + 3), left4 = wide(row - 4), right4 = wide(row + 4);
  __m256i half = _mm256_set1_epi32(128);
  Sums sums = {half, half}, steps = sums;
  sums = added(sums, wide(row), _mm256_setzero_si256(), pair(s[0], 0));
  sums = added(sums, _mm256_add_epi16(right1, left1), _mm256_add_epi16(right2, left2), pair(s[1], s[2]));
  sums = added(sums, _mm256_add_epi16(right3, left3), _mm256_add_epi16(right4, left4), pair(s[3], s[4]));
  steps = added(steps, _mm256_sub_epi16(right1, left1), _mm256_sub_epi16(right2, left2), pair(d[1], d[2]));
  steps = added(steps, _mm256_sub_epi16(right3, left3), _mm256_sub_epi16(right4, left4), pair(d[3], d[4]));
  store_block(smooth, sums);
  store_block(slope, steps);
}

RTK_AVX2_BODY __m256i at(const int16_t *samples) { return _mm256_loadu_si256((const __m256i *)samples); }

RTK_AVX2_BODY __m256 length(__m256i along, __m256i down) {
  __m256 a = _mm256_cvtepi32_ps(along), b = _mm256_cvtepi32_ps(down);
  return _mm256_sqrt_ps(_mm256_add_ps(_mm256_mul_ps(a, a), _mm256_mul_ps(b, b)));
}

RTK_AVX2_BODY void lengths_of_block_avx2(
    const RTKSlopeKernel *kernel, const Window *window, ptrdiff_t x, float *lengths) {
  const int16_t *s = kernel->smooth, *d = kernel->slope;
  const int16_t *const *above = window->above, *const *below = window->below;
  ptrdiff_t behind = window->stride + x;
  __m256i zero = _mm256_setzero_si256();
  Sums along = added((Sums){zero, zero}, at(above[0] + behind), zero, pair(s[0], 0)), down = {zero, zero};
#pragma clang loop unroll(full)
  for (int32_t k = 1; k <= RADIUS; k++) {
    along = added(along, at(below[k] + behind), at(above[k] + behind), pair(s[k], s[k]));
  }
#pragma clang loop unroll(full)
  for (int32_t k = 1; k <= RADIUS; k += 2) {
    down = added(
        down, _mm256_sub_epi16(at(below[k] + x), at(above[k] + x)),
        _mm256_sub_epi16(at(below[k + 1] + x), at(above[k + 1] + x)), pair(d[k], d[k + 1]));
  }
  __m256 low = length(along.low, down.low), high = length(along.high, down.high);
  _mm256_storeu_ps(lengths, _mm256_permute2f128_ps(low, high, 0x20));
  _mm256_storeu_ps(lengths + 8, _mm256_permute2f128_ps(low, high, 0x31));
}
#endif

typedef struct {
  const RTKSlopeKernel *kernel;
  const uint8_t *matte;
  const uint64_t *busy;
  int32_t width;
  int32_t height;
  int32_t next;
  Scratch scratch;
} Rows;

RTK_BODY int32_t row_near(int32_t y, int32_t height) { return y < 0 ? 0 : y >= height ? height - 1 : y; }

/// Filters a row along x where a row within reach is busy. The last block of a range may reach beyond it.
RTK_BODY void filter_row(Rows *rows, int32_t y, AlongBlock alongBlock) {
  int32_t count = rtk_quad_count(rows->width);
  ptrdiff_t stride = rtk_bit_stride(count);
  int32_t from = row_near(y - RADIUS, rows->height), to = row_near(y + RADIUS, rows->height);
  uint64_t *wanted = rows->scratch.wanted;
  for (ptrdiff_t w = 0; w < stride; w += 4) {
    Lanes64 joined = {0};
    for (int32_t other = from; other <= to; other++) joined |= RTK_LOAD(Lanes64, rows->busy + other * stride + w);
    RTK_STORE(wanted + w, joined);
  }
  Quads quads = next_quads(wanted, 0, count);
  if (quads.from >= quads.to) return;
  const uint8_t *samples = rows->matte + (size_t)y * (size_t)rows->width;
  uint8_t *row = rows->scratch.row;
  memset(row - RADIUS, samples[0], RADIUS);
  memcpy(row, samples, (size_t)rows->width);
  memset(row + rows->width, samples[rows->width - 1], RADIUS + 2 * BLOCK);
  int16_t *smooth = rows->scratch.slots + y % ROWS * 2 * rows->scratch.stride, *slope = smooth + rows->scratch.stride;
  for (; quads.from < quads.to; quads = next_quads(wanted, quads.to, count)) {
    for (int32_t x = 4 * quads.from; x < 4 * quads.to; x += BLOCK) {
      alongBlock(rows->kernel, row + x, smooth + x, slope + x);
    }
  }
}

RTK_BODY Window window_of(const Rows *rows, int32_t y) {
  Window window;
  window.stride = rows->scratch.stride;
  for (int32_t k = 0; k <= RADIUS; k++) {
    int32_t above = row_near(y - k, rows->height), below = row_near(y + k, rows->height);
    window.above[k] = rows->scratch.slots + above % ROWS * 2 * window.stride;
    window.below[k] = rows->scratch.slots + below % ROWS * 2 * window.stride;
  }
  return window;
}

/// Goes on to row y.
RTK_BODY Window advance(Rows *rows, int32_t y, AlongBlock alongBlock) {
  for (; rows->next < rows->height && rows->next <= y + RADIUS; rows->next++) {
    filter_row(rows, rows->next, alongBlock);
  }
  return window_of(rows, y);
}

/// Gradient magnitudes of a range of quads, and of up to three behind it; 0 beyond the width.
RTK_BODY void lengths_of(
    const Rows *rows, const Window *window, Quads quads, float *lengths, LengthsOfBlock lengthsOfBlock) {
  for (int32_t x = 4 * quads.from; x < 4 * quads.to; x += BLOCK) {
    lengthsOfBlock(rows->kernel, window, x, lengths + x - 4 * quads.from);
  }
  for (int32_t x = rows->width; x < 4 * quads.to; x++) lengths[x - 4 * quads.from] = 0;
}

RTK_BODY Rows rows_of(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width, int32_t height,
    void *memory) {
  Rows rows = {kernel, matte, busy, width, height, 0, {0}};
  lay_out(width, &rows.scratch, memory);
  return rows;
}

RTK_BODY void slope_lengths(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width, int32_t height,
    float *lengths, void *memory, AlongBlock alongBlock, LengthsOfBlock lengthsOfBlock) {
  int32_t count = rtk_quad_count(width);
  Rows rows = rows_of(kernel, matte, busy, width, height, memory);
  for (int32_t y = 0; y < height; y++) {
    Window window = advance(&rows, y, alongBlock);
    const uint64_t *row = busy + y * rtk_bit_stride(count);
    for (Quads quads = next_quads(row, 0, count); quads.from < quads.to; quads = next_quads(row, quads.to, count)) {
      lengths_of(&rows, &window, quads, lengths, lengthsOfBlock);
      lengths += 4 * (quads.to - quads.from);
    }
  }
}

RTK_BODY void add_square(Floats4 difference, Doubles4 *sums) {
  *sums += __builtin_convertvector(difference * difference, Doubles4);
}

/// Adds the errors of 64 quads of a row.
/// - lengths: of all of them; those of quads that are not busy have no meaning.
/// - truthLengths: of the truth's busy quads.
/// - Returns: behind the last of these.
RTK_BODY const float *add_errors(
    uint64_t busy, uint64_t truthBusy, const float *lengths, const float *truthLengths, Doubles4 *sums) {
  for (uint64_t either = busy | truthBusy; either != 0;) {
    int32_t from = __builtin_ctzll(either);
    uint64_t isBusy = busy >> from & 1, isTrue = truthBusy >> from & 1;
    // Quads like this one, up to the first that is not.
    uint64_t others = ((busy ^ (0 - isBusy)) | (truthBusy ^ (0 - isTrue))) & ~(uint64_t)0 << from;
    int32_t to = others == 0 ? 64 : __builtin_ctzll(others);
    either = to == 64 ? 0 : either & ~(uint64_t)0 << to;
    if (!isTrue) {
      for (int32_t q = from; q < to; q++) add_square(RTK_LOAD(Floats4, lengths + 4 * q), sums);
      continue;
    }
    for (int32_t q = from; q < to; q++, truthLengths += 4) {
      Floats4 length = isBusy ? RTK_LOAD(Floats4, lengths + 4 * q) : (Floats4){0};
      add_square(length - RTK_LOAD(Floats4, truthLengths), sums);
    }
  }
  return truthLengths;
}

RTK_BODY void slope_error(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, const float *truthLengths,
    const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *memory, AlongBlock alongBlock,
    LengthsOfBlock lengthsOfBlock) {
  int32_t count = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(count);
  Rows rows = rows_of(kernel, matte, busy, width, height, memory);
  Doubles4 sums = {0};
  for (int32_t y = 0; y < height; y++) {
    Window window = advance(&rows, y, alongBlock);
    const uint64_t *row = busy + y * stride, *truthRow = truthBusy + y * stride;
    float *lengths = rows.scratch.lengths;
    for (Quads quads = next_quads(row, 0, count); quads.from < quads.to; quads = next_quads(row, quads.to, count)) {
      lengths_of(&rows, &window, quads, lengths + 4 * quads.from, lengthsOfBlock);
    }
    for (ptrdiff_t w = 0; w < stride; w++) {
      truthLengths = add_errors(row[w], truthRow[w], lengths + 4 * 64 * w, truthLengths, &sums);
    }
  }
  *error = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

RTK_DISPATCH(
    slope_lengths, (kernel, matte, busy, width, height, lengths, scratch),
    (const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width, int32_t height,
     float *lengths, void *scratch),
    slope_lengths(kernel, matte, busy, width, height, lengths, scratch, along_block, lengths_of_block),
    slope_lengths(kernel, matte, busy, width, height, lengths, scratch, along_block_avx2, lengths_of_block_avx2))

RTK_DISPATCH(
    slope_error, (kernel, matte, busy, truthLengths, truthBusy, width, height, error, scratch),
    (const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, const float *truthLengths,
     const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *scratch),
    slope_error(
        kernel, matte, busy, truthLengths, truthBusy, width, height, error, scratch, along_block, lengths_of_block),
    slope_error(
        kernel, matte, busy, truthLengths, truthBusy, width, height, error, scratch, along_block_avx2,
        lengths_of_block_avx2))
