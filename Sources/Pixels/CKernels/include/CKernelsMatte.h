// Matte kernels: morphology, temporal smoothing, guided filter. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_MATTE_H
#define RETAKE_CKERNELS_MATTE_H

#include <stddef.h>
#include <stdint.h>

/// A disc for dilation and erosion of an 8-bit mask. Pixels outside the mask are ignored.
typedef struct {
  int32_t width;
  int32_t height;
  int32_t radius;
  /// radius + 1 entries: half-width of the disc's row at each distance from the middle row.
  const int32_t *reach;
} RTKDisc;

size_t rtk_disc_scratch(const RTKDisc *disc);

/// Dilates (flip = 0) or erodes (flip = 255).
void rtk_disc_extreme(
    RTKProcessor processor, const RTKDisc *disc, uint8_t flip, const uint8_t *mask, uint8_t *out, int32_t first,
    int32_t count, void *scratch);

size_t rtk_disc_bits_scratch(const RTKDisc *disc);

/// The same of a mask of two values: samples from 128 on count as 255, others as 0.
/// - disc: of a radius up to 1000.
void rtk_disc_bits(
    RTKProcessor processor, const RTKDisc *disc, uint8_t flip, const uint8_t *mask, uint8_t *out, int32_t first,
    int32_t count, void *scratch);

/// Smooths over time, in quarters of a matte sample: new + (old - new) * weight / 2^16, rounded
/// towards new.
/// - weight: below 2^16.
/// - old: the previous result in quarters of a sample, in whole blocks; it is replaced.
void rtk_smooth_samples(
    RTKProcessor processor, const int16_t *samples, uint32_t weight, uint16_t *old, int16_t *out, uint8_t *blocks,
    ptrdiff_t blockCount);

/// Smooths with a weight for each value of the new sample; 0 and RTKMatteOne have weight 0.
/// - sampleBlocks: what the blocks of `samples` hold.
void rtk_smooth_unsure_samples(
    RTKProcessor processor, const int16_t *samples, const uint8_t *sampleBlocks, const uint16_t *weights,
    uint16_t *old, int16_t *out, uint8_t *blocks, ptrdiff_t blockCount);

enum {
  /// White in grey samples.
  RTKGreyOne = 255 * 128,
  /// 1.0 in the guided filter's coefficients, before their means are taken.
  RTKGuideOne = 1 << 14,
};

/// Grey samples: 38 * R + 75 * G + 15 * B, exact.
void rtk_grey(RTKProcessor processor, const uint8_t *rgb, int16_t *grey, ptrdiff_t count);

/// Resizes grey samples with `columnTaps` by `rowTaps` weights.
typedef struct {
  int32_t sourceWidth;
  int32_t sourceHeight;
  int32_t targetWidth;
  int32_t targetHeight;
  /// Taps per target pixel. columnTaps is a multiple of four.
  int32_t columnTaps;
  int32_t rowTaps;
  /// First source sample of each target pixel. `columns` is padded to whole blocks with its last.
  const int32_t *columns;
  const int32_t *rows;
  /// The weights of each target pixel add up to RTKWeightOne.
  const int16_t *columnWeights;
  const int16_t *rowWeights;
} RTKReduction;

size_t rtk_reduce_scratch(const RTKReduction *reduction);

/// (sum of weight * sample + 2^13) >> 14 along y, then along x. `out` has rows of whole blocks.
void rtk_reduce_grey(
    RTKProcessor processor, const RTKReduction *reduction, const int16_t *grey, int16_t *out, int32_t first,
    int32_t count, void *scratch);

/// Content of all windows round a block's pixels; 0 or 1.0 if every block they touch is.
enum { RTKWindowZero = 1, RTKWindowOne = 2, RTKWindowMixed = 3 };

/// Combines the content of all blocks within `radius` pixels.
/// - blocks: RTKBlock... values, or RTKWindow... values if `isWindows`.
void rtk_spread_blocks(
    const uint8_t *blocks, int32_t isWindows, uint8_t *windows, int32_t blockCount, int32_t height, int32_t radius,
    int32_t first, int32_t count);

/// The guided filter's coefficients at the mask's size.
typedef struct {
  int32_t width;
  int32_t height;
  int32_t radius;
  /// Regularization: RTKGreyOne squared * epsilon.
  uint64_t epsilon;
  /// Fractional bits of the mean of a; the mean of b has one more.
  int32_t bits;
} RTKGuide;

size_t rtk_guide_scratch(const RTKGuide *guide);

/// Computes the coefficients a and b of the window round each pixel; b is the value at mid grey.
/// - grey, samples, windows: the whole image, rows of whole blocks.
/// - a, b: rows of whole blocks, 14 fractional bits.
void rtk_guide_coefficients(
    RTKProcessor processor, const RTKGuide *guide, const int16_t *grey, const int16_t *samples,
    const uint8_t *windows, int32_t *a, int32_t *b, int32_t first, int32_t count, void *scratch);

/// Averages a and b over the same windows.
/// - windows: content of each block's windows of windows.
/// - pairs: a and b interleaved, rows without padding.
void rtk_guide_means(
    RTKProcessor processor, const RTKGuide *guide, const int32_t *a, const int32_t *b, const uint8_t *windows,
    int16_t *pairs, int32_t first, int32_t count, void *scratch);

size_t rtk_guide_scratch_for_scale(const RTKScale *scale);

/// Scales the means bilinearly (the middle two of the four taps) and applies them to the video's
/// grey: (a * (grey - mid) + b * mid + 2^(bits + 6)) >> (bits + 7), clamped to 0 ... 255.
void rtk_guide_matte(
    RTKProcessor processor, const RTKGuide *guide, const RTKScale *scale, const int16_t *pairs,
    const uint8_t *windows, const int16_t *grey, uint8_t *matte, int32_t first, int32_t count, void *scratch);

#endif
