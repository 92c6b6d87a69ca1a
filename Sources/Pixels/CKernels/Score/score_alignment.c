#include "lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { STEP = 4 };

typedef double Doubles __attribute__((vector_size(32)));
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

RTK_BODY void alignment(
    const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width, int32_t height,
    int64_t *aligned, double *all) {
  int32_t count = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(count), wordCount = (count + 63) / 64;
  int64_t sum = 0;
  Doubles lengths = {0};
  for (int32_t y = 0; y < height; y++) {
    // 32 bits hold the sum of a row of up to 16000 columns per lane.
    Words4 dots = {0};
    Rows a = rows_at(matte, width, height, y), b = rows_at(picture, width, height, y);
    for (ptrdiff_t w = 0; w < wordCount; w++) {
      for (uint64_t quads = busy[y * stride + w]; quads != 0; quads &= quads - 1) {
        int32_t x = STEP * ((int32_t)(64 * w) + __builtin_ctzll(quads));
        Words4 ax = {0}, ay = {0}, bx = {0}, by = {0};
        if (x > 0 && x + STEP < width) {
          ax = words(a.here + x + 1) - words(a.here + x - 1);
          ay = words(a.below + x) - words(a.above + x);
          if (is_zero(ax | ay)) continue;
          bx = words(b.here + x + 1) - words(b.here + x - 1);
          by = words(b.below + x) - words(b.above + x);
        } else {
          // Lanes beyond the width stay 0.
          for (int32_t i = 0; i < STEP && x + i < width; i++) {
            ax[i] = across(a, x + i, width);
            ay[i] = down(a, x + i);
            bx[i] = across(b, x + i, width);
            by[i] = down(b, x + i);
          }
        }
        dots += __builtin_elementwise_abs(ax * bx + ay * by);
        Doubles squares = __builtin_convertvector(ax * ax + ay * ay, Doubles) *
                          __builtin_convertvector(bx * bx + by * by, Doubles);
        lengths += __builtin_elementwise_sqrt(squares);
      }
    }
    sum += (int64_t)dots[0] + dots[1] + dots[2] + dots[3];
  }
  *aligned = sum;
  *all = (lengths[0] + lengths[1]) + (lengths[2] + lengths[3]);
}

RTK_DEFINE(
    alignment,
    (const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width, int32_t height,
     int64_t *aligned, double *all),
    (matte, picture, busy, width, height, aligned, all))
