// The last step: scales the coefficients bilinearly and applies them to the video's colours.
#include "refine.h"

enum { EDGE = 4 };

typedef struct {
  int32_t sourceBlocks;
  int32_t blockCount;
  size_t stride;
  /// Two rows of four planes each, scaled along x; row r is in slot r & 1.
  int32_t *rows;
  uint8_t *kinds;
} Scratch;

static size_t lay_out(const RTKScale *scale, Scratch *scratch, uint8_t *base) {
  int32_t blockCount = rtk_block_count(scale->targetWidth);
  size_t stride = (size_t)blockCount * RTKBlockWidth;
  size_t rows = rtk_padded(2 * RTKCoefficients * stride * sizeof(int32_t));
  if (base) {
    *scratch = (Scratch){rtk_block_count(scale->sourceWidth), blockCount, stride, (int32_t *)base, base + rows};
  }
  return rows + rtk_padded(2 * (size_t)blockCount);
}

size_t rtk_refine_matte_scratch(const RTKScale *scale) { return lay_out(scale, NULL, NULL); }

/// The common RTKBlock... of all source blocks that a target block's taps read; RTKBlockMixed if they differ.
RTK_BODY uint8_t kind_along(const RTKScale *scale, const uint8_t *kinds, int32_t x) {
  int32_t last = scale->sourceWidth - 1, end = x + RTKBlockWidth;
  if (end > scale->targetWidth) end = scale->targetWidth;
  int32_t from = rtk_clamped(scale->columns[x] + 1, last) / RTKBlockWidth;
  int32_t to = rtk_clamped(scale->columns[end - 1] + 2, last) / RTKBlockWidth;
  for (int32_t b = from; b <= to; b++) {
    if (kinds[b] == RTKBlockMixed || kinds[b] != kinds[from]) return RTKBlockMixed;
  }
  return kinds[from];
}

/// Scales sixteen columns bilinearly.
/// - isLong: whether the products need 64 bits. Those of slopes, which have 17 bits and a sign, fit into 32.
RTK_BODY void scale_block(const RTKScale *scale, const int32_t *in, int32_t x, int32_t isLong, int32_t *restrict out) {
  int32_t last = scale->sourceWidth - 1;
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int32_t left = in[rtk_clamped(scale->columns[x + i] + 1, last)];
    int32_t right = in[rtk_clamped(scale->columns[x + i] + 2, last)];
    const int16_t *weights = scale->columnWeights + 4 * (ptrdiff_t)(x + i);
    if (isLong) {
      out[i] = (int32_t)(((int64_t)left * weights[1] + (int64_t)right * weights[2] + RTKWeightOne / 2) >> 14);
    } else {
      out[i] = (left * weights[1] + right * weights[2] + RTKWeightOne / 2) >> 14;
    }
  }
}

/// Scales sixteen columns of all coefficients.
RTK_BODY void scale_planes(
    const RTKScale *scale, const int32_t *in, size_t plane, int32_t x, int32_t *out, size_t stride) {
  for (size_t k = 0; k < RTKCoefficients; k++) scale_block(scale, in + plane * k, x, k == 3, out + stride * k);
}

#if RTK_HAS_AVX2
/// (left * w + right * v + half) >> 14, in 64 bits.
RTK_AVX2_BODY __m256i mix_long_avx2(__m256i left, __m256i right, __m256i w, __m256i v) {
  __m256i half = _mm256_set1_epi64x(RTKWeightOne / 2);
  __m256i even = _mm256_add_epi64(_mm256_mul_epi32(left, w), _mm256_mul_epi32(right, v));
  left = _mm256_srli_epi64(left, 32);
  right = _mm256_srli_epi64(right, 32);
  w = _mm256_srli_epi64(w, 32);
  v = _mm256_srli_epi64(v, 32);
  __m256i odd = _mm256_add_epi64(_mm256_mul_epi32(left, w), _mm256_mul_epi32(right, v));
  even = _mm256_srli_epi64(_mm256_add_epi64(even, half), 14);
  odd = _mm256_slli_epi64(_mm256_srli_epi64(_mm256_add_epi64(odd, half), 14), 32);
  return _mm256_blend_epi32(even, odd, 0xAA);
}

/// Eight columns.
/// - near: whether the columns read nine neighbours from `left`'s first on, so that no gather is needed.
RTK_AVX2_BODY void scale_eight_avx2(
    const int32_t *in, size_t plane, __m256i left, __m256i right, int32_t near, __m256i w, __m256i v, int32_t *out,
    size_t stride) {
  __m256i half = _mm256_set1_epi32(RTKWeightOne / 2);
  int32_t first = _mm256_cvtsi256_si32(left);
  // Of nine neighbours, the left ones are among the first eight, the right ones among the last eight.
  __m256i place = _mm256_sub_epi32(left, _mm256_set1_epi32(first));
  for (size_t k = 0; k < RTKCoefficients; k++) {
    const int32_t *from = in + plane * k;
    __m256i one, other, mixed;
    if (near) {
      one = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(from + first)), place);
      other = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(from + first + 1)), place);
    } else {
      one = _mm256_i32gather_epi32(from, left, 4);
      other = _mm256_i32gather_epi32(from, right, 4);
    }
    if (k == 3) {
      mixed = mix_long_avx2(one, other, w, v);
    } else {
      mixed = _mm256_add_epi32(_mm256_mullo_epi32(one, w), _mm256_mullo_epi32(other, v));
      mixed = _mm256_srai_epi32(_mm256_add_epi32(mixed, half), 14);
    }
    _mm256_storeu_si256((__m256i *)(out + stride * k), mixed);
  }
}

RTK_AVX2_BODY void scale_planes_avx2(
    const RTKScale *scale, const int32_t *in, size_t plane, int32_t x, int32_t *out, size_t stride) {
  int32_t last = scale->sourceWidth - 1, end = (int32_t)rtk_stride(scale->sourceWidth);
  __m256i most = _mm256_set1_epi32(last), zero = _mm256_setzero_si256();
  for (int32_t i = 0; i < RTKBlockWidth; i += 8) {
    const int32_t *columns = scale->columns + x + i;
    __m256i column = _mm256_loadu_si256((const __m256i *)columns);
    __m256i left = _mm256_add_epi32(column, _mm256_set1_epi32(1));
    __m256i right = _mm256_add_epi32(column, _mm256_set1_epi32(2));
    left = _mm256_min_epi32(_mm256_max_epi32(left, zero), most);
    right = _mm256_min_epi32(_mm256_max_epi32(right, zero), most);
    // The second and third of each column's four weights.
    const __m256i *weights = (const __m256i *)(scale->columnWeights + 4 * (ptrdiff_t)(x + i));
    __m256 low = _mm256_castsi256_ps(_mm256_loadu_si256(weights));
    __m256 high = _mm256_castsi256_ps(_mm256_loadu_si256(weights + 1));
    __m256i w = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0x88)), 0xD8);
    __m256i v = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(low, high, 0xDD)), 0xD8);
    w = _mm256_srai_epi32(w, 16);
    v = _mm256_srai_epi32(_mm256_slli_epi32(v, 16), 16);
    int32_t first = columns[0] + 1, isUnclamped = first >= 0 && columns[7] + 2 <= last;
    if (isUnclamped && columns[7] - columns[0] < 8 && first + 9 <= end) {
      scale_eight_avx2(in, plane, left, right, 1, w, v, out + i, stride);
    } else {
      scale_eight_avx2(in, plane, left, right, 0, w, v, out + i, stride);
    }
  }
}
#endif

typedef void ScalePlanes(
    const RTKScale *scale, const int32_t *in, size_t plane, int32_t x, int32_t *out, size_t stride);

RTK_BODY void fill_row(
    const RTKScale *scale, const Scratch *scratch, const int32_t *coefficients, size_t plane, const uint8_t *kinds,
    int32_t slot, ScalePlanes *scalePlanes) {
  int32_t *row = scratch->rows + (size_t)slot * RTKCoefficients * scratch->stride;
  uint8_t *rowKinds = scratch->kinds + (size_t)scratch->blockCount * (size_t)slot;
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    int32_t x = b * RTKBlockWidth;
    rowKinds[b] = kind_along(scale, kinds, x);
    if (rowKinds[b] == RTKBlockMixed) scalePlanes(scale, coefficients, plane, x, row + x, scratch->stride);
  }
}

/// Writes the coefficients of a flat block, which only blocks above or below that differ need.
RTK_BODY void fill_flat(int32_t *block, size_t plane, uint8_t kind) {
  for (size_t k = 0; k < RTKCoefficients; k++) {
    int32_t level = k == 3 && kind == RTKBlockOne ? RTKMatteOne << 4 : 0;
    for (int32_t i = 0; i < RTKBlockWidth; i++) block[plane * k + (size_t)i] = level;
  }
}

/// Interpolates sixteen columns between two rows; `isLong` as for scale_block.
RTK_BODY void mix_block(
    const int32_t *restrict above, const int32_t *restrict below, int32_t upper, int32_t lower, int32_t isLong,
    int32_t *restrict out) {
  if (isLong) {
    for (int32_t i = 0; i < RTKBlockWidth; i++) {
      out[i] = (int32_t)(((int64_t)above[i] * upper + (int64_t)below[i] * lower + RTKWeightOne / 2) >> 14);
    }
  } else {
    for (int32_t i = 0; i < RTKBlockWidth; i++) out[i] = (above[i] * upper + below[i] * lower + RTKWeightOne / 2) >> 14;
  }
}

/// Applies up to sixteen pixels' coefficients to their colours.
RTK_BODY void apply_block(
    const int32_t of[RTKCoefficients][RTKBlockWidth], const uint8_t *picture, int32_t count, uint8_t *restrict out) {
  if (count < RTKBlockWidth) {
    for (int32_t i = 0; i < count; i++) {
      int32_t value =
          of[0][i] * picture[3 * i] + of[1][i] * picture[3 * i + 1] + of[2][i] * picture[3 * i + 2] + of[3][i];
      out[i] = (uint8_t)rtk_clamped((value + 512) >> 10, 255);
    }
    return;
  }
  uint8_t planes[3][RTKBlockWidth];
  Bytes16 a = RTK_LOAD(Bytes16, picture), b = RTK_LOAD(Bytes16, picture + 16), c = RTK_LOAD(Bytes16, picture + 32);
  Bytes16 ab = __builtin_shufflevector(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, -1, -1, -1, -1, -1);
  RTK_STORE(planes[0], __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29));
  ab = __builtin_shufflevector(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, -1, -1, -1, -1, -1);
  RTK_STORE(planes[1], __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30));
  ab = __builtin_shufflevector(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, -1, -1, -1, -1, -1, -1);
  RTK_STORE(planes[2], __builtin_shufflevector(ab, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31));
  for (int32_t i = 0; i < RTKBlockWidth; i++) {
    int32_t value = of[0][i] * planes[0][i] + of[1][i] * planes[1][i] + of[2][i] * planes[2][i] + of[3][i];
    out[i] = (uint8_t)rtk_clamped((value + 512) >> 10, 255);
  }
}

RTK_BODY void refine_rows(
    const RTKScale *scale, const int32_t *coefficients, const uint8_t *blocks, const uint8_t *rgb, uint8_t *matte,
    int32_t first, int32_t count, void *memory, ScalePlanes *scalePlanes) {
  Scratch scratch;
  lay_out(scale, &scratch, memory);
  size_t sourceStride = (size_t)scratch.sourceBlocks * RTKBlockWidth, width = (size_t)scale->targetWidth;
  size_t plane = sourceStride * (size_t)scale->sourceHeight;
  int32_t held[2] = {INT32_MIN, INT32_MIN};
  for (int32_t y = first; y < first + count; y++) {
    int32_t *rows[2];
    const uint8_t *kinds[2];
    for (int32_t k = 0; k < 2; k++) {
      int32_t row = scale->rows[y] + 1 + k, slot = row & 1;
      if (held[slot] != row) {
        size_t source = (size_t)rtk_clamped(row, scale->sourceHeight - 1);
        fill_row(
            scale, &scratch, coefficients + sourceStride * source, plane,
            blocks + (size_t)scratch.sourceBlocks * source, slot, scalePlanes);
        held[slot] = row;
      }
      rows[k] = scratch.rows + (size_t)slot * RTKCoefficients * scratch.stride;
      kinds[k] = scratch.kinds + (size_t)scratch.blockCount * (size_t)slot;
    }
    int32_t upper = scale->rowWeights[4 * y + 1], lower = scale->rowWeights[4 * y + 2];
    uint8_t *out = matte + width * (size_t)y;
    const uint8_t *picture = rgb + 3 * width * (size_t)y;
    for (int32_t b = 0; b < scratch.blockCount; b++) {
      int32_t x = b * RTKBlockWidth, end = x + RTKBlockWidth;
      if (end > scale->targetWidth) end = scale->targetWidth;
      if (kinds[0][b] != RTKBlockMixed && kinds[0][b] == kinds[1][b]) {
        memset(out + x, kinds[0][b] == RTKBlockOne ? 255 : 0, (size_t)(end - x));
        continue;
      }
      for (int32_t k = 0; k < 2; k++) {
        if (kinds[k][b] != RTKBlockMixed) fill_flat(rows[k] + x, scratch.stride, kinds[k][b]);
      }
      int32_t of[RTKCoefficients][RTKBlockWidth];
      for (size_t k = 0; k < RTKCoefficients; k++) {
        size_t place = scratch.stride * k + (size_t)x;
        mix_block(rows[0] + place, rows[1] + place, upper, lower, k == 3, of[k]);
      }
      apply_block(of, picture + 3 * x, end - x, out + x);
    }
  }
}

RTK_DISPATCH(
    refine_matte, (scale, coefficients, blocks, rgb, matte, first, count, scratch),
    (const RTKScale *scale, const int32_t *coefficients, const uint8_t *blocks, const uint8_t *rgb, uint8_t *matte,
     int32_t first, int32_t count, void *scratch),
    refine_rows(scale, coefficients, blocks, rgb, matte, first, count, scratch, scale_planes),
    refine_rows(scale, coefficients, blocks, rgb, matte, first, count, scratch, scale_planes_avx2))
