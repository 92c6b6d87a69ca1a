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

/// Eight target pixels. A pair of taps is six samples: R G, B R, G B.
RTK_AVX2_BODY void weigh_eight_columns_avx2(
    const RTKReduction *reduction, const int16_t *line, int32_t x, __m256i out[3]) {
  int32_t taps = reduction->columnTaps;
  __m256i half = _mm256_set1_epi32(RTKWeightOne / 2), r = half, g = half, b = half;
  __m256i columns = _mm256_loadu_si256((const __m256i *)(reduction->columns + x));
  __m256i places = _mm256_add_epi32(columns, _mm256_add_epi32(columns, columns));
  __m256i lanes = _mm256_mullo_epi32(_mm256_set1_epi32(taps), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const int16_t *weights = reduction->columnWeights + (ptrdiff_t)taps * x;
  for (int32_t k = 0; k < taps; k += 2) {
    const int16_t *from = line + 3 * k;
    __m256i rg = _mm256_i32gather_epi32((const int *)from, places, 2);
    __m256i br = _mm256_i32gather_epi32((const int *)(from + 2), places, 2);
    __m256i gb = _mm256_i32gather_epi32((const int *)(from + 4), places, 2);
    __m256i weight = _mm256_i32gather_epi32((const int *)(weights + k), lanes, 2);
    __m256i green = _mm256_blend_epi16(_mm256_srli_epi32(rg, 16), _mm256_slli_epi32(gb, 16), 0xAA);
    r = _mm256_add_epi32(r, _mm256_madd_epi16(_mm256_blend_epi16(rg, br, 0xAA), weight));
    g = _mm256_add_epi32(g, _mm256_madd_epi16(green, weight));
    b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_blend_epi16(br, gb, 0xAA), weight));
  }
  out[0] = _mm256_srai_epi32(r, 14);
  out[1] = _mm256_srai_epi32(g, 14);
  out[2] = _mm256_srai_epi32(b, 14);
}

RTK_AVX2_BODY void weigh_columns_avx2(
    const RTKReduction *reduction, const int16_t *line, int16_t *red, int16_t *green, int16_t *blue) {
  int32_t count = rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  int16_t *planes[3] = {red, green, blue};
  for (int32_t x = 0; x < count; x += RTKBlockWidth) {
    __m256i low[3], high[3];
    weigh_eight_columns_avx2(reduction, line, x, low);
    weigh_eight_columns_avx2(reduction, line, x + 8, high);
    for (int32_t c = 0; c < 3; c++) {
      __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi32(low[c], high[c]), 0xD8);
      _mm256_storeu_si256((__m256i *)(planes[c] + x), both);
    }
  }
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
