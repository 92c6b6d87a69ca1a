// Converts blurred mask values to matte samples: feathering to one side, then a curve.
#ifndef RETAKE_BEND_H
#define RETAKE_BEND_H

#include "lanes.h"

/// Rows to prefetch ahead: they are too far apart for the hardware's prefetcher.
enum { ROWS_AHEAD = 2 };

/// Keeps one side of the outline's blur; the result is clamped to 0 ... RTKBlurOne.
RTK_BODY uint32_t feathered(const RTKBend *bend, uint32_t value) {
  value *= bend->gain;
  value = (value > bend->bias ? value : bend->bias) - bend->bias;
  return value < RTKBlurOne ? value : RTKBlurOne;
}

/// Interpolates the curve linearly within the value's cell; the place in the cell has 14 bits.
RTK_BODY int32_t curve_value(const RTKBend *bend, uint32_t value) {
  if (value == 0) return 0;
  int32_t bits = bend->curveBits, octave = 31 - __builtin_clz(value);
  // Mantissa bits below the leading 1, aligned to bit 22.
  uint32_t mantissa = (octave == 24 ? 0 : value << (23 - octave)) & 0x7FFFFF;
  int32_t cell = (octave << bits) + (int32_t)(mantissa >> (23 - bits));
  int32_t place = (int32_t)(mantissa << (bits + 7) >> 16 & 0x3FFF);
  const int16_t *pair = bend->curve + 2 * cell;
  return (pair[0] * (1 << 14) + pair[1] * place + (1 << 14)) >> 15;
}

RTK_BODY int16_t bent(const RTKBend *bend, uint32_t value) {
  return (int16_t)curve_value(bend, feathered(bend, value));
}

RTK_BODY void bend_block(const void *bend, const uint32_t *values, int16_t *samples) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) samples[i] = bent(bend, values[i]);
}

#if RTK_HAS_AVX2
/// Precomputed for all blocks. Shift counts are vectors, as scalar counts take two micro-ops.
typedef struct {
  const int *curve;
  __m256i cellShift, placeShift, firstCell;
  /// Used only if `isOneSided`.
  __m256i gain, bias;
  int isOneSided;
} BendLanes;

RTK_AVX2_BODY BendLanes bend_lanes(const RTKBend *bend) {
  return (BendLanes){
      .curve = (const int *)bend->curve,
      .cellShift = _mm256_set1_epi32(23 - bend->curveBits),
      .placeShift = _mm256_set1_epi32(7 + bend->curveBits),
      .firstCell = _mm256_set1_epi32(127 << bend->curveBits),
      .gain = _mm256_set1_epi32((int32_t)bend->gain),
      .bias = _mm256_set1_epi32((int32_t)bend->bias),
      .isOneSided = bend->gain != 1 || bend->bias != 0,
  };
}

RTK_AVX2_BODY __m256i feathered_avx2(const BendLanes *lanes, __m256i value) {
  if (lanes->isOneSided) {
    value = _mm256_mullo_epi32(value, lanes->gain);
    value = _mm256_sub_epi32(_mm256_max_epu32(value, lanes->bias), lanes->bias);
  }
  return _mm256_min_epu32(value, _mm256_set1_epi32(RTKBlurOne));
}

/// The pairs of eight cells. Loads by themselves take two thirds of a gather's time here, and where processors
/// that leak data through gathers are slowed down, far less.
RTK_AVX2_BODY __m256i pairs_at(const int *curve, __m256i cells) {
  __m128i low = _mm256_castsi256_si128(cells), high = _mm256_extracti128_si256(cells, 1);
  uint64_t a = (uint64_t)_mm_cvtsi128_si64(low), b = (uint64_t)_mm_extract_epi64(low, 1);
  uint64_t c = (uint64_t)_mm_cvtsi128_si64(high), d = (uint64_t)_mm_extract_epi64(high, 1);
  return _mm256_setr_epi32(
      curve[(uint32_t)a], curve[a >> 32], curve[(uint32_t)b], curve[b >> 32], curve[(uint32_t)c], curve[c >> 32],
      curve[(uint32_t)d], curve[d >> 32]);
}

/// A value up to 2^24 converts to float exactly. Exponent and top mantissa bits are the cell; the
/// next 14 bits are the place in it.
RTK_AVX2_BODY __m256i curve_avx2(const BendLanes *lanes, __m256i value) {
  __m256i isZero = _mm256_cmpeq_epi32(value, _mm256_setzero_si256());
  // Zero has no octave: look up 1 instead and mask the result.
  __m256i bits = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_sub_epi32(value, isZero)));
  __m256i cell = _mm256_sub_epi32(_mm256_srlv_epi32(bits, lanes->cellShift), lanes->firstCell);
  __m256i pair = pairs_at(lanes->curve, cell);
  __m256i place = _mm256_and_si256(_mm256_sllv_epi32(bits, lanes->placeShift), _mm256_set1_epi32(0x3FFF0000));
  __m256i sum = _mm256_madd_epi16(pair, _mm256_or_si256(place, _mm256_set1_epi32(1 << 14)));
  sum = _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(1 << 14)), 15);
  return _mm256_andnot_si256(isZero, sum);
}

/// - first: columns 0 to 3 and 8 to 11 of a block. second: the others.
RTK_AVX2_BODY void bend_block_avx2(const BendLanes *lanes, __m256i first, __m256i second, int16_t *samples) {
  // Packing restores the column order.
  __m256i packed = _mm256_packus_epi32(
      curve_avx2(lanes, feathered_avx2(lanes, first)), curve_avx2(lanes, feathered_avx2(lanes, second)));
  _mm256_storeu_si256((__m256i *)samples, packed);
}

RTK_AVX2_BODY void bend_values_avx2(const void *lanes, const uint32_t *values, int16_t *samples) {
  __m256i left = _mm256_loadu_si256((const __m256i *)values), right = _mm256_loadu_si256((const __m256i *)(values + 8));
  bend_block_avx2(
      lanes, _mm256_permute2x128_si256(left, right, 0x20), _mm256_permute2x128_si256(left, right, 0x31), samples);
}
#endif

#endif
