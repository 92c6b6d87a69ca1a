#include "lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { STEP = 4, LANES = 8 };

typedef float Floats __attribute__((vector_size(16)));
typedef uint8_t Bytes4 __attribute__((vector_size(4)));
typedef int32_t Words4 __attribute__((vector_size(16)));
typedef int32_t Words8 __attribute__((vector_size(32)));

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

/// What a row has given: |a . b| and |a| |b| by lane, in 32 bits, which hold up to 66000 columns.
typedef struct {
  Words8 dots;
  Words8 lengths;
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
  Words4 dots = __builtin_elementwise_abs(ax * bx + ay * by), zero = {0};
  sums->dots += __builtin_shufflevector(dots, zero, 0, 1, 2, 3, 4, 5, 6, 7);
  // Single precision holds both squares exactly.
  Floats squares =
      __builtin_convertvector(ax * ax + ay * ay, Floats) * __builtin_convertvector(bx * bx + by * by, Floats);
  Words4 lengths = __builtin_convertvector(__builtin_elementwise_sqrt(squares) + .5f, Words4);
  sums->lengths += __builtin_shufflevector(lengths, zero, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Adds up to four quads from a place that is a multiple of 16 on: those that are marked, or more.
typedef void (*AddQuads)(Rows, Rows, int32_t, uint64_t, int32_t, Sums *);

RTK_BODY void add_quads(Rows a, Rows b, int32_t x, uint64_t quads, int32_t width, Sums *sums) {
  for (; quads != 0; quads &= quads - 1) add_quad(a, b, x + STEP * __builtin_ctzll(quads), width, sums);
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY __m256i wide(const uint8_t *samples) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)samples));
}

/// Gradients of sixteen pixels, along x and y in turn.
typedef struct {
  __m256i low;
  __m256i high;
} Gradients;

RTK_AVX2_BODY Gradients gradients(Rows rows, int32_t x) {
  __m256i along = _mm256_sub_epi16(wide(rows.here + x + 1), wide(rows.here + x - 1));
  __m256i down = _mm256_sub_epi16(wide(rows.below + x), wide(rows.above + x));
  return (Gradients){_mm256_unpacklo_epi16(along, down), _mm256_unpackhi_epi16(along, down)};
}

RTK_AVX2_BODY void add_gradients(__m256i a, __m256i b, Sums *sums) {
  __m256i dots = _mm256_abs_epi32(_mm256_madd_epi16(a, b));
  __m256 squares =
      _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_madd_epi16(a, a)), _mm256_cvtepi32_ps(_mm256_madd_epi16(b, b)));
  __m256i lengths = _mm256_cvttps_epi32(_mm256_add_ps(_mm256_sqrt_ps(squares), _mm256_set1_ps(.5f)));
  sums->dots = (Words8)_mm256_add_epi32((__m256i)sums->dots, dots);
  sums->lengths = (Words8)_mm256_add_epi32((__m256i)sums->lengths, lengths);
}

/// All four quads, since one that is not busy adds nothing.
RTK_AVX2_BODY void add_quads_avx2(Rows a, Rows b, int32_t x, uint64_t quads, int32_t width, Sums *sums) {
  if (x == 0 || x + 4 * STEP >= width) return add_quads(a, b, x, quads, width, sums);
  Gradients ga = gradients(a, x), gb = gradients(b, x);
  add_gradients(ga.low, gb.low, sums);
  add_gradients(ga.high, gb.high, sums);
}
#endif

RTK_BODY void alignment(
    const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width, int32_t height,
    int64_t *aligned, int64_t *all, AddQuads addQuads) {
  int32_t count = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(count), wordCount = (count + 63) / 64;
  *aligned = *all = 0;
  for (int32_t y = 0; y < height; y++) {
    Sums sums = {{0}, {0}};
    Rows a = rows_at(matte, width, height, y), b = rows_at(picture, width, height, y);
    for (ptrdiff_t w = 0; w < wordCount; w++) {
      uint64_t quads = busy[y * stride + w];
      while (quads != 0) {
        int32_t first = __builtin_ctzll(quads) / 4 * 4;
        addQuads(a, b, STEP * ((int32_t)(64 * w) + first), quads >> first & 0xF, width, &sums);
        quads &= ~((uint64_t)0xF << first);
      }
    }
    for (int32_t i = 0; i < LANES; i++) *aligned += sums.dots[i], *all += sums.lengths[i];
  }
}

RTK_DISPATCH(
    alignment, (matte, picture, busy, width, height, aligned, all),
    (const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width, int32_t height,
     int64_t *aligned, int64_t *all),
    alignment(matte, picture, busy, width, height, aligned, all, add_quads),
    alignment(matte, picture, busy, width, height, aligned, all, add_quads_avx2))
