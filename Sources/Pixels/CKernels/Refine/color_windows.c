// The covariance of colours in each window, inverted, for the guided filter's linear model.
#include "windows.h"

enum { MOMENTS = 9 };

size_t rtk_color_window_scratch(int32_t width) {
  return window_memory(width, MOMENTS) + rtk_padded(sums_length(width));
}

/// - old: row to take away, or NO_ROW.
RTK_BODY void add_row(
    const RTKColors *colors, int32_t y, int32_t old, Run run, uint32_t *const sums[MOMENTS]) {
  size_t stride = rtk_stride(colors->width), row = stride * (size_t)rtk_clamped(y, colors->height - 1);
  size_t before = stride * (size_t)rtk_clamped(old, colors->height - 1);
  const int16_t *of[3] = {colors->red, colors->green, colors->blue};
  for (int32_t i = 0, k = 3; i < 3; i++) {
    if (old == NO_ROW) {
      add_values(of[i] + row, sums[i], run);
    } else {
      move_values(of[i] + row, of[i] + before, sums[i], run);
    }
    for (int32_t j = i; j < 3; j++, k++) {
      if (old == NO_ROW) {
        add_products(of[i] + row, of[j] + row, sums[k], run);
      } else {
        move_products(of[i] + row, of[j] + row, of[i] + before, of[j] + before, sums[k], run);
      }
    }
  }
}

/// Updates the column sums of a run to the seven rows round `y`.
RTK_BODY void hold_rows(const RTKColors *colors, int32_t y, Run run, uint32_t *const sums[MOMENTS]) {
  if (run.isHeld) return add_row(colors, y + REACH, y > REACH ? y - REACH - 1 : 0, run, sums);
  for (int32_t k = 0; k < MOMENTS; k++) clear_sums(sums[k], run);
  for (int32_t k = -REACH; k <= REACH; k++) add_row(colors, y + k, NO_ROW, run, sums);
}

/// sums: R, G, B, then the products RR, RG, RB, GG, GB, BB, over a window.
/// - out: the first of RTKWindowValues rows of a block.
RTK_BODY void window_of(const uint32_t sums[MOMENTS], uint64_t epsilon, int32_t *out) {
  for (int32_t i = 0; i < 3; i++) out[RTKBlockWidth * i] = (int32_t)sums[i];
  int64_t spread[6];
  for (int32_t i = 0, k = 0; i < 3; i++) {
    for (int32_t j = i; j < 3; j++, k++) {
      spread[k] = (int64_t)AREA * sums[3 + k] - (int64_t)sums[i] * sums[j];
    }
  }
  spread[0] += (int64_t)epsilon;
  spread[3] += (int64_t)epsilon;
  spread[5] += (int64_t)epsilon;
  int32_t shift = normalize(spread);
  Adjugate a = adjugate_of(spread);
  // Divides by the determinant's upper 31 bits only.
  uint64_t determinant = a.determinant > 0 ? (uint64_t)a.determinant : 1;
  int32_t excess = 33 - __builtin_clzll(determinant);
  uint64_t upper = excess > 0 ? determinant >> excess : determinant << -excess;
  int64_t reciprocal = (int64_t)(((uint64_t)1 << 61) / upper);
  int32_t down = 11 + shift + excess;
  for (int32_t k = 0; k < 6; k++) out[RTKBlockWidth * (3 + k)] = (int32_t)(((__int128)a.of[k] * reciprocal) >> down);
}

/// Four windows, from the first of `needed` on. Writes those that are not needed too.
typedef void WindowsOf(
    const uint32_t sums[MOMENTS][RTKBlockWidth], uint64_t epsilon, const uint8_t *needed, int32_t from, int32_t *out);

RTK_BODY void windows_of(
    const uint32_t sums[MOMENTS][RTKBlockWidth], uint64_t epsilon, const uint8_t *needed, int32_t from, int32_t *out) {
  for (int32_t i = from; i < from + 4; i++) {
    if (!needed[i]) continue;
    uint32_t window[MOMENTS];
    for (int32_t k = 0; k < MOMENTS; k++) window[k] = sums[k][i];
    window_of(window, epsilon, out + i);
  }
}

#if RTK_HAS_AVX2
/// The lower 64 bits of products.
RTK_AVX2_BODY __m256i multiply_avx2(__m256i a, __m256i b) {
  __m256i across = _mm256_mullo_epi32(a, _mm256_shuffle_epi32(b, 0xB1));
  __m256i upper = _mm256_slli_epi64(_mm256_add_epi32(across, _mm256_srli_epi64(across, 32)), 32);
  return _mm256_add_epi64(_mm256_mul_epu32(a, b), upper);
}

/// Whole numbers below 2^52 as doubles, exactly.
RTK_AVX2_BODY __m256d to_double_avx2(__m256i a) {
  __m256i exponent = _mm256_set1_epi64x(0x4330000000000000);
  return _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(a, exponent)), _mm256_set1_pd(0x1p52));
}

/// The number of bits of values below 2^52; less than 0 for 0.
RTK_AVX2_BODY __m256i bit_count_avx2(__m256i a) {
  __m256i exponent = _mm256_srli_epi64(_mm256_castpd_si256(to_double_avx2(a)), 52);
  return _mm256_sub_epi64(exponent, _mm256_set1_epi64x(1022));
}

RTK_AVX2_BODY __m256i shift_down_avx2(__m256i a, __m256i count) {
  __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), a);
  return _mm256_xor_si256(_mm256_srlv_epi64(_mm256_xor_si256(a, sign), count), sign);
}

/// 2^61 / upper, rounded down, for divisors of 31 bits. The double's quotient may be rounded up to the next whole
/// number, which the remainder shows.
RTK_AVX2_BODY __m256i reciprocal_avx2(__m256i upper) {
  __m256d quotient = _mm256_floor_pd(_mm256_div_pd(_mm256_set1_pd(0x1p61), to_double_avx2(upper)));
  __m256i bits = _mm256_castpd_si256(_mm256_add_pd(quotient, _mm256_set1_pd(0x1p52)));
  __m256i whole = _mm256_and_si256(bits, _mm256_set1_epi64x(0xFFFFFFFF));
  __m256i product = _mm256_mul_epu32(whole, upper), one = _mm256_set1_epi64x((int64_t)1 << 61);
  return _mm256_add_epi64(whole, _mm256_cmpgt_epi64(product, one));
}

/// As window_of, four windows at once.
RTK_AVX2_BODY void windows_of_avx2(
    const uint32_t sums[MOMENTS][RTKBlockWidth], uint64_t epsilon, const uint8_t *needed, int32_t from, int32_t *out) {
  if (RTK_LOAD(uint32_t, needed + from) == 0) return;
  out += from;
  __m256i zero = _mm256_setzero_si256(), area = _mm256_set1_epi64x(AREA), of[MOMENTS], spread[6], a[6];
  for (int32_t k = 0; k < MOMENTS; k++) {
    of[k] = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(sums[k] + from)));
  }
  for (int32_t i = 0; i < 3; i++) memcpy(out + RTKBlockWidth * i, sums[i] + from, 4 * sizeof(uint32_t));
  for (int32_t i = 0, k = 0; i < 3; i++) {
    for (int32_t j = i; j < 3; j++, k++) {
      spread[k] = _mm256_sub_epi64(_mm256_mul_epu32(area, of[3 + k]), _mm256_mul_epu32(of[i], of[j]));
      if (i == j) spread[k] = _mm256_add_epi64(spread[k], _mm256_set1_epi64x((int64_t)epsilon));
    }
  }
  __m256i largest = _mm256_or_si256(_mm256_or_si256(spread[0], spread[3]), spread[5]);
  __m256i shift = _mm256_sub_epi64(bit_count_avx2(largest), _mm256_set1_epi64x(20));
  shift = _mm256_and_si256(shift, _mm256_cmpgt_epi64(shift, zero));
  __m256i m[6];
  for (int32_t k = 0; k < 6; k++) m[k] = shift_down_avx2(spread[k], shift);
  static const int32_t terms[6][4] = {
      {3, 5, 4, 4}, {2, 4, 1, 5}, {1, 4, 2, 3}, {0, 5, 2, 2}, {1, 2, 0, 4}, {0, 3, 1, 1}};
  for (int32_t k = 0; k < 6; k++) {
    const int32_t *term = terms[k];
    a[k] = _mm256_sub_epi64(_mm256_mul_epi32(m[term[0]], m[term[1]]), _mm256_mul_epi32(m[term[2]], m[term[3]]));
  }
  __m256i determinant = _mm256_add_epi64(
      _mm256_add_epi64(multiply_avx2(m[0], a[0]), multiply_avx2(m[1], a[1])), multiply_avx2(m[2], a[2]));
  __m256i isPositive = _mm256_cmpgt_epi64(determinant, zero);
  determinant = _mm256_blendv_epi8(_mm256_set1_epi64x(1), determinant, isPositive);
  // Of 63 bits; those above the lowest 20 and these are counted apart.
  __m256i upperBits = _mm256_srli_epi64(determinant, 20), hasUpper = _mm256_cmpgt_epi64(upperBits, zero);
  __m256i counted = _mm256_blendv_epi8(determinant, upperBits, hasUpper);
  __m256i excess = _mm256_sub_epi64(bit_count_avx2(counted), _mm256_set1_epi64x(31));
  excess = _mm256_add_epi64(excess, _mm256_and_si256(hasUpper, _mm256_set1_epi64x(20)));
  // Shifts by less than 0 or more than 63 bits give 0.
  __m256i upper = _mm256_or_si256(
      _mm256_srlv_epi64(determinant, excess), _mm256_sllv_epi64(determinant, _mm256_sub_epi64(zero, excess)));
  __m256i reciprocal = reciprocal_avx2(upper), low = _mm256_set1_epi64x(0xFFFFFFFF);
  __m256i down = _mm256_add_epi64(_mm256_add_epi64(shift, excess), _mm256_set1_epi64x(11));
  __m256i beyond = _mm256_sub_epi64(down, _mm256_set1_epi64x(32)), missing = _mm256_sub_epi64(zero, beyond);
  for (int32_t k = 0; k < 6; k++) {
    // A product of 96 bits, in two halves; 32 bits of it are kept.
    __m256i negative = _mm256_and_si256(_mm256_cmpgt_epi64(zero, a[k]), _mm256_slli_epi64(reciprocal, 32));
    __m256i high = _mm256_sub_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a[k], 32), reciprocal), negative);
    __m256i lower = _mm256_mul_epu32(a[k], reciprocal);
    high = _mm256_add_epi64(high, _mm256_srli_epi64(lower, 32));
    __m256i shifted = _mm256_or_si256(_mm256_srlv_epi64(high, beyond), _mm256_sllv_epi64(high, missing));
    shifted = _mm256_or_si256(shifted, _mm256_srlv_epi64(_mm256_and_si256(lower, low), down));
    shifted = _mm256_permutevar8x32_epi32(shifted, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)(out + RTKBlockWidth * (3 + k)), _mm256_castsi256_si128(shifted));
  }
}
#endif

RTK_BODY void find_windows(
    const RTKColors *colors, const uint8_t *belt, const uint8_t *windows, uint64_t epsilon, uint8_t *needed,
    int32_t *out, int32_t first, int32_t count, void *scratch, WindowsOf *windowsOf) {
  int32_t width = colors->width, blockCount = rtk_block_count(width);
  size_t stride = rtk_stride(width);
  uint32_t *sums[MOMENTS];
  int32_t *held = lay_out_sums(scratch, width, MOMENTS, sums);
  uint8_t *line = (uint8_t *)scratch + window_memory(width, MOMENTS);
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    Run run;
    for (int32_t b = 0; next_run(row, blockCount, y, held, &b, &run);) hold_rows(colors, y, run, sums);
    for (int32_t k = 0; k < MOMENTS; k++) REPEAT_EDGES(sums[k], width);
    uint8_t *wanted = needed + (size_t)width * (size_t)y;
    find_needed(belt, width, colors->height, y, line, wanted);
    for (int32_t b = 0; b < blockCount; b++) {
      if (row[b] != RTKWindowMixed) continue;
      int32_t x = b * RTKBlockWidth, left = width - x < RTKBlockWidth ? width - x : RTKBlockWidth;
      if (!has_needed(wanted, x, width)) continue;
      uint32_t along[MOMENTS][RTKBlockWidth];
      for (int32_t k = 0; k < MOMENTS; k++) sum_block(sums[k], x, along[k]);
      uint8_t of[RTKBlockWidth] = {0};
      memcpy(of, wanted + x, (size_t)left);
      int32_t *block = out + RTKWindowValues * (stride * (size_t)y + (size_t)x);
      for (int32_t i = 0; i < RTKBlockWidth; i += 4) windowsOf(along, epsilon, of, i, block);
    }
  }
}

RTK_DISPATCH(
    color_windows, (colors, belt, windows, epsilon, needed, out, first, count, scratch),
    (const RTKColors *colors, const uint8_t *belt, const uint8_t *windows, uint64_t epsilon, uint8_t *needed,
     int32_t *out, int32_t first, int32_t count, void *scratch),
    find_windows(colors, belt, windows, epsilon, needed, out, first, count, scratch, windows_of),
    find_windows(colors, belt, windows, epsilon, needed, out, first, count, scratch, windows_of_avx2))
