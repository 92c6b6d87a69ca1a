#include "lanes.h"

/// Sum of |matte - before| over the pixels of a 16-bit band mask.
typedef int64_t (*LookAt)(const uint8_t *, const uint8_t *, uint32_t);

RTK_BODY int64_t look_at(const uint8_t *matte, const uint8_t *before, uint32_t band) {
  int64_t steps = 0;
  for (; band != 0; band &= band - 1) {
    int32_t i = __builtin_ctz(band), d = matte[i] - before[i];
    steps += d < 0 ? -d : d;
  }
  return steps;
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY int64_t look_at_avx2(const uint8_t *matte, const uint8_t *before, uint32_t band) {
  // Each byte gets the half of the mask that holds its bit.
  const __m128i halves = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  const __m128i bits = _mm_set1_epi64x((long long)0x8040201008040201);
  __m128i mask = _mm_and_si128(_mm_shuffle_epi8(_mm_cvtsi32_si128((int)band), halves), bits);
  mask = _mm_cmpeq_epi8(mask, bits);
  __m128i a = _mm_and_si128(_mm_loadu_si128((const __m128i *)matte), mask);
  __m128i b = _mm_and_si128(_mm_loadu_si128((const __m128i *)before), mask);
  __m128i sums = _mm_sad_epu8(a, b);
  return _mm_cvtsi128_si64(sums) + _mm_extract_epi64(sums, 1);
}
#endif

RTK_BODY void flicker(
    const uint8_t *matte, const uint8_t *before, const uint64_t *band, const uint64_t *bandBefore,
    const RTKMotion *motions, int32_t width, int32_t height, int64_t *steps, int64_t *count, LookAt lookAt) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  ptrdiff_t blocks = (width + RTKMotionBlock - 1) / RTKMotionBlock;
  int64_t sum = 0, found = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *row = matte + (size_t)y * (size_t)width;
    for (ptrdiff_t w = 0; w < words; w++) {
      uint64_t word = band[y * stride + w] | bandBefore[y * stride + w];
      found += __builtin_popcountll(word);
      for (int32_t x = (int32_t)(64 * w); word != 0; word >>= RTKMotionBlock, x += RTKMotionBlock) {
        uint32_t bits = (uint32_t)(word & 0xFFFF);
        if (bits == 0) continue;
        RTKMotion motion = motions[y / RTKMotionBlock * blocks + x / RTKMotionBlock];
        const uint8_t *rowBefore = before + (size_t)rtk_clamped(y + motion.y, height - 1) * (size_t)width;
        int32_t from = x + motion.x;
        if (from >= 0 && from + RTKMotionBlock <= width && x + RTKMotionBlock <= width) {
          sum += lookAt(row + x, rowBefore + from, bits);
        } else {
          for (; bits != 0; bits &= bits - 1) {
            int32_t i = __builtin_ctz(bits), d = row[x + i] - rowBefore[rtk_clamped(from + i, width - 1)];
            sum += d < 0 ? -d : d;
          }
        }
      }
    }
  }
  *steps = sum;
  *count = found;
}

#if RTK_HAS_AVX2
RTK_AVX2 static void flicker_avx2(
    const uint8_t *matte, const uint8_t *before, const uint64_t *band, const uint64_t *bandBefore,
    const RTKMotion *motions, int32_t width, int32_t height, int64_t *steps, int64_t *count) {
  flicker(matte, before, band, bandBefore, motions, width, height, steps, count, look_at_avx2);
}
#endif

void rtk_flicker(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *before, const uint64_t *band,
    const uint64_t *bandBefore, const RTKMotion *motions, int32_t width, int32_t height, int64_t *steps,
    int64_t *count) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) {
    return flicker_avx2(matte, before, band, bandBefore, motions, width, height, steps, count);
  }
#else
  (void)processor;
#endif
  flicker(matte, before, band, bandBefore, motions, width, height, steps, count, look_at);
}
