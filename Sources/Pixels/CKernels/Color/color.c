#include "lanes.h"

RTK_BODY uint8_t sample(int32_t sum) {
  int32_t value = sum >> 16;
  // Branch-free, because noise defeats branch prediction.
  value &= ~(value >> 31);
  return (uint8_t)(value | (255 - value) >> 31);
}

RTK_BODY void convert_pair(
    RTKColorMatrix matrix, uint8_t first, uint8_t second, uint8_t u, uint8_t v, uint8_t *out, int hasSecond) {
  int32_t cb = u - 128, cr = v - 128;
  int32_t red = matrix.offset + matrix.redOfV * cr;
  int32_t green = matrix.offset - matrix.greenOfU * cb - matrix.greenOfV * cr;
  int32_t blue = matrix.offset + matrix.blueOfU * cb;
  int32_t light = matrix.luma * first;
  out[0] = sample(light + red);
  out[1] = sample(light + green);
  out[2] = sample(light + blue);
  if (!hasSecond) return;
  light = matrix.luma * second;
  out[3] = sample(light + red);
  out[4] = sample(light + green);
  out[5] = sample(light + blue);
}

RTK_BODY void yuyv_row(const RTKColorMatrix *matrix, const uint8_t *row, uint8_t *out, int32_t x, int32_t width) {
  // A local copy, which stores to `out` cannot alias.
  RTKColorMatrix own = *matrix;
  for (; x + 2 <= width; x += 2) {
    const uint8_t *pair = row + 2 * x;
    convert_pair(own, pair[0], pair[2], pair[1], pair[3], out + 3 * x, 1);
  }
  if (x < width) convert_pair(own, row[2 * x], 0, row[2 * x + 1], row[2 * x + 3], out + 3 * x, 0);
}

RTK_BODY void nv12_row(
    const RTKColorMatrix *matrix, const uint8_t *luma, const uint8_t *chroma, uint8_t *out, int32_t x, int32_t width) {
  RTKColorMatrix own = *matrix;
  for (; x + 2 <= width; x += 2) convert_pair(own, luma[x], luma[x + 1], chroma[x], chroma[x + 1], out + 3 * x, 1);
  if (x < width) convert_pair(own, luma[x], 0, chroma[x], chroma[x + 1], out + 3 * x, 0);
}

#if RTK_HAS_AVX2
/// Sixteen pixels per step. A step also writes four bytes more, which must lie in the row.
enum { STEP = 16, STEP_AND_MORE = 18 };

RTK_AVX2_BODY __m256i samples_avx2(__m256i sum) {
  __m256i value = _mm256_max_epi32(_mm256_srai_epi32(sum, 16), _mm256_setzero_si256());
  return _mm256_min_epi32(value, _mm256_set1_epi32(255));
}

RTK_AVX2_BODY void convert_pairs_avx2(
    const RTKColorMatrix *matrix, __m256i first, __m256i second, __m256i u, __m256i v, uint8_t *out) {
  const __m256i middle = _mm256_set1_epi32(128), offset = _mm256_set1_epi32(matrix->offset);
  const __m256i scale = _mm256_set1_epi32(matrix->luma);
  u = _mm256_sub_epi32(u, middle);
  v = _mm256_sub_epi32(v, middle);
  __m256i red = _mm256_add_epi32(offset, _mm256_mullo_epi32(v, _mm256_set1_epi32(matrix->redOfV)));
  __m256i blue = _mm256_add_epi32(offset, _mm256_mullo_epi32(u, _mm256_set1_epi32(matrix->blueOfU)));
  __m256i green = _mm256_sub_epi32(offset, _mm256_mullo_epi32(u, _mm256_set1_epi32(matrix->greenOfU)));
  green = _mm256_sub_epi32(green, _mm256_mullo_epi32(v, _mm256_set1_epi32(matrix->greenOfV)));
  first = _mm256_mullo_epi32(first, scale);
  second = _mm256_mullo_epi32(second, scale);
  // Each pair's bytes: R G B R, then G B.
  __m256i four = _mm256_or_si256(
      _mm256_or_si256(
          samples_avx2(_mm256_add_epi32(first, red)),
          _mm256_slli_epi32(samples_avx2(_mm256_add_epi32(first, green)), 8)),
      _mm256_or_si256(
          _mm256_slli_epi32(samples_avx2(_mm256_add_epi32(first, blue)), 16),
          _mm256_slli_epi32(samples_avx2(_mm256_add_epi32(second, red)), 24)));
  __m256i two = _mm256_or_si256(
      samples_avx2(_mm256_add_epi32(second, green)),
      _mm256_slli_epi32(samples_avx2(_mm256_add_epi32(second, blue)), 8));
  const __m256i together = _mm256_setr_epi8(
      0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);
  __m256i low = _mm256_shuffle_epi8(_mm256_unpacklo_epi32(four, two), together);
  __m256i high = _mm256_shuffle_epi8(_mm256_unpackhi_epi32(four, two), together);
  _mm_storeu_si128((__m128i *)out, _mm256_castsi256_si128(low));
  _mm_storeu_si128((__m128i *)(out + 12), _mm256_castsi256_si128(high));
  _mm_storeu_si128((__m128i *)(out + 24), _mm256_extracti128_si256(low, 1));
  _mm_storeu_si128((__m128i *)(out + 36), _mm256_extracti128_si256(high, 1));
}

RTK_AVX2_BODY void yuyv_row_avx2(const RTKColorMatrix *matrix, const uint8_t *row, uint8_t *out, int32_t width) {
  const __m256i byte = _mm256_set1_epi32(255);
  int32_t x = 0;
  for (; x + STEP_AND_MORE <= width; x += STEP) {
    __m256i pairs = _mm256_loadu_si256((const __m256i *)(row + 2 * x));
    convert_pairs_avx2(
        matrix, _mm256_and_si256(pairs, byte), _mm256_and_si256(_mm256_srli_epi32(pairs, 16), byte),
        _mm256_and_si256(_mm256_srli_epi32(pairs, 8), byte), _mm256_srli_epi32(pairs, 24), out + 3 * x);
  }
  yuyv_row(matrix, row, out, x, width);
}

RTK_AVX2_BODY void nv12_row_avx2(
    const RTKColorMatrix *matrix, const uint8_t *luma, const uint8_t *chroma, uint8_t *out, int32_t width) {
  const __m256i byte = _mm256_set1_epi32(255);
  int32_t x = 0;
  for (; x + STEP_AND_MORE <= width; x += STEP) {
    __m256i lights = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(luma + x)));
    __m256i colors = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(chroma + x)));
    convert_pairs_avx2(
        matrix, _mm256_and_si256(lights, byte), _mm256_srli_epi32(lights, 8), _mm256_and_si256(colors, byte),
        _mm256_srli_epi32(colors, 8), out + 3 * x);
  }
  nv12_row(matrix, luma, chroma, out, x, width);
}
#endif

RTK_DISPATCH(
    rgb_of_yuyv, (matrix, row, out, width),
    (const RTKColorMatrix *matrix, const uint8_t *row, uint8_t *out, int32_t width),
    yuyv_row(matrix, row, out, 0, width), yuyv_row_avx2(matrix, row, out, width))

RTK_DISPATCH(
    rgb_of_nv12, (matrix, luma, chroma, out, width),
    (const RTKColorMatrix *matrix, const uint8_t *luma, const uint8_t *chroma, uint8_t *out, int32_t width),
    nv12_row(matrix, luma, chroma, out, 0, width), nv12_row_avx2(matrix, luma, chroma, out, width))
