// The guided filter's grey picture: at the video's size, and resampled to the mask's.
#include "columns.h"

RTK_BODY void grey_plain(const uint8_t *restrict rgb, int16_t *restrict out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    out[i] = (int16_t)(38 * rgb[3 * i] + 75 * rgb[3 * i + 1] + 15 * rgb[3 * i + 2]);
  }
}

#if RTK_HAS_AVX2
/// Converts eight pixels; each vector half has four in its lower 12 bytes.
RTK_AVX2_BODY __m128i grey_of_eight(const uint8_t *rgb) {
  __m256i bytes = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)rgb)),
      _mm_loadu_si128((const __m128i *)(rgb + 12)), 1);
  const __m256i spread = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
  // Pairs 38 R + 75 G and 15 B + 0.
  __m256i sums = _mm256_maddubs_epi16(_mm256_shuffle_epi8(bytes, spread), _mm256_set1_epi32(0x000F4B26));
  sums = _mm256_madd_epi16(sums, _mm256_set1_epi16(1));
  return _mm_packs_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

RTK_AVX2_BODY void grey_lanes(const uint8_t *rgb, int16_t *out, ptrdiff_t count) {
  ptrdiff_t i = 0;
  // The second load reads four bytes beyond the eight pixels.
  for (; i + 10 <= count; i += 8) _mm_storeu_si128((__m128i *)(out + i), grey_of_eight(rgb + 3 * i));
  grey_plain(rgb + 3 * i, out + i, count - i);
}
#endif

RTK_DISPATCH(
    grey, (rgb, out, count), (const uint8_t *rgb, int16_t *out, ptrdiff_t count), grey_plain(rgb, out, count),
    grey_lanes(rgb, out, count))

/// A line has `columnTaps` samples of padding, which taps of weight 0 may read.
size_t rtk_reduce_scratch(const RTKReduction *reduction) {
  return rtk_padded(((size_t)reduction->sourceWidth + (size_t)reduction->columnTaps) * sizeof(int16_t)) +
         rtk_padded((size_t)reduction->sourceWidth * sizeof(int32_t));
}

/// Filters four rows per pass; most reductions need only one pass.
RTK_BODY void weigh_rows(
    const RTKReduction *reduction, const int16_t *grey, int32_t y, int32_t *restrict sums, int16_t *restrict line) {
  int32_t width = reduction->sourceWidth, taps = reduction->rowTaps;
  const int16_t *weights = reduction->rowWeights + (ptrdiff_t)y * taps;
  const int16_t *row = grey + (size_t)width * (size_t)reduction->rows[y];
  for (int32_t k = 0; k < taps; k += 4) {
    const int16_t *restrict rows[4];
    int16_t weight[4];
    for (int32_t i = 0; i < 4; i++) {
      int32_t isThere = k + i < taps;
      weight[i] = isThere ? weights[k + i] : 0;
      rows[i] = row + (isThere && weight[i] != 0 ? (size_t)width * (size_t)(k + i) : 0);
    }
    const int16_t *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2], *restrict d = rows[3];
    int16_t v = weight[0], w = weight[1], s = weight[2], t = weight[3];
    if (taps <= 4) {
      for (int32_t x = 0; x < width; x++) {
        line[x] = (int16_t)((RTKWeightOne / 2 + v * a[x] + w * b[x] + s * c[x] + t * d[x]) >> 14);
      }
      return;
    }
    for (int32_t x = 0; x < width; x++) {
      int32_t sum = k == 0 ? RTKWeightOne / 2 : sums[x];
      sums[x] = sum + v * a[x] + w * b[x] + s * c[x] + t * d[x];
    }
  }
  for (int32_t x = 0; x < width; x++) line[x] = (int16_t)(sums[x] >> 14);
}

RTK_BODY void weigh_columns(const RTKReduction *reduction, const int16_t *line, int16_t *out) {
  int32_t taps = reduction->columnTaps, count = rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t x = 0; x < count; x++) {
    const int16_t *sample = line + reduction->columns[x], *weight = reduction->columnWeights + (ptrdiff_t)taps * x;
    int32_t sum = RTKWeightOne / 2;
    for (int32_t k = 0; k < taps; k++) sum += sample[k] * weight[k];
    out[x] = (int16_t)(sum >> 14);
  }
}

typedef void (*WeighColumns)(const RTKReduction *, const int16_t *, int16_t *);

#if RTK_HAS_AVX2
RTK_AVX2_BODY void weigh_columns_avx2(
    const RTKReduction *reduction, const int16_t *line, int16_t *out) {
  if (reduction->columnTaps != 4) return weigh_columns(reduction, line, out);
  int32_t count = rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t x = 0; x < count; x += 8) {
    rtk_weigh_eight_columns(line, reduction->columns + x, reduction->columnWeights + 4 * x, out + x);
  }
}
#endif

RTK_BODY void reduce_grey(
    const RTKReduction *reduction, const int16_t *grey, int16_t *out, int32_t first, int32_t count, void *scratch,
    WeighColumns weighColumns) {
  int16_t *line = scratch;
  size_t lineLength = (size_t)reduction->sourceWidth + (size_t)reduction->columnTaps;
  int32_t *sums = (int32_t *)((uint8_t *)scratch + rtk_padded(lineLength * sizeof(int16_t)));
  memset(line + reduction->sourceWidth, 0, (size_t)reduction->columnTaps * sizeof(int16_t));
  size_t stride = (size_t)rtk_block_count(reduction->targetWidth) * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    weigh_rows(reduction, grey, y, sums, line);
    weighColumns(reduction, line, out + stride * (size_t)y);
  }
}

RTK_DISPATCH(
    reduce_grey, (reduction, grey, out, first, count, scratch),
    (const RTKReduction *reduction, const int16_t *grey, int16_t *out, int32_t first, int32_t count, void *scratch),
    reduce_grey(reduction, grey, out, first, count, scratch, weigh_columns),
    reduce_grey(reduction, grey, out, first, count, scratch, weigh_columns_avx2))
