#include <stdbool.h>

#include "lanes.h"

// Prediction from left a, above b and above left c: a + b - clamp(c, min(a, b), max(a, b)).
//
// Each sample needs its left neighbour, so a row cannot be vectorized; a diagonal can. Lane k of a
// strip works on row k and, in step t, on column t - k. The sample above it is the result of lane
// k - 1 in the previous step, and the sample above left that of the step before. Each vector half
// holds one strip. The lower strip lags LagBlocks blocks behind, so the row above it is finished.

typedef uint8_t Bytes32 __attribute__((vector_size(32)));

enum { HalfBytes = 16, LagBlocks = 2 };

// MARK: Shuffles, each within halves

#define ZIP_LOW8(a, b)                                                                                                  \
  __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48, 17, 49, 18, 50, 19, 51, \
                          20, 52, 21, 53, 22, 54, 23, 55)
#define ZIP_HIGH8(a, b)                                                                                                 \
  __builtin_shufflevector(a, b, 8, 40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47, 24, 56, 25, 57, 26, 58,   \
                          27, 59, 28, 60, 29, 61, 30, 62, 31, 63)
#define ZIP_LOW16(a, b) \
  (Bytes32) __builtin_shufflevector((Words16)a, (Words16)b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25, 10, 26, 11, 27)
#define ZIP_HIGH16(a, b) \
  (Bytes32) __builtin_shufflevector((Words16)a, (Words16)b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29, 14, 30, 15, 31)

/// Moves every lane one up; lane 0 of each half becomes sample `s` of `up`.
#define SHIFTED8(left, up, s)                                                                                          \
  __builtin_shufflevector(left, up, 32 + s, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 48 + s, 16, 17, 18, 19,  \
                          20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define SHIFTED16(left, up, s) \
  __builtin_shufflevector(left, up, 16 + s, 0, 1, 2, 3, 4, 5, 6, 24 + s, 8, 9, 10, 11, 12, 13, 14)

/// One perfect shuffle. Repeated n times, it transposes a matrix of 2^n rows and columns.
#define SHUFFLE_ROUND(from, to, count, zipLow, zipHigh)         \
  for (int i_ = 0; i_ < (count) / 2; i_++) {                    \
    to[2 * i_] = zipLow(from[i_], from[i_ + (count) / 2]);      \
    to[2 * i_ + 1] = zipHigh(from[i_], from[i_ + (count) / 2]); \
  }

/// The rounds of a transposition after the first, in place.
RTK_BODY void shuffle_on(Bytes32 *block, int sampleBytes) {
  Bytes32 other[HalfBytes];
  if (sampleBytes == 1) {
    SHUFFLE_ROUND(block, other, 16, ZIP_LOW8, ZIP_HIGH8)
    SHUFFLE_ROUND(other, block, 16, ZIP_LOW8, ZIP_HIGH8)
    SHUFFLE_ROUND(block, other, 16, ZIP_LOW8, ZIP_HIGH8)
    for (int i = 0; i < 16; i++) block[i] = other[i];
  } else {
    SHUFFLE_ROUND(block, other, 8, ZIP_LOW16, ZIP_HIGH16)
    SHUFFLE_ROUND(other, block, 8, ZIP_LOW16, ZIP_HIGH16)
  }
}

RTK_BODY void transpose(Bytes32 *block, int sampleBytes) {
  Bytes32 other[HalfBytes];
  if (sampleBytes == 1) {
    SHUFFLE_ROUND(block, other, 16, ZIP_LOW8, ZIP_HIGH8)
  } else {
    SHUFFLE_ROUND(block, other, 8, ZIP_LOW16, ZIP_HIGH16)
  }
  for (int i = 0; i < HalfBytes / sampleBytes; i++) block[i] = other[i];
  shuffle_on(block, sampleBytes);
}

// MARK: Steps

#define STEP(Type, Unsigned, SHIFTED, s)                                                                            \
  {                                                                                                                 \
    const Type b_ = SHIFTED((Type)left, (Type)up, s);                                                               \
    const Type low_ = __builtin_elementwise_min((Type)left, b_), high_ = __builtin_elementwise_max((Type)left, b_); \
    const Type edge_ = __builtin_elementwise_min(__builtin_elementwise_max((Type)aboveLeft, low_), high_);          \
    left = (Bytes32)((Unsigned)left + (Unsigned)b_ + (Unsigned)block[s] - (Unsigned)edge_);                         \
    aboveLeft = (Bytes32)b_;                                                                                        \
    block[s] = left;                                                                                                \
  }
#define STEP8(s) STEP(Bytes32, Bytes32, SHIFTED8, (s))
#define STEP16(s) STEP(Words16, Lanes16, SHIFTED16, (s))

// MARK: Halves

/// One strip's block of columns. Lane k's columns begin k samples to the left of the block.
typedef struct {
  bool isThere;
  int32_t rows;
  const uint8_t *residuals;
  uint8_t *samples;
} Half;

/// Read by a half that has no block.
static uint8_t nothing[HalfBytes];

typedef struct {
  const uint8_t *residuals;
  uint8_t *plane;
  int32_t width, height;
  /// In bytes.
  ptrdiff_t stride;
  int sampleBytes;
} Plane;

RTK_BODY int32_t block_count(const Plane *plane, int32_t rows) {
  const int32_t side = HalfBytes / plane->sampleBytes;
  return rows <= 0 ? 0 : (plane->width + rows - 1 + side - 1) / side;
}

RTK_BODY Half half_at(const Plane *plane, int32_t top, int32_t block) {
  const int32_t side = HalfBytes / plane->sampleBytes, left = block * side;
  const int32_t rest = plane->height - top, rows = rest < side ? rest : side;
  if (block < 0 || block >= block_count(plane, rows)) return (Half){false, 0, nothing, nothing};
  return (Half){
      true, rows, plane->residuals + ((ptrdiff_t)top * plane->width + left) * plane->sampleBytes,
      plane->plane + top * plane->stride + left * plane->sampleBytes};
}

/// Lanes below the last row repeat it; their results are discarded.
RTK_BODY const uint8_t *lane_residuals(const Plane *plane, const Half *half, int lane) {
  if (!half->isThere) return nothing;
  const ptrdiff_t row = lane < half->rows ? lane : half->rows - 1;
  return half->residuals + (row * plane->width - lane) * plane->sampleBytes;
}

#define FROM_ZIGZAG(numbers) (Bytes32)(((Lanes16)numbers >> 1) ^ -((Lanes16)numbers & 1))

#define FROM_HALVES(upper, lower)                                                                                      \
  __builtin_shufflevector(                                                                                            \
      RTK_LOAD(Bytes16, upper), RTK_LOAD(Bytes16, lower), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, \
      18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)

/// Loads a block's residuals, transposed: vector s holds step s of every lane. The halves are
/// joined in registers: loading a vector just after storing its halves stalls on the store buffer.
RTK_BODY void load_halves(const Plane *plane, const Half *upper, const Half *lower, Bytes32 *block, int sampleBytes) {
  const int pairs = HalfBytes / sampleBytes / 2;
  for (int i = 0; i < pairs; i++) {
    Bytes32 a = FROM_HALVES(lane_residuals(plane, upper, i), lane_residuals(plane, lower, i));
    Bytes32 b = FROM_HALVES(lane_residuals(plane, upper, i + pairs), lane_residuals(plane, lower, i + pairs));
    if (sampleBytes == 1) {
      block[2 * i] = ZIP_LOW8(a, b);
      block[2 * i + 1] = ZIP_HIGH8(a, b);
    } else {
      a = FROM_ZIGZAG(a);
      b = FROM_ZIGZAG(b);
      block[2 * i] = ZIP_LOW16(a, b);
      block[2 * i + 1] = ZIP_HIGH16(a, b);
    }
  }
  shuffle_on(block, sampleBytes);
}

RTK_BODY void store_half(const Plane *plane, const Half *half, const Bytes32 *block, int number) {
  if (!half->isThere) return;
  uint8_t *target = half->samples;
  for (int lane = 0; lane < half->rows; lane++, target += plane->stride - plane->sampleBytes)
    memcpy(target, (const uint8_t *)&block[lane] + number * HalfBytes, HalfBytes);
}

/// Clears residuals left of the plane: in a strip's first block, lane k begins k columns early.
RTK_BODY void clear_before_first_column(Bytes32 *block, int number, int sampleBytes) {
  for (int step = 0; step < HalfBytes / sampleBytes; step++) {
    const int cleared = (step + 1) * sampleBytes;
    memset((uint8_t *)&block[step] + number * HalfBytes + cleared, 0, (size_t)(HalfBytes - cleared));
  }
}

RTK_BODY void decode_strips(const Plane *plane, int32_t top, int sampleBytes) {
  const int32_t side = HalfBytes / sampleBytes, below = top + side;
  const int32_t lowerCount = block_count(plane, plane->height - below < side ? plane->height - below : side);
  const int32_t upperCount = block_count(plane, plane->height - top < side ? plane->height - top : side);
  const int32_t turnCount = lowerCount > 0 ? lowerCount + LagBlocks : upperCount;
  Bytes32 left = {}, aboveLeft = {}, block[HalfBytes];
  for (int32_t turn = 0; turn < turnCount; turn++) {
    const Half upper = half_at(plane, top, turn), lower = half_at(plane, below, turn - LagBlocks);
    load_halves(plane, &upper, &lower, block, sampleBytes);
    if (turn == 0) clear_before_first_column(block, 0, sampleBytes);
    if (turn == LagBlocks) {
      clear_before_first_column(block, 1, sampleBytes);
      memset((uint8_t *)&left + HalfBytes, 0, HalfBytes);
      memset((uint8_t *)&aboveLeft + HalfBytes, 0, HalfBytes);
    }
    const Bytes32 up = FROM_HALVES(
        upper.isThere ? upper.samples - plane->stride : nothing, lower.isThere ? lower.samples - plane->stride : nothing);
    if (sampleBytes == 1) {
      STEP8(0) STEP8(1) STEP8(2) STEP8(3) STEP8(4) STEP8(5) STEP8(6) STEP8(7)
      STEP8(8) STEP8(9) STEP8(10) STEP8(11) STEP8(12) STEP8(13) STEP8(14) STEP8(15)
    } else {
      STEP16(0) STEP16(1) STEP16(2) STEP16(3) STEP16(4) STEP16(5) STEP16(6) STEP16(7)
    }
    transpose(block, sampleBytes);
    store_half(plane, &upper, block, 0);
    store_half(plane, &lower, block, 1);
  }
}

RTK_KERNEL(
    median_decode8, (residuals, samples, width, height, stride),
    const uint8_t *residuals, uint8_t *samples, int32_t width, int32_t height, ptrdiff_t stride) {
  const Plane plane = {residuals, samples, width, height, stride, 1};
  for (int32_t top = 0; top < height; top += 2 * HalfBytes) decode_strips(&plane, top, 1);
}

RTK_KERNEL(
    median_decode16, (residuals, samples, width, height, stride),
    const uint16_t *residuals, int16_t *samples, int32_t width, int32_t height, ptrdiff_t stride) {
  const Plane plane = {(const uint8_t *)residuals, (uint8_t *)samples, width, height, 2 * stride, 2};
  for (int32_t top = 0; top < height; top += HalfBytes) decode_strips(&plane, top, 2);
}
