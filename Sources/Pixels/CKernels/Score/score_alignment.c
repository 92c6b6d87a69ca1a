#include "lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { STEP = 4 };

typedef double Doubles __attribute__((vector_size(32)));
typedef float Floats __attribute__((vector_size(16)));
typedef uint8_t Bytes4 __attribute__((vector_size(4)));
typedef int32_t Words4 __attribute__((vector_size(16)));

typedef struct {
  const uint8_t *here;
  const uint8_t *above;
  const uint8_t *below;
} Rows;

RTK_BODY Rows rows_at(const uint8_t *samples, int32_t width, int32_t height, int32_t y) {
  const uint8_t *here = samples + (size_t)y * (size_t)width;
  return (Rows){here, y == 0 ? here : here - width, y + 1 == height ? here : here + width};
}

RTK_BODY Words4 words(const uint8_t *samples) {
  return __builtin_convertvector(RTK_LOAD(Bytes4, samples), Words4);
}

RTK_BODY int32_t is_zero(Words4 four) {
  typedef uint64_t Halves __attribute__((vector_size(16)));
  Halves halves = (Halves)four;
  return (halves[0] | halves[1]) == 0;
}

RTK_BODY int32_t across(Rows rows, int32_t x, int32_t width) {
  return rows.here[rtk_clamped(x + 1, width - 1)] - rows.here[rtk_clamped(x - 1, width - 1)];
}

RTK_BODY int32_t down(Rows rows, int32_t x) { return rows.below[x] - rows.above[x]; }

/// What a row has given: |a . b| by lane, in 32 bits, which hold up to 16000 columns.
typedef struct {
  Words4 dots;
  Doubles lengths;
} Sums;

/// Four pixels; those beyond the width count nothing.
RTK_BODY void add_quad(Rows a, Rows b, int32_t x, int32_t width, Sums *sums) {
  Words4 ax = {0}, ay = {0}, bx = {0}, by = {0};
  if (x > 0 && x + STEP < width) {
    ax = words(a.here + x + 1) - words(a.here + x - 1);
    ay = words(a.below + x) - words(a.above + x);
    if (is_zero(ax | ay)) return;
    bx = words(b.here + x + 1) - words(b.here + x - 1);
    by = words(b.below + x) - words(b.above + x);
  } else {
    for (int32_t i = 0; i < STEP && x + i < width; i++) {
      ax[i] = across(a, x + i, width);
      ay[i] = down(a, x + i);
      bx[i] = across(b, x + i, width);
      by[i] = down(b, x + i);
    }
  }
  sums->dots += __builtin_elementwise_abs(ax * bx + ay * by);
  // Single precision holds both squares exactly.
  Floats squares =
      __builtin_convertvector(ax * ax + ay * ay, Floats) * __builtin_convertvector(bx * bx + by * by, Floats);
  sums->lengths += __builtin_convertvector(__builtin_elementwise_sqrt(squares), Doubles);
}

RTK_BODY uint64_t add_quads(Rows a, Rows b, int32_t x, uint64_t quads, int32_t width, Sums *sums) {
  add_quad(a, b, x, width, sums);
  return quads & (quads - 1);
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY __m256i gradients(Rows rows, int32_t x) {
  __m128i ahead = _mm_unpacklo_epi8(_mm_loadu_si64(rows.here + x + 1), _mm_loadu_si64(rows.below + x));
  __m128i back = _mm_unpacklo_epi8(_mm_loadu_si64(rows.here + x - 1), _mm_loadu_si64(rows.above + x));
  return _mm256_sub_epi16(_mm256_cvtepu8_epi16(ahead), _mm256_cvtepu8_epi16(back));
}

/// Two quads at once. One that is not busy adds zeroes, so that the sums have the same bits.
RTK_AVX2_BODY uint64_t add_quads_avx2(Rows a, Rows b, int32_t x, uint64_t quads, int32_t width, Sums *sums) {
  uint64_t first = quads & (0 - quads), second = first << 1;
  if (second == 0 || x == 0 || x + 2 * STEP >= width) return add_quads(a, b, x, quads, width, sums);
  __m256i ga = gradients(a, x), gb = gradients(b, x);
  __m256i dots = _mm256_abs_epi32(_mm256_madd_epi16(ga, gb));
  sums->dots += (Words4)_mm256_castsi256_si128(dots) + (Words4)_mm256_extracti128_si256(dots, 1);
  __m256 lengths = _mm256_sqrt_ps(_mm256_mul_ps(
      _mm256_cvtepi32_ps(_mm256_madd_epi16(ga, ga)), _mm256_cvtepi32_ps(_mm256_madd_epi16(gb, gb))));
  sums->lengths += (Doubles)_mm256_cvtps_pd(_mm256_castps256_ps128(lengths));
  sums->lengths += (Doubles)_mm256_cvtps_pd(_mm256_extractf128_ps(lengths, 1));
  return quads & ~(first | second);
}
#endif

/// Adds the first busy quad, and maybe the one after it. Returns the busy quads that are left.
typedef uint64_t (*AddQuads)(Rows, Rows, int32_t, uint64_t, int32_t, Sums *);

RTK_BODY void alignment(
    const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width, int32_t height,
    int64_t *aligned, double *all, AddQuads addQuads) {
  int32_t count = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(count), wordCount = (count + 63) / 64;
  int64_t sum = 0;
  Sums sums = {{0}, {0}};
  for (int32_t y = 0; y < height; y++) {
    sums.dots = (Words4){0};
    Rows a = rows_at(matte, width, height, y), b = rows_at(picture, width, height, y);
    for (ptrdiff_t w = 0; w < wordCount; w++) {
      for (uint64_t quads = busy[y * stride + w]; quads != 0;) {
        quads = addQuads(a, b, STEP * ((int32_t)(64 * w) + __builtin_ctzll(quads)), quads, width, &sums);
      }
    }
    sum += (int64_t)sums.dots[0] + sums.dots[1] + sums.dots[2] + sums.dots[3];
  }
  *aligned = sum;
  *all = (sums.lengths[0] + sums.lengths[1]) + (sums.lengths[2] + sums.lengths[3]);
}

RTK_DISPATCH(
    alignment, (matte, picture, busy, width, height, aligned, all),
    (const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width, int32_t height,
     int64_t *aligned, double *all),
    alignment(matte, picture, busy, width, height, aligned, all, add_quads),
    alignment(matte, picture, busy, width, height, aligned, all, add_quads_avx2))
