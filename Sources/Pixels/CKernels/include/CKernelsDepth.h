// Kernels that prepare depth: millimetres in 16 bits, 0 = hole. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_DEPTH_H
#define RETAKE_CKERNELS_DEPTH_H

enum {
  /// Lines that the spatial filter runs along together.
  RTKDepthLanes = 32,
  /// One, of the filters' shares.
  RTKDepthOne = 1 << 12,
  /// Fractional bits of millimetres inside a filter.
  RTKDepthFraction = 8,
};

/// Depth made smaller by a whole factor.
typedef struct {
  int32_t width;
  int32_t height;
  /// 1 ... 8.
  int32_t factor;
  /// A sorting network for factor * factor numbers: pairs of positions, the first of which gets the smaller.
  const uint8_t *pairs;
  int32_t pairCount;
} RTKDecimation;

/// Rows `first` ... `first + count - 1` of the smaller plane, whose sides are the larger one's over the factor, rounded up.
/// Each pixel is the median of the block's pixels that are not 0, the lower one of an even number; 0 where all are.
void rtk_depth_decimate(
    RTKProcessor processor, const RTKDecimation *decimation, const uint16_t *depth, uint16_t *smaller, int32_t first,
    int32_t count);

/// Bytes of scratch memory, aligned to 64, for each thread of the spatial filter.
size_t rtk_depth_spatial_scratch(int32_t width, int32_t height);

/// Along rows, there and back: a pixel that differs from the filtered one before it by at most `delta` becomes
/// before + share * (pixel - before), in 1/256 mm. The result is rounded to nearest.
/// - share: 0 ... RTKDepthOne. delta: 0 ... 1000 mm.
/// - first, count: of blocks of RTKDepthLanes rows.
void rtk_depth_spatial_rows(
    RTKProcessor processor, uint16_t *depth, int32_t width, int32_t height, int32_t share, int32_t delta,
    int32_t first, int32_t count, void *scratch);

/// The same along columns, in blocks of RTKDepthLanes columns.
void rtk_depth_spatial_columns(
    RTKProcessor processor, uint16_t *depth, int32_t width, int32_t height, int32_t share, int32_t delta,
    int32_t first, int32_t count, void *scratch);

/// How pixels follow their past.
typedef struct {
  /// Of the new value, 0 ... RTKDepthOne, where it differs by at most `delta` mm, 0 ... 1000; a change that is larger
  /// is taken whole.
  int32_t share;
  int32_t delta;
  /// A hole shows the last value where, of the frames in `window` (the frame before is bit 0), at least so many had one:
  /// 0, 1, 2 or 8. More than 8: never.
  int32_t atLeast;
  uint8_t window;
} RTKDepthFollowing;

/// In place. last: 1/256 mm, 0 where there was none. history: of the eight frames before.
void rtk_depth_follow(
    RTKProcessor processor, const RTKDepthFollowing *following, uint16_t *depth, uint32_t *last, uint8_t *history,
    ptrdiff_t count);

/// Between the frames before and after: see `DepthInterpolation`.
void rtk_depth_interpolate(
    RTKProcessor processor, const uint16_t *before, const uint16_t *depth, const uint16_t *after, uint16_t delta,
    uint16_t *out, ptrdiff_t count);

/// For each pixel the farther of the nearest measured ones above and below it (itself, where it is measured); 0 for none.
/// - first, count: columns.
void rtk_depth_columns(
    RTKProcessor processor, const uint16_t *depth, uint16_t *found, int32_t width, int32_t height, int32_t first,
    int32_t count);

/// In place: a hole becomes the farthest of what was found along its column and of the nearest measured pixels of its row.
/// - count: rows.
void rtk_depth_fill(
    RTKProcessor processor, uint16_t *depth, const uint16_t *found, int32_t width, int32_t count);

enum {
  /// In `RTKSplat.steps`: a distance that is laid down nowhere.
  RTKSplatNowhere = 0xffffffffu,
};

/// Where a depth pixel goes over a piece of distances: start + step * (slope + step * bend), in 1/256 pixels, for a step
/// of 0 ... 1 in 1/65536.
typedef struct {
  int32_t x, slopeX, bendX;
  int32_t y, slopeY, bendY;
  /// Millimetres that the other camera measures for one of this pixel, in 1/65536; 0: the pixel goes nowhere.
  int32_t scale;
} RTKSplatPlace;

/// Depth of one camera as another sees it.
typedef struct {
  /// Of the target plane, and the rows of it that are written.
  int32_t width, firstRow, lastRow;
  /// How far from its middle a pixel reaches, in 1/256 pixels of the target.
  int32_t reach;
  /// Of the camera towards the scene, in 1/65536 mm.
  int64_t shift;
  /// By millimetres: piece << 17 | step, or RTKSplatNowhere. 65536 of them.
  const uint32_t *steps;
  /// Piece after piece, `placeCount` each.
  const RTKSplatPlace *places;
  ptrdiff_t placeCount;
} RTKSplat;

/// Lays `count` depth pixels down, the first of which is that of `firstPlace`; the nearest stays. One thread a target.
void rtk_depth_splat(
    const RTKSplat *splat, const uint16_t *depth, ptrdiff_t firstPlace, int32_t count, uint16_t *target);

enum {
  /// Of the sum of eight uniform 16-bit numbers.
  RTKBellMean = 4 * 65535,
  /// Bits of a spread after the point.
  RTKSpreadFraction = 29,
};

/// Bell-shaped noise that depends on a key and a pixel's place alone.
typedef struct {
  uint64_t key;
  /// By sample: by how much 1 of the sum of eight uniform 16-bit numbers moves it, in 2^-29; 0 for what stays as it is.
  const uint32_t *spread;
  /// Those of a sample that count.
  uint16_t bits;
  /// What moves stays within.
  uint16_t lowest, highest;
} RTKDepthNoise;

void rtk_depth_noise(
    RTKProcessor processor, const RTKDepthNoise *noise, const uint16_t *depth, uint16_t *out, ptrdiff_t count);

#endif
