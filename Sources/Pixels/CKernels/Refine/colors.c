// Reduces the video's colours to the mask's size.
#include "lanes.h"

size_t rtk_reduce_rgb_scratch(const RTKReduction *reduction) {
  size_t length = 3 * ((size_t)reduction->sourceWidth + (size_t)reduction->columnTaps);
  return rtk_padded(length * sizeof(int16_t)) + rtk_padded(length * sizeof(int32_t));
}

RTK_BODY void add_four_rows(
    const uint8_t *const rows[4], const int32_t weights[4], int32_t isFirst, int32_t *restrict sums,
    ptrdiff_t length) {
  const uint8_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
  int32_t v = weights[0], w = weights[1], s = weights[2], t = weights[3];
  for (ptrdiff_t i = 0; i < length; i++) {
    int32_t sum = isFirst ? RTKWeightOne / 32 : sums[i];
    sums[i] = sum + v * a[i] + w * b[i] + s * c[i] + t * d[i];
  }
}

/// One row of weighted sums along y, interleaved RGB, in 1 / 16 of an 8-bit step.
RTK_BODY void weigh_rgb_rows(
    const RTKReduction *reduction, const uint8_t *rgb, int32_t y, int32_t *restrict sums, int16_t *restrict line) {
  ptrdiff_t length = 3 * (ptrdiff_t)reduction->sourceWidth;
  int32_t taps = reduction->rowTaps;
  const int16_t *weights = reduction->rowWeights + (ptrdiff_t)y * taps;
  const uint8_t *rows = rgb + length * reduction->rows[y];
  for (int32_t k = 0; k < taps; k += 4) {
    const uint8_t *of[4];
    int32_t weight[4];
    for (int32_t i = 0; i < 4; i++) {
      weight[i] = k + i < taps ? weights[k + i] : 0;
      // A tap without weight reads a row that is in the cache already.
      of[i] = rows + (weight[i] != 0 ? length * (k + i) : 0);
    }
    add_four_rows(of, weight, k == 0, sums, length);
  }
  for (ptrdiff_t i = 0; i < length; i++) line[i] = (int16_t)(sums[i] >> 10);
}

RTK_BODY void weigh_rgb_columns(
    const RTKReduction *reduction, const int16_t *line, int16_t *restrict red, int16_t *restrict green,
    int16_t *restrict blue) {
  int32_t taps = reduction->columnTaps, count = rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t x = 0; x < count; x++) {
    const int16_t *sample = line + 3 * reduction->columns[x];
    const int16_t *weight = reduction->columnWeights + (ptrdiff_t)taps * x;
    int32_t r = RTKWeightOne / 2, g = r, b = r;
    for (int32_t k = 0; k < taps; k++) {
      r += sample[3 * k] * weight[k];
      g += sample[3 * k + 1] * weight[k];
      b += sample[3 * k + 2] * weight[k];
    }
    red[x] = (int16_t)(r >> 14);
    green[x] = (int16_t)(g >> 14);
    blue[x] = (int16_t)(b >> 14);
  }
}

RTK_BODY void reduce_rgb(
    const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green, int16_t *blue, int32_t first,
    int32_t count, void *scratch) {
  size_t length = 3 * ((size_t)reduction->sourceWidth + (size_t)reduction->columnTaps);
  int16_t *line = scratch;
  int32_t *sums = (int32_t *)((uint8_t *)scratch + rtk_padded(length * sizeof(int16_t)));
  // Taps of weight 0 may read beyond the line's end.
  memset(line + 3 * reduction->sourceWidth, 0, 3 * (size_t)reduction->columnTaps * sizeof(int16_t));
  size_t stride = (size_t)rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    weigh_rgb_rows(reduction, rgb, y, sums, line);
    size_t row = stride * (size_t)y;
    weigh_rgb_columns(reduction, line, red + row, green + row, blue + row);
  }
}

#if RTK_HAS_AVX2
/// One or two rows, sixteen samples at once: (512 + v * a + w * b) >> 10.
RTK_AVX2_BODY void weigh_two_rows_avx2(
    const uint8_t *a, const uint8_t *b, int32_t v, int32_t w, ptrdiff_t length, int16_t *line) {
  __m256i weights = _mm256_set1_epi32((v & 0xFFFF) | w << 16), half = _mm256_set1_epi32(RTKWeightOne / 32);
  ptrdiff_t i = 0;
  for (; i + 16 <= length; i += 16) {
    __m256i one = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(a + i)));
    __m256i two = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(b + i)));
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(one, two), weights);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(one, two), weights);
    low = _mm256_srai_epi32(_mm256_add_epi32(low, half), 10);
    high = _mm256_srai_epi32(_mm256_add_epi32(high, half), 10);
    _mm256_storeu_si256((__m256i *)(line + i), _mm256_packs_epi32(low, high));
  }
  for (; i < length; i++) line[i] = (int16_t)((v * a[i] + w * b[i] + RTKWeightOne / 32) >> 10);
}

/// Two target pixels, `x` and `x` + 4, in a vector half each: sums for red, green, blue and nothing.
RTK_AVX2_BODY __m256i weigh_two_columns_avx2(const RTKReduction *reduction, const int16_t *line, int32_t x) {
  // A pair of taps is six samples: R G B R G B. Weights are beside each other too.
  const __m256i pairs = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, -1, -1, -1, -1));
  int32_t taps = reduction->columnTaps;
  const int16_t *first = line + 3 * reduction->columns[x], *second = line + 3 * reduction->columns[x + 4];
  const int16_t *weights = reduction->columnWeights + (ptrdiff_t)taps * x;
  __m256i sums = _mm256_set1_epi32(RTKWeightOne / 2);
  for (int32_t k = 0; k < taps; k += 2) {
    __m256i samples = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)(first + 3 * k))),
        _mm_loadu_si128((const __m128i *)(second + 3 * k)), 1);
    __m256i weight = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_set1_epi32(RTK_LOAD(int32_t, weights + k))),
        _mm_set1_epi32(RTK_LOAD(int32_t, weights + 4 * taps + k)), 1);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_shuffle_epi8(samples, pairs), weight));
  }
  return _mm256_srai_epi32(sums, 14);
}

/// Eight target pixels.
RTK_AVX2_BODY void weigh_eight_columns_avx2(
    const RTKReduction *reduction, const int16_t *line, int32_t x, int16_t *red, int16_t *green, int16_t *blue) {
  __m256i of[4];
  for (int32_t i = 0; i < 4; i++) of[i] = weigh_two_columns_avx2(reduction, line, x + i);
  // In each half: R G B - of two pixels, then four of a colour together.
  __m256i even = _mm256_packs_epi32(of[0], of[2]), odd = _mm256_packs_epi32(of[1], of[3]);
  __m256i low = _mm256_unpacklo_epi16(even, odd), high = _mm256_unpackhi_epi16(even, odd);
  __m256i redAndGreen = _mm256_permute4x64_epi64(_mm256_unpacklo_epi32(low, high), 0xD8);
  __m256i blueOnly = _mm256_permute4x64_epi64(_mm256_unpackhi_epi32(low, high), 0xD8);
  _mm_storeu_si128((__m128i *)(red + x), _mm256_castsi256_si128(redAndGreen));
  _mm_storeu_si128((__m128i *)(green + x), _mm256_extracti128_si256(redAndGreen, 1));
  _mm_storeu_si128((__m128i *)(blue + x), _mm256_castsi256_si128(blueOnly));
}

RTK_AVX2_BODY void weigh_columns_avx2(
    const RTKReduction *reduction, const int16_t *line, int16_t *red, int16_t *green, int16_t *blue) {
  int32_t count = rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t x = 0; x < count; x += 8) weigh_eight_columns_avx2(reduction, line, x, red, green, blue);
}

RTK_AVX2_BODY void reduce_rgb_rows_avx2(
    const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green, int16_t *blue, int32_t first,
    int32_t count, void *scratch) {
  size_t width = (size_t)reduction->sourceWidth, length = 3 * (width + (size_t)reduction->columnTaps);
  int16_t *line = scratch;
  int32_t *sums = (int32_t *)((uint8_t *)scratch + rtk_padded(length * sizeof(int16_t)));
  memset(line + 3 * width, 0, 3 * (size_t)reduction->columnTaps * sizeof(int16_t));
  size_t stride = (size_t)rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    const int16_t *weights = reduction->rowWeights + (ptrdiff_t)y * reduction->rowTaps;
    int32_t used[2] = {0, 0}, usedCount = 0;
    for (int32_t k = 0; k < reduction->rowTaps; k++) {
      if (weights[k] == 0) continue;
      if (usedCount < 2) used[usedCount] = k;
      usedCount++;
    }
    if (usedCount == 1 || usedCount == 2) {
      const uint8_t *rows = rgb + 3 * width * (size_t)reduction->rows[y];
      if (usedCount == 1) used[1] = used[0];
      weigh_two_rows_avx2(
          rows + 3 * width * (size_t)used[0], rows + 3 * width * (size_t)used[1], weights[used[0]],
          usedCount == 2 ? weights[used[1]] : 0, 3 * (ptrdiff_t)width, line);
    } else {
      weigh_rgb_rows(reduction, rgb, y, sums, line);
    }
    size_t row = stride * (size_t)y;
    weigh_columns_avx2(reduction, line, red + row, green + row, blue + row);
  }
}
#endif

RTK_DISPATCH(
    reduce_rgb, (reduction, rgb, red, green, blue, first, count, scratch),
    (const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green, int16_t *blue, int32_t first,
     int32_t count, void *scratch),
    reduce_rgb(reduction, rgb, red, green, blue, first, count, scratch),
    reduce_rgb_rows_avx2(reduction, rgb, red, green, blue, first, count, scratch))
