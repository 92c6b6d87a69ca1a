// Pixel and codec kernels in C, each with a portable and an AVX2 variant.
//
// Both variants are bit-identical to the scalar reference in Swift, which documents the formula.
// Kernels that take `first` and `count` process rows `first` ... `first + count - 1` of an image.
#ifndef RETAKE_CKERNELS_H
#define RETAKE_CKERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "workers.h"

// Structs hold sizes and addresses. Whoever fills them in keeps the memory alive, and lets one thread at a time write a
// row, so Swift may pass them between threads.
#pragma clang attribute push(__attribute__((swift_attr("@Sendable"))), apply_to = record)

typedef enum {
  RTKProcessorPlain = 0,
  RTKProcessorAVX2 = 1,
} RTKProcessor;

/// The best variant that this machine can run.
RTKProcessor rtk_processor(void);

enum {
  /// Columns of a block. Rows of matte samples are padded to a multiple of it.
  RTKBlockWidth = 16,
  /// 1.0 in the blur's weights and results.
  RTKBlurOne = 1 << 24,
  /// A blurred value is split into high * 2^RTKLowBits + low.
  RTKLowBits = 11,
  /// 1.0 in matte samples: each of the 255 steps of a finished matte has 64 sub-steps.
  RTKMatteOne = 255 * 64,
  /// 1.0 in the weights that scale a matte.
  RTKWeightOne = 1 << 14,
};

/// Content of a block of a row: all 0, all 1.0, or anything else.
enum { RTKBlockZero = 0, RTKBlockOne = 1, RTKBlockMixed = 2 };

#include "CKernelsCodec.h"
#include "CKernelsMask.h"

/// 255 where 0 < depth <= limit, else 0.
void rtk_mask_nearer(
    RTKProcessor processor, const uint16_t *depth, uint8_t *mask, ptrdiff_t count, uint16_t limit);

/// A Gaussian blur of an 8-bit mask.
typedef struct {
  int32_t width;
  int32_t height;
  /// Along x: number of taps on each side of the middle tap.
  int32_t radius;
  /// Along x: the step response, 2 * radius running sums of the weights, unit 1 / RTKBlurOne.
  const uint32_t *steps;
  /// Along y: 2 * pairCount taps from the middle outwards; the middle tap counts twice, so it is
  /// halved. The first 2 * innerPairCount have unit 2^-innerBits (15 to 18), the others 2^-24.
  const int16_t *taps;
  /// Rounding error of each inner tap, unit 2^-24: exact tap minus stored tap.
  const int16_t *rests;
  int32_t pairCount;
  int32_t innerPairCount;
  int32_t innerBits;
} RTKBlur;

/// Converts a blurred mask to matte samples: keeps one side of the blur or both, then a curve.
typedef struct {
  /// Pairs (value at the cell's start, difference to the next cell), in doubled matte samples. Each
  /// octave of the blurred value has 1 << curveBits cells; one extra cell marks the end.
  const int16_t *curve;
  int32_t curveBits;
  /// Before the curve: min(max(value * gain, bias) - bias, RTKBlurOne). Identity: gain 1, bias 0.
  uint32_t gain;
  uint32_t bias;
} RTKBend;

/// Bytes of scratch memory per thread, aligned to 64.
size_t rtk_blur_scratch(const RTKBlur *blur);

/// - values: the whole image, unit 1 / RTKBlurOne, rows of `RTKBlockWidth * blockCount`.
/// - blocks: must describe `values` on entry: blocks that stay all 0 or all 1.0 are not rewritten.
void rtk_blur(
    RTKProcessor processor, const RTKBlur *blur, const uint8_t *mask, uint32_t *values, uint8_t *blocks, int32_t first,
    int32_t count, void *scratch);

/// Converts the result of `rtk_blur` to matte samples.
/// - samples, blocks: laid out as the values and blocks of `rtk_blur`, and also valid on entry.
void rtk_bend(
    RTKProcessor processor, const RTKBend *bend, const uint32_t *values, const uint8_t *valueBlocks, int16_t *samples,
    uint8_t *blocks, int32_t width, int32_t first, int32_t count);

/// `rtk_blur` and `rtk_bend` in one pass, for a blur that only one `RTKBend` uses.
void rtk_blur_bend(
    RTKProcessor processor, const RTKBlur *blur, const RTKBend *bend, const uint8_t *mask, int16_t *samples,
    uint8_t *blocks, int32_t first, int32_t count, void *scratch);

/// Scales matte samples to a finished matte, with four taps in each direction.
typedef struct {
  int32_t sourceWidth;
  int32_t sourceHeight;
  int32_t targetWidth;
  int32_t targetHeight;
  /// First of the four taps, -4 ... source length; edges repeat. `columns` fills whole blocks.
  const int32_t *columns;
  const int32_t *rows;
  /// Four weights per column and row; the four add up to RTKWeightOne.
  const int16_t *columnWeights;
  const int16_t *rowWeights;
} RTKScale;

size_t rtk_scale_scratch(const RTKScale *scale);

/// Writes the matte without row padding.
void rtk_scale_matte(
    RTKProcessor processor, const RTKScale *scale, const int16_t *samples, const uint8_t *blocks, uint8_t *matte,
    int32_t first, int32_t count, void *scratch);

/// Finishes matte samples that need no scaling: (sample + 32) >> 6.
void rtk_finish_matte(
    RTKProcessor processor, const int16_t *samples, const uint8_t *blocks, uint8_t *matte, int32_t width,
    int32_t first, int32_t count);

/// `rtk_bend` and `rtk_finish_matte` in one pass, for samples that nothing else uses.
void rtk_bend_matte(
    RTKProcessor processor, const RTKBend *bend, const uint32_t *values, const uint8_t *blocks, uint8_t *matte,
    int32_t width, int32_t first, int32_t count);

/// Composites packed RGB24: (m * f + (255 - m) * b) / 255, rounded to nearest.
void rtk_blend_rgb(
    RTKProcessor processor, const uint8_t *foreground, const uint8_t *background, const uint8_t *matte, uint8_t *out,
    ptrdiff_t count);

/// Converts RGB24 to planar BT.601 YCbCr 4:4:4, limited range.
void rtk_rgb_to_planes(
    RTKProcessor processor, const uint8_t *rgb, uint8_t *y, uint8_t *u, uint8_t *v, ptrdiff_t count);

/// Converts RGB24 to YUYV rows (Y0 Cb Y1 Cr), BT.601 limited range. Chroma is the mean of two
/// pixels; the last pixel of an odd row is paired with itself.
void rtk_rgb_to_yuyv(RTKProcessor processor, const uint8_t *rgb, uint8_t *out, int32_t width, int32_t height);

/// YUV to RGB coefficients, unit 1/65536; the formula is at `ColorMatrix` in Swift.
typedef struct {
  int32_t luma;
  int32_t redOfV;
  int32_t greenOfU;
  int32_t greenOfV;
  int32_t blueOfU;
  int32_t offset;
} RTKColorMatrix;

/// Converts a YUYV row to RGB24. An odd last pixel is stored as a whole pair.
void rtk_rgb_of_yuyv(
    RTKProcessor processor, const RTKColorMatrix *matrix, const uint8_t *row, uint8_t *out, int32_t width);

/// Converts a row of luma and its row of interleaved U V to RGB24. Both have an even length.
void rtk_rgb_of_nv12(
    RTKProcessor processor, const RTKColorMatrix *matrix, const uint8_t *luma, const uint8_t *chroma, uint8_t *out,
    int32_t width);

/// Demosaics one Bayer row to RGB24, bilinearly, using the rows above and below.
/// - isRedRow: the row holds red and green samples; otherwise blue and green.
/// - isOwnOdd: the row's red or blue samples lie in odd columns.
void rtk_rgb_of_bayer(
    RTKProcessor processor, const uint8_t *up, const uint8_t *row, const uint8_t *down, uint8_t *out, int32_t width,
    int32_t isRedRow, int32_t isOwnOdd);

#include "CKernelsDepth.h"
#include "CKernelsMatte.h"
#include "CKernelsRefine.h"
#include "CKernelsEffects.h"
#include "CKernelsScores.h"

#pragma clang attribute pop

#endif
