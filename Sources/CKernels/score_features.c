// What one look at a matte finds: the person, its area, what is soft, and where it is flat.
#include "lanes.h"

#if RTK_HAS_AVX2
#include <immintrin.h>
#endif

/// 64 pixels.
typedef struct {
  uint64_t person;
  uint64_t soft;
  uint64_t notZero;
  uint64_t notOne;
  uint64_t area;
} Group;

typedef Group (*LookAt)(const uint8_t *);

RTK_BODY Group look_at(const uint8_t *samples) {
  Group group = {0, 0, 0, 0, 0};
  for (int32_t i = 0; i < 64; i++) {
    group.person |= (uint64_t)(samples[i] >> 7) << i;
    group.soft |= (uint64_t)(samples[i] >= 13 && samples[i] <= 242) << i;
    group.area += samples[i];
  }
  for (int32_t q = 0; q < 16; q++) {
    uint32_t quad = RTK_LOAD(uint32_t, samples + 4 * q);
    group.notZero |= (uint64_t)(quad != 0) << q;
    group.notOne |= (uint64_t)(quad != UINT32_MAX) << q;
  }
  return group;
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY uint64_t both_masks(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

RTK_AVX2_BODY uint64_t unlike(__m256i low, __m256i high, __m256i what) {
  uint32_t equalLow = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(low, what)));
  uint32_t equalHigh = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(high, what)));
  return (equalLow | equalHigh << 8) ^ 0xFFFF;
}

RTK_AVX2_BODY Group look_at_avx2(const uint8_t *samples) {
  __m256i low = _mm256_loadu_si256((const __m256i *)samples);
  __m256i high = _mm256_loadu_si256((const __m256i *)(samples + 32));
  Group group = {both_masks(low, high), 0, 0, 0, 0};
  __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi8(-1);
  group.notZero = unlike(low, high, zero);
  group.notOne = unlike(low, high, one);
  if (group.notZero == 0) return group;
  if (group.notOne == 0) {
    group.area = 64 * 255;
    return group;
  }
  __m256i first = _mm256_set1_epi8(13), span = _mm256_set1_epi8((char)(242 - 13));
  __m256i softLow = _mm256_sub_epi8(low, first), softHigh = _mm256_sub_epi8(high, first);
  group.soft = both_masks(
      _mm256_cmpeq_epi8(_mm256_min_epu8(softLow, span), softLow),
      _mm256_cmpeq_epi8(_mm256_min_epu8(softHigh, span), softHigh));
  __m256i sums = _mm256_add_epi64(_mm256_sad_epu8(low, zero), _mm256_sad_epu8(high, zero));
  __m128i pair = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  group.area = (uint64_t)_mm_cvtsi128_si64(pair) + (uint64_t)_mm_extract_epi64(pair, 1);
  return group;
}
#endif

RTK_BODY void matte_features(
    const uint8_t *matte, int32_t width, int32_t height, RTKMatteFeatures *features, LookAt lookAt) {
  ptrdiff_t stride = rtk_bit_stride(width), quadStride = rtk_bit_stride(rtk_quad_count(width));
  int32_t quads = rtk_quad_count(width);
  uint64_t area = 0, soft = 0, persons = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *in = matte + (size_t)y * (size_t)width;
    memcpy(features->samples + (size_t)y * (size_t)width, in, (size_t)width);
    uint64_t *person = features->person + y * stride;
    uint64_t *notZero = features->notZero + y * quadStride, *notOne = features->notOne + y * quadStride;
    memset(notZero, 0, (size_t)quadStride * sizeof(uint64_t));
    memset(notOne, 0, (size_t)quadStride * sizeof(uint64_t));
    for (int32_t x = 0, w = 0; x < width; x += 64, w++) {
      Group group;
      if (width - x >= 64) {
        group = lookAt(in + x);
      } else {
        int32_t left = width - x;
        uint8_t rest[64];
        memset(rest, in[width - 1], sizeof rest);
        memcpy(rest, in + x, (size_t)left);
        group = lookAt(rest);
        uint64_t pixels = ((uint64_t)1 << left) - 1, quadsLeft = ((uint64_t)1 << (quads - x / 4)) - 1;
        group.person &= pixels;
        group.soft &= pixels;
        group.area -= (uint64_t)(64 - left) * in[width - 1];
        group.notZero &= quadsLeft;
        group.notOne &= quadsLeft;
      }
      person[w] = group.person;
      notZero[w / 4] |= group.notZero << 16 * (w % 4);
      notOne[w / 4] |= group.notOne << 16 * (w % 4);
      area += group.area;
      soft += (uint64_t)__builtin_popcountll(group.soft);
      persons += (uint64_t)__builtin_popcountll(group.person);
    }
  }
  features->areaSteps = (int64_t)area;
  features->softCount = (int64_t)soft;
  features->personCount = (int64_t)persons;
}

#if RTK_HAS_AVX2
RTK_AVX2 static void matte_features_avx2(
    const uint8_t *matte, int32_t width, int32_t height, RTKMatteFeatures *features) {
  matte_features(matte, width, height, features, look_at_avx2);
}
#endif

void rtk_matte_features(
    RTKProcessor processor, const uint8_t *matte, int32_t width, int32_t height, RTKMatteFeatures *features) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return matte_features_avx2(matte, width, height, features);
#else
  (void)processor;
#endif
  matte_features(matte, width, height, features, look_at);
}

RTK_BODY void busy_quads(
    const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width, int32_t height, int32_t radius) {
  int32_t quads = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(quads), words = (quads + 63) / 64;
  uint64_t last = quads % 64 == 0 ? ~(uint64_t)0 : ((uint64_t)1 << quads % 64) - 1;
  for (int32_t y = 0; y < height; y++) {
    int32_t from = y < radius ? 0 : y - radius, to = y + radius >= height ? height - 1 : y + radius;
    uint64_t beforeZero = 0, beforeOne = 0, zero = 0, one = 0;
    for (int32_t row = from; row <= to; row++) {
      zero |= notZero[row * stride];
      one |= notOne[row * stride];
    }
    for (ptrdiff_t w = 0; w < words; w++) {
      // The word behind the last one is 0.
      uint64_t nextZero = 0, nextOne = 0;
      for (int32_t row = from; row <= to; row++) {
        nextZero |= notZero[row * stride + w + 1];
        nextOne |= notOne[row * stride + w + 1];
      }
      uint64_t joinedZero = zero | zero << 1 | zero >> 1 | beforeZero >> 63 | nextZero << 63;
      uint64_t joinedOne = one | one << 1 | one >> 1 | beforeOne >> 63 | nextOne << 63;
      busy[y * stride + w] = joinedZero & joinedOne;
      beforeZero = zero;
      beforeOne = one;
      zero = nextZero;
      one = nextOne;
    }
    busy[y * stride + words - 1] &= last;
    for (ptrdiff_t w = words; w < stride; w++) busy[y * stride + w] = 0;
  }
}

RTK_DEFINE(
    busy_quads,
    (const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width, int32_t height, int32_t radius),
    (notZero, notOne, busy, width, height, radius))
