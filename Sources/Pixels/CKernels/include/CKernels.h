// Kernels for pixels and codecs that need more of a processor than every processor has.
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
  /// A blurred row is kept as high * 2^11 + low.
  RTKLowBits = 11,
  /// One, of matte samples: 64 steps for each of the 255 of a finished matte.
  RTKMatteOne = 255 * 64,
  /// One, of the weights that scale a matte.
  RTKWeightOne = 1 << 14,
};

/// What a block of a row holds.
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
  /// Along x: taps on each side of the middle one.
  int32_t radius;
  /// Along x: 2 * radius sums of the weights from the left, in units of 1 / RTKBlurOne: a step's answer.
  const uint32_t *steps;
  /// Along y: 2 * pairCount taps from the middle outwards; the middle one, which is met from both sides, is halved. The
  /// first 2 * innerPairCount are in units of 2^-innerBits, 15 to 18, and the others in units of 2^-24.
  const int16_t *taps;
  /// What the inner taps are less than they should be, in units of 2^-24.
  const int16_t *rests;
  int32_t pairCount;
  int32_t innerPairCount;
  int32_t innerBits;
} RTKBlur;

/// What a blurred mask's values become: one side of the blur or both, then a curve.
typedef struct {
  /// Twice the matte samples by octave of the blurred value, of 1 << curveBits cells each: at the start of a cell, and the
  /// difference at the next one's. One more cell holds the end.
  const int16_t *curve;
  int32_t curveBits;
  /// Before the curve: min(max(value * gain, bias) - bias, RTKBlurOne). 1 and 0 change nothing.
  uint32_t gain;
  uint32_t bias;
} RTKBend;

/// Bytes of scratch memory, aligned to 64, for each thread.
size_t rtk_blur_scratch(const RTKBlur *blur);

/// Rows `first` ... `first + count - 1` of the blurred mask.
/// - values: of the whole image, in units of 1 / RTKBlurOne; rows of `RTKBlockWidth * blockCount`.
/// - blocks: `blockCount` a row. What they say must be true before as well: what is all zero, or one, and stays so, is not written
///   again.
void rtk_blur(
    RTKProcessor processor, const RTKBlur *blur, const uint8_t *mask, uint32_t *values, uint8_t *blocks, int32_t first,
    int32_t count, void *scratch);

/// Rows `first` ... `first + count - 1` of what `rtk_blur` gave, to matte samples.
/// - samples, blocks: as its values and blocks are.
void rtk_bend(
    RTKProcessor processor, const RTKBend *bend, const uint32_t *values, const uint8_t *valueBlocks, int16_t *samples,
    uint8_t *blocks, int32_t width, int32_t first, int32_t count);

/// Both at once, for a blur that is bent one way alone.
void rtk_blur_bend(
    RTKProcessor processor, const RTKBlur *blur, const RTKBend *bend, const uint8_t *mask, int16_t *samples,
    uint8_t *blocks, int32_t first, int32_t count, void *scratch);

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

/// What YUV means, in 65536ths: `ColorMatrix` in Swift, where the formula stands.
typedef struct {
  int32_t luma;
  int32_t redOfV;
  int32_t greenOfU;
  int32_t greenOfV;
  int32_t blueOfU;
  int32_t offset;
} RTKColorMatrix;

/// A row of Y0 U Y1 V to packed RGB24. An odd last pixel has a pair of its own.
void rtk_rgb_of_yuyv(
    RTKProcessor processor, const RTKColorMatrix *matrix, const uint8_t *row, uint8_t *out, int32_t width);

/// A row of luma, and the row of U V that it shares with another. Both are padded to an even length.
void rtk_rgb_of_nv12(
    RTKProcessor processor, const RTKColorMatrix *matrix, const uint8_t *luma, const uint8_t *chroma, uint8_t *out,
    int32_t width);

/// A row of a mosaic, and those above and below.
/// - isRedRow: red lies in it, rather than blue.
/// - isOwnOdd: the one that lies in it does so in odd columns.
void rtk_rgb_of_bayer(
    RTKProcessor processor, const uint8_t *up, const uint8_t *row, const uint8_t *down, uint8_t *out, int32_t width,
    int32_t isRedRow, int32_t isOwnOdd);

#include "CKernelsDepth.h"
#include "CKernelsMatte.h"
#include "CKernelsEffects.h"
#include "CKernelsScores.h"

#endif
