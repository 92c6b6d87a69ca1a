// Pixel kernels that need more of a processor than every processor has.
//
// Each function has a plain variant, which any compiler makes fast enough, and one for AVX2. Both give the same bits; so
// does the scalar reference in Swift, where the formula stands that they all compute.
#ifndef RETAKE_CKERNELS_H
#define RETAKE_CKERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "workers.h"

typedef enum {
  RTKProcessorPlain = 0,
  RTKProcessorAVX2 = 1,
} RTKProcessor;

/// The best variant that this machine can run.
RTKProcessor rtk_processor(void);

enum {
  /// Columns that are flat, or computed, together. Rows of matte samples are padded to a multiple of it.
  RTKBlockWidth = 16,
  /// One, of the blur's weights and results.
  RTKBlurOne = 1 << 24,
  /// One, of matte samples: 64 steps for each of the 255 of a finished matte.
  RTKMatteOne = 255 * 64,
  /// One, of the weights that scale a matte.
  RTKWeightOne = 1 << 14,
};

/// What a block of a row holds.
enum { RTKBlockZero = 0, RTKBlockOne = 1, RTKBlockMixed = 2 };

#include "CKernelsMask.h"

/// 255 where 0 < depth <= limit, else 0.
void rtk_mask_nearer(
    RTKProcessor processor, const uint16_t *depth, uint8_t *mask, ptrdiff_t count, uint16_t limit);

/// A Gaussian blur of an 8-bit mask, then a curve.
typedef struct {
  int32_t width;
  int32_t height;
  /// Taps on each side of the middle one.
  int32_t radius;
  /// From the middle outwards, radius + 1 of them; the sum over both sides is RTKBlurOne.
  const uint32_t *half;
  /// 2 * radius sums of the weights from the left: a step's answer.
  const uint32_t *steps;
  /// Matte samples by octave of the blurred value, of 1 << curveBits cells each; two more entries behind the last.
  const uint16_t *curve;
  int32_t curveBits;
} RTKBlur;

/// Bytes of scratch memory, aligned to 64, for each thread.
size_t rtk_blur_scratch(const RTKBlur *blur);

/// Rows `first` ... `first + count - 1` of the result.
/// - samples, blocks: of the whole image; rows of `RTKBlockWidth * blockCount` samples and of `blockCount` blocks.
void rtk_blur_curve(
    RTKProcessor processor, const RTKBlur *blur, const uint8_t *mask, int16_t *samples, uint8_t *blocks,
    int32_t first, int32_t count, void *scratch);

/// Scales matte samples to a finished matte with four taps along each side.
typedef struct {
  int32_t sourceWidth;
  int32_t sourceHeight;
  int32_t targetWidth;
  int32_t targetHeight;
  /// The first of the four taps of each column and row, -4 ... source's length; what lies outside repeats the edge. As
  /// many columns as the blocks of a row have.
  const int32_t *columns;
  const int32_t *rows;
  /// Four for each column and row; they add up to RTKWeightOne.
  const int16_t *columnWeights;
  const int16_t *rowWeights;
} RTKScale;

size_t rtk_scale_scratch(const RTKScale *scale);

/// Rows `first` ... `first + count - 1` of the matte, without padding.
void rtk_scale_matte(
    RTKProcessor processor, const RTKScale *scale, const int16_t *samples, const uint8_t *blocks, uint8_t *matte,
    int32_t first, int32_t count, void *scratch);

/// Matte samples that need no scaling: (sample + 32) >> 6.
void rtk_finish_matte(
    RTKProcessor processor, const int16_t *samples, const uint8_t *blocks, uint8_t *matte, int32_t width,
    int32_t first, int32_t count);

/// Foreground over background, three bytes a pixel: (m * f + (255 - m) * b) / 255, rounded to nearest.
void rtk_blend_rgb(
    RTKProcessor processor, const uint8_t *foreground, const uint8_t *background, const uint8_t *matte, uint8_t *out,
    ptrdiff_t count);

/// RGB, three bytes a pixel, to video in BT.601 and its limited range: one plane each of Y, Cb and Cr.
void rtk_rgb_to_planes(
    RTKProcessor processor, const uint8_t *rgb, uint8_t *y, uint8_t *u, uint8_t *v, ptrdiff_t count);

/// The same in rows of Y0 Cb Y1 Cr, with the chroma of two pixels' mean; the last pixel of an odd row is a pair with itself.
void rtk_rgb_to_yuyv(RTKProcessor processor, const uint8_t *rgb, uint8_t *out, int32_t width, int32_t height);

#include "DepthKernels.h"
#include "CKernelsEffects.h"

#endif
