#include "lanes.h"

/// Results for 64 pixels: bit masks by pixel or quad, and the sum of the samples.
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
RTK_AVX2_BODY uint64_t unlike(__m256i low, __m256i high, __m256i what) {
  uint32_t equalLow = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(low, what)));
  uint32_t equalHigh = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(high, what)));
  return (equalLow | equalHigh << 8) ^ 0xFFFF;
}

RTK_AVX2_BODY Group look_at_avx2(const uint8_t *samples) {
  __m256i low = _mm256_loadu_si256((const __m256i *)samples);
  __m256i high = _mm256_loadu_si256((const __m256i *)(samples + 32));
  __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi8(-1);
  __m256i any = _mm256_or_si256(low, high);
  if (_mm256_testz_si256(any, any)) return (Group){0, 0, 0, 0xFFFF, 0};
  if (_mm256_testc_si256(_mm256_and_si256(low, high), one)) return (Group){~(uint64_t)0, 0, 0xFFFF, 0, 64 * 255};
  __m256i first = _mm256_set1_epi8(13), span = _mm256_set1_epi8((char)(242 - 13));
  __m256i softLow = _mm256_sub_epi8(low, first), softHigh = _mm256_sub_epi8(high, first);
  __m256i sums = _mm256_add_epi64(_mm256_sad_epu8(low, zero), _mm256_sad_epu8(high, zero));
  return (Group){
      rtk_byte_masks(low, high),
      rtk_byte_masks(
          _mm256_cmpeq_epi8(_mm256_min_epu8(softLow, span), softLow),
          _mm256_cmpeq_epi8(_mm256_min_epu8(softHigh, span), softHigh)),
      unlike(low, high, zero), unlike(low, high, one),
      (uint64_t)rtk_sum(sums)};
}
#endif

RTK_BODY Group look_at_rest(const uint8_t *samples, int32_t count, LookAt lookAt) {
  uint8_t rest[64];
  uint8_t last = samples[count - 1];
  memset(rest, last, sizeof rest);
  memcpy(rest, samples, (size_t)count);
  Group group = lookAt(rest);
  uint64_t pixels = ((uint64_t)1 << count) - 1, quads = ((uint64_t)1 << rtk_quad_count(count)) - 1;
  group.person &= pixels;
  group.soft &= pixels;
  group.area -= (uint64_t)(64 - count) * last;
  group.notZero &= quads;
  group.notOne &= quads;
  return group;
}

RTK_BODY void matte_features(int32_t width, int32_t height, RTKMatteFeatures *features, LookAt lookAt) {
  ptrdiff_t stride = rtk_bit_stride(width), quadStride = rtk_bit_stride(rtk_quad_count(width));
  uint64_t area = 0, soft = 0, persons = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *in = features->samples + (size_t)y * (size_t)width;
    uint64_t *person = features->person + y * stride;
    uint64_t *notZero = features->notZero + y * quadStride, *notOne = features->notOne + y * quadStride;
    uint64_t wordNotZero = 0, wordNotOne = 0;
    for (int32_t x = 0, w = 0; x < width; x += 64, w++) {
      int32_t left = width - x, shift = 16 * (w % 4);
      Group group = left >= 64 ? lookAt(in + x) : look_at_rest(in + x, left, lookAt);
      person[w] = group.person;
      area += group.area;
      soft += (uint64_t)__builtin_popcountll(group.soft);
      persons += (uint64_t)__builtin_popcountll(group.person);
      wordNotZero |= group.notZero << shift;
      wordNotOne |= group.notOne << shift;
      if (w % 4 == 3 || left <= 64) {
        notZero[w / 4] = wordNotZero;
        notOne[w / 4] = wordNotOne;
        wordNotZero = wordNotOne = 0;
      }
    }
  }
  features->areaSteps = (int64_t)area;
  features->softCount = (int64_t)soft;
  features->personCount = (int64_t)persons;
}

RTK_DISPATCH(
    matte_features, (width, height, features), (int32_t width, int32_t height, RTKMatteFeatures *features),
    matte_features(width, height, features, look_at), matte_features(width, height, features, look_at_avx2))

RTK_BODY void join_rows(
    const uint64_t *plane, ptrdiff_t stride, int32_t from, int32_t to, ptrdiff_t w, Lanes64 *joined) {
  Lanes64 all = RTK_LOAD(Lanes64, plane + from * stride + w);
  for (int32_t row = from + 1; row <= to; row++) all |= RTK_LOAD(Lanes64, plane + row * stride + w);
  *joined = all;
}

/// Spreads bits by one column each way, across vector boundaries.
RTK_BODY void join_sides(const Lanes64 *before, const Lanes64 *here, const Lanes64 *next, Lanes64 *joined) {
  Lanes64 lower = __builtin_shufflevector(*before, *here, 3, 4, 5, 6);
  Lanes64 higher = __builtin_shufflevector(*here, *next, 1, 2, 3, 4);
  *joined = *here | *here << 1 | *here >> 1 | lower >> 63 | higher << 63;
}

RTK_BODY void busy_within(
    const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width, int32_t height, int32_t radius) {
  int32_t quads = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(quads), words = (quads + 63) / 64;
  uint64_t last = quads % 64 == 0 ? ~(uint64_t)0 : ((uint64_t)1 << quads % 64) - 1;
  for (int32_t y = 0; y < height; y++) {
    int32_t from = y < radius ? 0 : y - radius, to = y + radius >= height ? height - 1 : y + radius;
    if (y >= radius && y + radius < height) {
      from = y - radius;
      to = from + 2 * radius;
    }
    Lanes64 beforeZero = {0}, beforeOne = {0}, zero, one, nextZero, nextOne, isZero, isOne;
    join_rows(notZero, stride, from, to, 0, &zero);
    join_rows(notOne, stride, from, to, 0, &one);
    for (ptrdiff_t w = 0; w < stride; w += 4) {
      nextZero = nextOne = (Lanes64){0};
      if (w + 4 < stride) {
        join_rows(notZero, stride, from, to, w + 4, &nextZero);
        join_rows(notOne, stride, from, to, w + 4, &nextOne);
      }
      join_sides(&beforeZero, &zero, &nextZero, &isZero);
      join_sides(&beforeOne, &one, &nextOne, &isOne);
      RTK_STORE(busy + y * stride + w, isZero & isOne);
      beforeZero = zero;
      beforeOne = one;
      zero = nextZero;
      one = nextOne;
    }
    busy[y * stride + words - 1] &= last;
    // The last quad may have spread into the next word.
    busy[y * stride + words] = 0;
  }
}

RTK_BODY void busy_quads(
    const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width, int32_t height, int32_t radius) {
  // Constant radii give loops of known length.
  switch (radius) {
    case 1: busy_within(notZero, notOne, busy, width, height, 1); break;
    case 4: busy_within(notZero, notOne, busy, width, height, 4); break;
    default: busy_within(notZero, notOne, busy, width, height, radius); break;
  }
}

RTK_DEFINE(
    busy_quads,
    (const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width, int32_t height, int32_t radius),
    (notZero, notOne, busy, width, height, radius))
