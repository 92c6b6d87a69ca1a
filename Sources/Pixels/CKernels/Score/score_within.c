// Sums over the pixels of a byte mask, and operations on such masks. All sums are of integers.
#include "lanes.h"

RTK_BODY void sum_within_from(
    const uint8_t *samples, const uint8_t *mask, ptrdiff_t from, ptrdiff_t count, int64_t *sum) {
  ptrdiff_t i = from;
  int64_t all = *sum;
  // The bytes of a word are added by one multiplication.
  for (; i + 8 <= count; i += 8) {
    uint64_t eight = RTK_LOAD(uint64_t, samples + i) & RTK_LOAD(uint64_t, mask + i);
    uint64_t pairs = (eight & 0x00FF00FF00FF00FF) + (eight >> 8 & 0x00FF00FF00FF00FF);
    all += (int64_t)(pairs * 0x0001000100010001 >> 48);
  }
  for (; i < count; i++) all += samples[i] & mask[i];
  *sum = all;
}

RTK_BODY void sum_within(const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, int64_t *sum) {
  *sum = 0;
  sum_within_from(samples, mask, 0, count, sum);
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY void sum_within_by_32(const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, int64_t *sum) {
  __m256i zero = _mm256_setzero_si256(), sums = zero;
  ptrdiff_t i = 0;
  for (; count - i >= 32; i += 32) {
    __m256i within = _mm256_loadu_si256((const __m256i *)(mask + i));
    __m256i kept = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(samples + i)), within);
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(kept, zero));
  }
  *sum = rtk_sum(sums);
  sum_within_from(samples, mask, i, count, sum);
}
#endif

RTK_DISPATCH(
    sum_within, (samples, mask, count, sum),
    (const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, int64_t *sum),
    sum_within(samples, mask, count, sum), sum_within_by_32(samples, mask, count, sum))

RTK_BODY int64_t differences_from(
    const uint8_t *a, const uint8_t *b, const uint8_t *mask, ptrdiff_t from, ptrdiff_t count) {
  int64_t sum = 0;
  for (ptrdiff_t i = from; i < count; i++) {
    int32_t difference = (a[i] & mask[i]) - (b[i] & mask[i]);
    sum += difference < 0 ? -difference : difference;
  }
  return sum;
}

#if RTK_HAS_AVX2
RTK_AVX2 static void differences_within_avx2(
    const uint8_t *a, const uint8_t *b, const uint8_t *mask, ptrdiff_t count, int64_t *absolute) {
  __m256i sums = _mm256_setzero_si256();
  ptrdiff_t i = 0;
  for (; count - i >= 32; i += 32) {
    __m256i within = _mm256_loadu_si256((const __m256i *)(mask + i));
    __m256i p = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(a + i)), within);
    __m256i q = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(b + i)), within);
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(p, q));
  }
  *absolute = rtk_sum(sums) + differences_from(a, b, mask, i, count);
}
#endif

void rtk_differences_within(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, const uint8_t *mask, ptrdiff_t count,
    int64_t *absolute) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return differences_within_avx2(a, b, mask, count, absolute);
#else
  (void)processor;
#endif
  *absolute = differences_from(a, b, mask, 0, count);
}

RTK_BODY void change_differences_within(
    const uint8_t *a, const uint8_t *aBefore, const uint8_t *b, const uint8_t *bBefore, const uint8_t *mask,
    const uint8_t *maskBefore, ptrdiff_t count, int64_t *squared, int64_t *found) {
  int64_t sum = 0, pixels = 0;
  // 2^13 squares of at most 510^2 fit into 32 bits.
  enum { PIECE = 1 << 13 };
  for (ptrdiff_t from = 0; from < count; from += PIECE) {
    ptrdiff_t to = count - from < PIECE ? count : from + PIECE;
    uint32_t squares = 0, kept = 0;
    for (ptrdiff_t i = from; i < to; i++) {
      int32_t isKept = (mask[i] & maskBefore[i]) != 0;
      int32_t difference = (a[i] - aBefore[i]) - (b[i] - bBefore[i]);
      squares += (uint32_t)(isKept ? difference * difference : 0);
      kept += (uint32_t)isKept;
    }
    sum += squares;
    pixels += kept;
  }
  *squared = sum;
  *found = pixels;
}

RTK_DEFINE(
    change_differences_within,
    (const uint8_t *a, const uint8_t *aBefore, const uint8_t *b, const uint8_t *bBefore, const uint8_t *mask,
     const uint8_t *maskBefore, ptrdiff_t count, int64_t *squared, int64_t *found),
    (a, aBefore, b, bBefore, mask, maskBefore, count, squared, found))

RTK_BODY void keep_within(const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, uint8_t *kept) {
  for (ptrdiff_t i = 0; i < count; i++) kept[i] = samples[i] & mask[i];
}

RTK_DEFINE(
    keep_within, (const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, uint8_t *kept),
    (samples, mask, count, kept))

RTK_BODY void left_out_places(const uint8_t *mask, uint64_t *places, int32_t width, int32_t height) {
  ptrdiff_t stride = rtk_bit_stride(width);
  memset(places, 0, (size_t)stride * (size_t)height * sizeof(uint64_t));
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *row = mask + (size_t)y * (size_t)width, *below = y + 1 < height ? row + width : row;
    for (int32_t x = 0; x < width; x++) {
      int32_t right = x + 1 < width ? x + 1 : x;
      uint64_t isOut = (row[x] & row[right] & below[x] & below[right]) == 0;
      places[y * stride + x / 64] |= isOut << x % 64;
    }
  }
}

RTK_DEFINE(
    left_out_places, (const uint8_t *mask, uint64_t *places, int32_t width, int32_t height),
    (mask, places, width, height))

RTK_BODY void clear_bits(uint64_t *pixels, const uint64_t *cleared, ptrdiff_t wordCount, int64_t *count) {
  int64_t found = 0;
  for (ptrdiff_t i = 0; i < wordCount; i++) {
    pixels[i] &= ~cleared[i];
    found += __builtin_popcountll(pixels[i]);
  }
  *count = found;
}

RTK_DEFINE(
    clear_bits, (uint64_t *pixels, const uint64_t *cleared, ptrdiff_t wordCount, int64_t *count),
    (pixels, cleared, wordCount, count))

RTK_BODY void outside(
    const uint8_t *samples, const uint64_t *near, const uint8_t *mask, int32_t width, int32_t height,
    uint8_t *outside, int64_t *count) {
  ptrdiff_t stride = rtk_bit_stride(width);
  int64_t found = 0;
  for (int32_t y = 0; y < height; y++) {
    for (int32_t x = 0; x < width; x++) {
      size_t i = (size_t)y * (size_t)width + (size_t)x;
      int32_t isNear = (int32_t)(near[y * stride + x / 64] >> x % 64 & 1);
      int32_t counts = samples[i] == 0 && !isNear && (!mask || mask[i]);
      outside[i] = (uint8_t)-counts;
      found += counts;
    }
  }
  *count = found;
}

RTK_DEFINE(
    outside,
    (const uint8_t *samples, const uint64_t *near, const uint8_t *mask, int32_t width, int32_t height,
     uint8_t *outside_, int64_t *count),
    (samples, near, mask, width, height, outside_, count))

RTK_BODY void mask_of_clear(
    const uint64_t *pixels, const uint8_t *masks[2], int32_t width, int32_t height, uint8_t *clear, int64_t *count) {
  ptrdiff_t stride = rtk_bit_stride(width);
  int64_t found = 0;
  for (int32_t y = 0; y < height; y++) {
    for (int32_t x = 0; x < width; x++) {
      size_t i = (size_t)y * (size_t)width + (size_t)x;
      int32_t counts = !(pixels[y * stride + x / 64] >> x % 64 & 1);
      if (masks[0]) counts &= masks[0][i] != 0;
      if (masks[1]) counts &= masks[1][i] != 0;
      clear[i] = (uint8_t)-counts;
      found += counts;
    }
  }
  *count = found;
}

RTK_DEFINE(
    mask_of_clear,
    (const uint64_t *pixels, const uint8_t *masks[2], int32_t width, int32_t height, uint8_t *clear, int64_t *count),
    (pixels, masks, width, height, clear, count))
