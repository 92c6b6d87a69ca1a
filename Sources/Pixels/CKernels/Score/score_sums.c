// Sums over mattes. All are integer sums, so the order of addition does not matter.
#include "lanes.h"

/// Pixels whose squares fit into a 32-bit sum: 2^14 * 510^2 < 2^32.
enum { PIECE = 1 << 14 };

RTK_BODY int32_t difference(const uint8_t *a, const uint8_t *b, ptrdiff_t i) { return (int32_t)a[i] - (int32_t)b[i]; }

RTK_BODY void differences(
    const uint8_t *a, const uint8_t *b, ptrdiff_t from, ptrdiff_t count, int64_t *absolute, int64_t *squared) {
  while (from < count) {
    ptrdiff_t to = count - from < PIECE ? count : from + PIECE;
    uint32_t absolutes = 0, squares = 0;
    for (ptrdiff_t i = from; i < to; i++) {
      int32_t d = difference(a, b, i);
      absolutes += (uint32_t)(d < 0 ? -d : d);
      squares += (uint32_t)(d * d);
    }
    *absolute += absolutes;
    *squared += squares;
    from = to;
  }
}

RTK_BODY void absolute_differences(
    const uint8_t *a, const uint8_t *b, ptrdiff_t from, ptrdiff_t count, int64_t *absolute) {
  while (from < count) {
    ptrdiff_t to = count - from < PIECE ? count : from + PIECE;
    uint32_t absolutes = 0;
    for (ptrdiff_t i = from; i < to; i++) {
      int32_t d = difference(a, b, i);
      absolutes += (uint32_t)(d < 0 ? -d : d);
    }
    *absolute += absolutes;
    from = to;
  }
}

RTK_BODY void change_differences(
    const uint8_t *a, const uint8_t *aBefore, const uint8_t *b, const uint8_t *bBefore, ptrdiff_t from,
    ptrdiff_t count, int64_t *squared) {
  for (ptrdiff_t i = from; i < count; i++) {
    int32_t d = difference(a, aBefore, i) - difference(b, bBefore, i);
    *squared += d * d;
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY __m256i load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }

RTK_AVX2_BODY int64_t sum_of(__m256i lanes) {
  uint64_t parts[4];
  _mm256_storeu_si256((__m256i *)parts, lanes);
  return (int64_t)(parts[0] + parts[1] + parts[2] + parts[3]);
}

RTK_AVX2_BODY __m256i squares(__m256i differences) { return _mm256_madd_epi16(differences, differences); }

RTK_AVX2_BODY __m256i widened_sums(__m256i sums) {
  __m256i zero = _mm256_setzero_si256();
  return _mm256_add_epi64(_mm256_unpacklo_epi32(sums, zero), _mm256_unpackhi_epi32(sums, zero));
}

RTK_AVX2 static void differences_avx2(
    const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute, int64_t *squared) {
  __m256i zero = _mm256_setzero_si256(), absolutes = zero, all = zero;
  ptrdiff_t i = 0;
  while (count - i >= 32) {
    ptrdiff_t to = count - i < PIECE ? i + (count - i) / 32 * 32 : i + PIECE;
    __m256i part = zero;
    for (; i < to; i += 32) {
      __m256i p = load(a + i), q = load(b + i), unlike = _mm256_xor_si256(p, q);
      if (_mm256_testz_si256(unlike, unlike)) continue;
      absolutes = _mm256_add_epi64(absolutes, _mm256_sad_epu8(p, q));
      __m256i d = _mm256_sub_epi8(_mm256_max_epu8(p, q), _mm256_min_epu8(p, q));
      part = _mm256_add_epi32(part, squares(_mm256_unpacklo_epi8(d, zero)));
      part = _mm256_add_epi32(part, squares(_mm256_unpackhi_epi8(d, zero)));
    }
    all = _mm256_add_epi64(all, widened_sums(part));
  }
  *absolute = sum_of(absolutes);
  *squared = sum_of(all);
  differences(a, b, i, count, absolute, squared);
}

RTK_AVX2 static void absolute_differences_avx2(
    const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute) {
  __m256i absolutes = _mm256_setzero_si256();
  ptrdiff_t i = 0;
  for (; count - i >= 32; i += 32) absolutes = _mm256_add_epi64(absolutes, _mm256_sad_epu8(load(a + i), load(b + i)));
  *absolute = sum_of(absolutes);
  absolute_differences(a, b, i, count, absolute);
}

RTK_AVX2 static void change_differences_avx2(
    const uint8_t *a, const uint8_t *aBefore, const uint8_t *b, const uint8_t *bBefore, ptrdiff_t count,
    int64_t *squared) {
  __m256i zero = _mm256_setzero_si256(), all = zero;
  ptrdiff_t i = 0;
  while (count - i >= 32) {
    ptrdiff_t to = count - i < PIECE ? i + (count - i) / 32 * 32 : i + PIECE;
    __m256i part = zero;
    for (; i < to; i += 32) {
      // (a + bBefore) - (aBefore + b)
      __m256i p = load(a + i), q = load(bBefore + i), r = load(aBefore + i), s = load(b + i);
      __m256i changed = _mm256_or_si256(_mm256_xor_si256(p, r), _mm256_xor_si256(q, s));
      if (_mm256_testz_si256(changed, changed)) continue;
      __m256i low = _mm256_sub_epi16(
          _mm256_add_epi16(_mm256_unpacklo_epi8(p, zero), _mm256_unpacklo_epi8(q, zero)),
          _mm256_add_epi16(_mm256_unpacklo_epi8(r, zero), _mm256_unpacklo_epi8(s, zero)));
      __m256i high = _mm256_sub_epi16(
          _mm256_add_epi16(_mm256_unpackhi_epi8(p, zero), _mm256_unpackhi_epi8(q, zero)),
          _mm256_add_epi16(_mm256_unpackhi_epi8(r, zero), _mm256_unpackhi_epi8(s, zero)));
      part = _mm256_add_epi32(part, _mm256_add_epi32(squares(low), squares(high)));
    }
    all = _mm256_add_epi64(all, widened_sums(part));
  }
  *squared = sum_of(all);
  change_differences(a, aBefore, b, bBefore, i, count, squared);
}
#endif

void rtk_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute, int64_t *squared) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return differences_avx2(a, b, count, absolute, squared);
#else
  (void)processor;
#endif
  *absolute = *squared = 0;
  differences(a, b, 0, count, absolute, squared);
}

void rtk_absolute_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return absolute_differences_avx2(a, b, count, absolute);
#else
  (void)processor;
#endif
  *absolute = 0;
  absolute_differences(a, b, 0, count, absolute);
}

void rtk_change_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *aBefore, const uint8_t *b, const uint8_t *bBefore,
    ptrdiff_t count, int64_t *squared) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return change_differences_avx2(a, aBefore, b, bBefore, count, squared);
#else
  (void)processor;
#endif
  *squared = 0;
  change_differences(a, aBefore, b, bBefore, 0, count, squared);
}

RTK_BODY void box_sum(const uint8_t *samples, ptrdiff_t stride, int32_t width, int32_t height, int64_t *sum) {
  *sum = 0;
  for (int32_t y = 0; y < height; y++) {
    uint32_t row = 0;
    for (int32_t x = 0; x < width; x++) row += samples[y * stride + x];
    *sum += row;
  }
}

RTK_DEFINE(
    box_sum, (const uint8_t *samples, ptrdiff_t stride, int32_t width, int32_t height, int64_t *sum),
    (samples, stride, width, height, sum))

RTK_BODY void reduce_by_four(const uint8_t *samples, uint8_t *reduced, int32_t width, int32_t height) {
  int32_t columns = width / 4, rows = height / 4;
  for (int32_t y = 0; y < rows; y++) {
    const uint8_t *in = samples + (size_t)(4 * y) * (size_t)width;
    uint8_t *out = reduced + (size_t)y * (size_t)columns;
    int32_t x = 0;
    // Each 32-bit lane holds four bytes, which are added by masks and shifts.
    for (; x + 8 <= columns; x += 8) {
      Lanes32 sum = {0};
      for (int32_t row = 0; row < 4; row++) {
        Lanes32 quads = RTK_LOAD(Lanes32, in + (size_t)row * (size_t)width + 4 * x);
        Lanes32 pairs = (quads & 0x00FF00FF) + (quads >> 8 & 0x00FF00FF);
        sum += (pairs & 0xFFFF) + (pairs >> 16);
      }
      sum = (sum + 8) >> 4;
      for (int32_t i = 0; i < 8; i++) out[x + i] = (uint8_t)sum[i];
    }
    for (; x < columns; x++) {
      uint32_t sum = 8;
      for (int32_t i = 0; i < 16; i++) sum += in[(size_t)(i / 4) * (size_t)width + 4 * x + i % 4];
      out[x] = (uint8_t)(sum >> 4);
    }
  }
}

RTK_DEFINE(
    reduce_by_four, (const uint8_t *samples, uint8_t *reduced, int32_t width, int32_t height),
    (samples, reduced, width, height))
