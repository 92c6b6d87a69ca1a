// Kernels of the video and background effects. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_EFFECTS_H
#define RETAKE_CKERNELS_EFFECTS_H

/// Four 16-bit samples per pixel (red, green, blue, extra), 6 fractional bits: 0 ... 16320.
typedef struct {
  int16_t *samples;
  int32_t width;
  int32_t height;
  /// Samples from one row to the next: four per pixel, padded to a multiple of 32.
  int32_t stride;
} RTKSoftPlane;

/// Halves packed RGB, sides rounded up, with weights 1 3 3 1 each way and repeated edges. Exact;
/// the extra sample is 0. `width` and `height` are the source's. Scratch: `rtk_half_scratch`.
void rtk_half_rgb(
    RTKProcessor processor, const uint8_t *source, int32_t width, int32_t height, const RTKSoftPlane *half,
    int32_t first, int32_t count, void *scratch);
/// Halves a soft plane with the same weights: (sum + 4) >> 3 along y, then along x.
void rtk_half_soft(
    RTKProcessor processor, const RTKSoftPlane *source, const RTKSoftPlane *half, int32_t first, int32_t count,
    void *scratch);
/// Converts packed RGB to a soft plane; the extra sample is 0.
void rtk_soften_rgb(
    RTKProcessor processor, const uint8_t *source, const RTKSoftPlane *plane, int32_t first, int32_t count);
size_t rtk_half_scratch(int32_t sourceWidth);

enum { RTKMaximumTaps = 32 };

/// Half of a symmetric kernel: the middle weight, then `radius` more. The full sum is 65536.
typedef struct {
  int32_t radius;
  uint16_t half[RTKMaximumTaps];
} RTKSoftWeights;

/// Filters along x, edges repeated: floor(s0 * w0 / 2^16) + sum of floor((s-k + sk) * wk / 2^16)
/// + (radius + 1) / 2, which compensates for the truncation. Scratch: `rtk_weigh_scratch`.
void rtk_weigh_along(
    RTKProcessor processor, const RTKSoftWeights *weights, const RTKSoftPlane *source, const RTKSoftPlane *target,
    int32_t first, int32_t count, void *scratch);
size_t rtk_weigh_scratch(int32_t width);
void rtk_weigh_down(
    RTKProcessor processor, const RTKSoftWeights *weights, const RTKSoftPlane *source, const RTKSoftPlane *target,
    int32_t first, int32_t count);

/// A soft plane at 1 / scale of the video's size, to be interpolated between pixel centres.
typedef struct {
  RTKSoftPlane plane;
  /// 1, 2, 4, 8 or 16.
  int32_t scale;
} RTKSoftLevel;

/// A blur level that fades in over the next sharper one as the matte falls from `from` by `length`.
typedef struct {
  RTKSoftLevel soft;
  int16_t from;
  int16_t length;
  /// 32768 / length, rounded down.
  int16_t gain;
} RTKBlurLevel;

enum { RTKMaximumLevels = 6 };

/// A blur that grows as the matte fades.
typedef struct {
  int32_t width;
  int32_t levelCount;
  /// The strongest blur first.
  RTKBlurLevel levels[RTKMaximumLevels];
} RTKVariableBlur;

void rtk_variable_blur(
    RTKProcessor processor, const RTKVariableBlur *blur, const uint8_t *picture, const uint8_t *matte, uint8_t *out,
    int32_t first, int32_t count, void *scratch);
size_t rtk_variable_blur_scratch(const RTKVariableBlur *blur);

/// Adds the level's light in place: c + l * (1 - c), l = level * matte * amount / 32767.
void rtk_light_wrap(
    RTKProcessor processor, const RTKSoftLevel *level, int32_t amount, const uint8_t *matte, uint8_t *picture,
    int32_t width, int32_t first, int32_t count, void *scratch);
size_t rtk_light_wrap_scratch(const RTKSoftLevel *level);
/// Darkens packed RGB where the matte is: ((255 - m) * b + 127) / 255.
void rtk_fade_rgb(
    RTKProcessor processor, const uint8_t *picture, const uint8_t *matte, uint8_t *out, ptrdiff_t count);

/// Stores luma as the extra sample: 77/256 R + 150/256 G + 29/256 B, each rounded down.
void rtk_soft_luma(RTKProcessor processor, const RTKSoftPlane *plane, int32_t first, int32_t count);

typedef struct {
  /// Luma from one level to the next, of 16320.
  int16_t step;
  /// Factor by which the edge between two levels is steeper than the luma.
  int16_t steepness;
  /// Added share of a colour's distance from grey, of 32768.
  int16_t saturation;
  /// Ink begins where luma is this much below its surroundings, of 16320; the gain makes it opaque.
  int16_t inkThreshold;
  int16_t inkGain;
} RTKComicTone;

/// Posterizes the smoothed colours. The extra sample is the light that the ink leaves, 16383 = all.
void rtk_comic_tone(
    RTKProcessor processor, const RTKComicTone *tone, const RTKSoftPlane *fine, const RTKSoftPlane *smooth,
    const RTKSoftPlane *target, int32_t first, int32_t count);

typedef struct {
  int32_t width;
  RTKSoftLevel paper;
  /// Thresholds of the halftone screens: `period` rows of `period` + 16 pixels of four samples.
  const int16_t *screen;
  int32_t period;
  /// Steepness of a dot's edge, and the share of dots in the result, of 32768.
  int16_t dotGain;
  int16_t dotShare;
} RTKComicPrint;

/// - matte: blocks where it is all 255 may be left unwritten; NULL draws every block.
void rtk_comic_print(
    RTKProcessor processor, const RTKComicPrint *print, const uint8_t *matte, uint8_t *out, int32_t first,
    int32_t count, void *scratch);
size_t rtk_comic_print_scratch(const RTKComicPrint *print);

/// Sets green to 0.
void rtk_rosy(RTKProcessor processor, const uint8_t *source, uint8_t *out, ptrdiff_t count);

/// A 3 x 3 matrix and a bias, unit 1/4096 of a byte step.
typedef struct {
  int32_t weights[3][3];
  int32_t bias[3];
} RTKColorTransform;

/// (sum of weight * byte + bias + 2048) >> 12, clamped to 0 ... 255.
void rtk_color_matrix(
    RTKProcessor processor, const RTKColorTransform *matrix, const uint8_t *source, uint8_t *out, ptrdiff_t count);

/// Channel c (1 = green, 2 = blue): c - (amount * max(0, c - max of the other two) + 2^14) >> 15.
void rtk_despill(
    RTKProcessor processor, const uint8_t *source, uint8_t *out, ptrdiff_t count, int32_t channel, int32_t amount);

/// Mixes grey into packed RGB in place: (v * (2^14 - share) + grey * share + 2^13) >> 14.
void rtk_mix_grey(
    RTKProcessor processor, uint8_t *picture, const uint8_t *grey, int32_t share, ptrdiff_t count);

/// Extends `lowest` and `highest` by the values that are not 0.
void rtk_depth_range(
    RTKProcessor processor, const uint16_t *depth, ptrdiff_t count, uint16_t *lowest, uint16_t *highest);
/// ((d - lowest) * reciprocal + 2^15) >> 16; 0 where d <= lowest.
void rtk_depth_grey(
    RTKProcessor processor, const uint16_t *depth, int16_t *grey, ptrdiff_t count, uint16_t lowest,
    uint32_t reciprocal);

/// Composites in linear light: bytes to 16 bits by `toLight`, (m * f + (255 - m) * b + 127) / 255,
/// and back by `toByte`, which has 65536 entries.
void rtk_blend_light(
    RTKProcessor processor, const uint8_t *foreground, const uint8_t *background, const uint8_t *matte, uint8_t *out,
    ptrdiff_t count, const uint16_t *toLight, const uint8_t *toByte);

/// Source ranges and weights of a resampled row or column.
typedef struct {
  /// First source index of each target sample, and the number of taps.
  const int32_t *first;
  const int32_t *counts;
  /// Index of each target sample's first weight.
  const int32_t *offsets;
  /// The weights of each target sample add up to 65536.
  const uint32_t *weights;
} RTKResampling;

typedef struct {
  int32_t sourceWidth;
  int32_t width;
  int32_t height;
  RTKResampling columns;
  RTKResampling rows;
  /// Largest tap count of a row.
  int32_t rowTaps;
} RTKResample;

/// Resizes packed RGB: (sum + 128) >> 8 along x, then (sum + 2^23) >> 24 along y.
/// - out: first pixel of the target; rows are `outStride` bytes apart.
void rtk_resample_rgb(
    RTKProcessor processor, const RTKResample *resample, const uint8_t *source, uint8_t *out, ptrdiff_t outStride,
    int32_t first, int32_t count, void *scratch);
size_t rtk_resample_scratch(const RTKResample *resample);

#endif
