// Horizontal four-tap filters, shared by matte scaling and grey reduction.
#ifndef RETAKE_COLUMNS_H
#define RETAKE_COLUMNS_H

#include "lanes.h"

#if RTK_HAS_AVX2
/// Four columns: two sums per column, of two products each.
RTK_AVX2_BODY __m256i rtk_column_products(
    const int16_t *line, const int32_t *columns, const int16_t *weights) {
  __m256i taps = _mm256_set_epi64x(
      RTK_LOAD(int64_t, line + columns[3]), RTK_LOAD(int64_t, line + columns[2]),
      RTK_LOAD(int64_t, line + columns[1]), RTK_LOAD(int64_t, line + columns[0]));
  return _mm256_madd_epi16(taps, _mm256_loadu_si256((const __m256i *)weights));
}

/// (sum of weight * sample + 2^13) >> 14 for eight columns of four taps.
RTK_AVX2_BODY void rtk_weigh_eight_columns(
    const int16_t *line, const int32_t *columns, const int16_t *weights, int16_t *out) {
  __m256i a = rtk_column_products(line, columns, weights);
  __m256i b = rtk_column_products(line, columns + 4, weights + 16);
  // The lower half has columns 0 1 4 5, the upper 2 3 6 7.
  __m256i sum = _mm256_add_epi32(_mm256_hadd_epi32(a, b), _mm256_set1_epi32(RTKWeightOne / 2));
  sum = _mm256_srai_epi32(sum, 14);
  __m128i lower = _mm256_castsi256_si128(sum), upper = _mm256_extracti128_si256(sum, 1);
  __m128i packed = _mm_packs_epi32(_mm_unpacklo_epi64(lower, upper), _mm_unpackhi_epi64(lower, upper));
  _mm_storeu_si128((__m128i *)out, packed);
}
#endif

#endif
