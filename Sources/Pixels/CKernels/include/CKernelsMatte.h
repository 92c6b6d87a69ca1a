// Kernels that shape a matte besides blur, curve and scaling: morphology, smoothing over time, guided filter. Part of
// CKernels.h, which comes first.
#ifndef RETAKE_CKERNELS_MATTE_H
#define RETAKE_CKERNELS_MATTE_H

#include <stddef.h>
#include <stdint.h>

/// The largest or smallest sample under a disc, of an 8-bit mask. What lies outside the mask is not under it.
typedef struct {
  int32_t width;
  int32_t height;
  int32_t radius;
  /// radius + 1 of them: so far does the disc reach to each side, in the rows so far above and below its middle.
  const int32_t *reach;
} RTKDisc;

size_t rtk_disc_scratch(const RTKDisc *disc);

/// Rows `first` ... `first + count - 1`.
/// - flip: 0 for the largest, 255 for the smallest.
void rtk_disc_extreme(
    RTKProcessor processor, const RTKDisc *disc, uint8_t flip, const uint8_t *mask, uint8_t *out, int32_t first,
    int32_t count, void *scratch);

/// Matte samples in four times finer steps, mixed with those before: new + (old - new) * weight / 2^16, rounded towards
/// new.
/// - weight: below 2^16.
/// - old, out: of whole blocks, as samples and blocks are; old is replaced.
void rtk_smooth_samples(
    RTKProcessor processor, const int16_t *samples, uint32_t weight, uint16_t *old, int16_t *out, uint8_t *blocks,
    ptrdiff_t blockCount);

/// The same with a weight for each value of the new sample; those of 0 and RTKMatteOne are 0.
/// - sampleBlocks: what the blocks of `samples` hold.
void rtk_smooth_unsure_samples(
    RTKProcessor processor, const int16_t *samples, const uint8_t *sampleBlocks, const uint16_t *weights,
    uint16_t *old, int16_t *out, uint8_t *blocks, ptrdiff_t blockCount);

enum {
  /// White of grey samples: 255 * 128.
  RTKGreyOne = 255 * 128,
  /// One, of the guided filter's coefficients before their means are taken.
  RTKGuideOne = 1 << 14,
};

/// 38 * R + 75 * G + 15 * B, which is exact: grey samples.
void rtk_grey(RTKProcessor processor, const uint8_t *rgb, int16_t *grey, ptrdiff_t count);

/// Grey samples to another size: weighted sums of `columnTaps` by `rowTaps`.
typedef struct {
  int32_t sourceWidth;
  int32_t sourceHeight;
  int32_t targetWidth;
  int32_t targetHeight;
  /// For each side of a target pixel; columns' a multiple of four.
  int32_t columnTaps;
  int32_t rowTaps;
  /// The first source sample of each target pixel. Columns and their weights are padded to whole blocks with the last one.
  const int32_t *columns;
  const int32_t *rows;
  /// They add up to RTKWeightOne for each target pixel.
  const int16_t *columnWeights;
  const int16_t *rowWeights;
} RTKReduction;

size_t rtk_reduce_scratch(const RTKReduction *reduction);

/// Along y: (sum of weight * sample + 2^13) >> 14, then the same along x.
/// - out: rows of whole blocks.
void rtk_reduce_grey(
    RTKProcessor processor, const RTKReduction *reduction, const int16_t *grey, int16_t *out, int32_t first,
    int32_t count, void *scratch);

/// What windows hold: a block is RTKWindowZero or RTKWindowOne where all of the blocks that its windows touch are.
enum { RTKWindowZero = 1, RTKWindowOne = 2, RTKWindowMixed = 3 };

/// - windows: of blocks, as RTKWindow…; or where `isWindows`, of windows.
void rtk_spread_blocks(
    const uint8_t *blocks, int32_t isWindows, uint8_t *windows, int32_t blockCount, int32_t height, int32_t radius,
    int32_t first, int32_t count);

/// The guided filter's coefficients at the mask's size.
typedef struct {
  int32_t width;
  int32_t height;
  int32_t radius;
  /// RTKGreyOne squared * epsilon.
  uint64_t epsilon;
  /// Fractional bits of mean coefficients: so many of a, one more of b.
  int32_t bits;
} RTKGuide;

size_t rtk_guide_scratch(const RTKGuide *guide);

/// a and b of the windows round each pixel of rows `first` ... `first + count - 1`, b at mid grey.
/// - grey, samples, windows: of whole blocks, the whole image.
/// - a, b: of whole blocks, 14 fractional bits.
void rtk_guide_coefficients(
    RTKProcessor processor, const RTKGuide *guide, const int16_t *grey, const int16_t *samples,
    const uint8_t *windows, int32_t *a, int32_t *b, int32_t first, int32_t count, void *scratch);

/// Means of a and b over the same windows, a in even places and b in odd ones.
/// - windows: of windows.
/// - pairs: rows of twice the width, no padding.
void rtk_guide_means(
    RTKProcessor processor, const RTKGuide *guide, const int32_t *a, const int32_t *b, const uint8_t *windows,
    int16_t *pairs, int32_t first, int32_t count, void *scratch);

size_t rtk_guide_scratch_for_scale(const RTKScale *scale);

/// Means between the pixels (the middle two of the four taps), and with them a finished matte from the video's grey:
/// (a * (grey - mid) + b * mid + 2^(bits + 6)) >> (bits + 7), clamped to 0 ... 255.
void rtk_guide_matte(
    RTKProcessor processor, const RTKGuide *guide, const RTKScale *scale, const int16_t *pairs,
    const uint8_t *windows, const int16_t *grey, uint8_t *matte, int32_t first, int32_t count, void *scratch);

#endif
