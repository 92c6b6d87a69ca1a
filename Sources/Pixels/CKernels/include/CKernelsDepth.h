// Kernels that prepare depth: 16-bit millimetres, 0 = hole. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_DEPTH_H
#define RETAKE_CKERNELS_DEPTH_H

enum {
  /// Lines that the spatial filter processes in parallel.
  RTKDepthLanes = 32,
  /// 1.0 in the filters' `share`, the weight of the new value.
  RTKDepthOne = 1 << 12,
  /// Fractional bits of millimetres inside a filter.
  RTKDepthFraction = 8,
};

/// Reduces a depth map by an integer factor.
typedef struct {
  int32_t width;
  int32_t height;
  /// 1 ... 8.
  int32_t factor;
  /// A sorting network for factor * factor numbers: pairs (position of the lower, of the higher).
  const uint8_t *pairs;
  int32_t pairCount;
} RTKDecimation;

/// Writes rows of the reduced depth map, whose sides are ceil(side / factor).
/// Each pixel is the lower median of the non-zero pixels in its block, or 0 if all are holes.
void rtk_depth_decimate(
    RTKProcessor processor, const RTKDecimation *decimation, const uint16_t *depth, uint16_t *smaller, int32_t first,
    int32_t count);

size_t rtk_depth_spatial_scratch(int32_t width, int32_t height);

/// Filters rows recursively, left to right and back, in 1/256 mm. Where pixel and previous result
/// differ by at most `delta`, the result is previous + share * (pixel - previous), else the pixel.
/// Holes are kept and restart the filter.
/// - share: 0 ... RTKDepthOne. delta: 0 ... 1000 mm.
/// - first, count: blocks of RTKDepthLanes rows.
void rtk_depth_spatial_rows(
    RTKProcessor processor, uint16_t *depth, int32_t width, int32_t height, int32_t share, int32_t delta,
    int32_t first, int32_t count, void *scratch);

/// As `rtk_depth_spatial_rows`, but along columns, in blocks of RTKDepthLanes columns.
void rtk_depth_spatial_columns(
    RTKProcessor processor, uint16_t *depth, int32_t width, int32_t height, int32_t share, int32_t delta,
    int32_t first, int32_t count, void *scratch);

/// Parameters of the temporal filter.
typedef struct {
  /// Weight of the new value, 0 ... RTKDepthOne, where it differs from the filtered one by at most
  /// `delta` mm (0 ... 1000). A larger difference takes the new value.
  int32_t share;
  int32_t delta;
  /// A hole shows the last value if at least this many of the frames in `window` were measured:
  /// 0, 1, 2 or 8; more than 8 means never. Bit 0 of `window` is the previous frame.
  int32_t atLeast;
  uint8_t window;
} RTKDepthFollowing;

/// Filters in place. last: the filtered depth, 1/256 mm, 0 = none. history: one bit for each of
/// the last eight frames, set if the pixel was measured.
void rtk_depth_follow(
    RTKProcessor processor, const RTKDepthFollowing *following, uint16_t *depth, uint32_t *last, uint8_t *history,
    ptrdiff_t count);

/// Interpolates between the previous and the next frame; the rule is at `DepthInterpolation`.
void rtk_depth_interpolate(
    RTKProcessor processor, const uint16_t *before, const uint16_t *depth, const uint16_t *after, uint16_t delta,
    uint16_t *out, ptrdiff_t count);

/// Writes the larger of the nearest measured values above and below each pixel, itself included;
/// 0 if there is none. first, count: columns.
void rtk_depth_columns(
    RTKProcessor processor, const uint16_t *depth, uint16_t *found, int32_t width, int32_t height, int32_t first,
    int32_t count);

/// Fills holes in `count` rows with the largest of `found` and the row's nearest measured values.
void rtk_depth_fill(
    RTKProcessor processor, uint16_t *depth, const uint16_t *found, int32_t width, int32_t count);

enum {
  /// In `RTKSplat.steps`: depth that is not projected.
  RTKSplatNowhere = 0xffffffffu,
};

/// Target position of a depth pixel over one piece of the inverse-depth range, in 1/256 pixels:
/// start + step * (slope + step * bend), where step is 0 ... 1 in 1/65536.
typedef struct {
  int32_t x, slopeX, bendX;
  int32_t y, slopeY, bendY;
  /// Depth in the target camera per depth in the source camera, unit 1/65536; 0 skips the pixel.
  int32_t scale;
} RTKSplatPlace;

/// Projects the depth of one camera into the view of another.
typedef struct {
  /// Width of the target plane, and its first and last row that may be written.
  int32_t width, firstRow, lastRow;
  /// Half the side of a splatted pixel, in 1/256 target pixels.
  int32_t reach;
  /// Offset added to the target depth, in 1/65536 mm.
  int64_t shift;
  /// 65536 entries, indexed by millimetres: piece << 17 | step, or RTKSplatNowhere.
  const uint32_t *steps;
  /// `placeCount` places for each piece.
  const RTKSplatPlace *places;
  ptrdiff_t placeCount;
} RTKSplat;

/// Splats `count` depth pixels, starting with the pixel at `firstPlace`. The smallest depth wins.
/// Not safe for several threads on one target.
void rtk_depth_splat(
    const RTKSplat *splat, const uint16_t *depth, ptrdiff_t firstPlace, int32_t count, uint16_t *target);

enum {
  /// Mean of the sum of eight uniform 16-bit numbers.
  RTKBellMean = 4 * 65535,
  /// Fractional bits of `RTKDepthNoise.spread`.
  RTKSpreadFraction = 29,
};

/// Bell-shaped noise that depends only on a key and the pixel's position.
typedef struct {
  uint64_t key;
  /// By sample: noise per unit of the sum of eight uniform 16-bit numbers, unit 2^-29; 0 = none.
  const uint32_t *spread;
  /// Mask of the bits that are significant in a sample.
  uint16_t bits;
  /// Range to which noisy samples are clamped.
  uint16_t lowest, highest;
} RTKDepthNoise;

void rtk_depth_noise(
    RTKProcessor processor, const RTKDepthNoise *noise, const uint16_t *depth, uint16_t *out, ptrdiff_t count);

enum {
  /// Besides the sensor's noise: how much nearer a pixel is that has moved, and how much farther one that shows
  /// something new, in millimetres.
  RTKSeenNearer = 60,
  RTKSeenFarther = 30,
  /// In how many maps in a row a farther distance must be measured to count.
  RTKSeenConfirmations = 3,
};

typedef struct {
  /// The farthest confirmed distance decides these: below the first, depth is nearer; above the second, something new
  /// is seen. 0 and 0 until one is confirmed.
  uint16_t *near;
  uint16_t *far;
  /// A farther distance that is not confirmed yet, and in how many maps in a row it was measured.
  uint16_t *candidate;
  uint8_t *sightings;
  /// 255 where depth is nearer than what was seen before, else 0.
  uint8_t *isNearer;
  /// For each distance, how far the sensor may err, in millimetres.
  const uint16_t *noise;
} RTKSeenDepth;

typedef struct {
  /// Pixels with depth where some is confirmed; those of them that show something farther; pixels that are nearer.
  int32_t known;
  int32_t farther;
  int32_t nearer;
} RTKSeenTally;

/// Adds pixels of the next depth map.
void rtk_add_seen_depth(
    RTKProcessor processor, const RTKSeenDepth *seen, const uint16_t *depth, ptrdiff_t from, ptrdiff_t count,
    RTKSeenTally *tally);

#endif
