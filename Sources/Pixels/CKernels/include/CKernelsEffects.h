// Kernels of effects: what is done to the video, and what is put behind the person.
#ifndef RETAKE_CKERNELS_EFFECTS_H
#define RETAKE_CKERNELS_EFFECTS_H

/// A picture of four 16-bit samples a pixel, red, green, blue and one more, with six fractional bits: 0 ... 16320.
typedef struct {
  int16_t *samples;
  int32_t width;
  int32_t height;
  /// Samples from one row to the next: four for each pixel, and padding to a multiple of 32.
  int32_t stride;
} RTKSoftPlane;

/// A picture of half the size of one of packed RGB bytes, rounded up: weights 1 3 3 1 each way, edges repeated. Exact, the
/// fourth sample is 0. `width` and `height` are the source's. Scratch: `rtk_half_scratch`.
void rtk_half_rgb(
    RTKProcessor processor, const uint8_t *source, int32_t width, int32_t height, const RTKSoftPlane *half,
    int32_t first, int32_t count, void *scratch);
/// The same of a soft plane: (sum + 4) >> 3 down the columns, then so along the rows.
void rtk_half_soft(
    RTKProcessor processor, const RTKSoftPlane *source, const RTKSoftPlane *half, int32_t first, int32_t count,
    void *scratch);
/// Packed RGB bytes as a soft plane, whose fourth sample is 0.
void rtk_soften_rgb(
    RTKProcessor processor, const uint8_t *source, const RTKSoftPlane *plane, int32_t first, int32_t count);
size_t rtk_half_scratch(int32_t sourceWidth);

enum { RTKMaximumTaps = 32 };

/// Symmetric weights: the middle one, and `radius` more; the sum over both sides is 65536.
typedef struct {
  int32_t radius;
  uint16_t half[RTKMaximumTaps];
} RTKSoftWeights;

/// Along the rows, edges repeated: floor(s0 * w0 / 2^16) + the sum of floor((s-k + sk) * wk / 2^16) + (radius + 1) / 2,
/// which makes up for what was cut off. Scratch: `rtk_weigh_scratch`.
void rtk_weigh_along(
    RTKProcessor processor, const RTKSoftWeights *weights, const RTKSoftPlane *source, const RTKSoftPlane *target,
    int32_t first, int32_t count, void *scratch);
size_t rtk_weigh_scratch(int32_t width);
/// The same down the columns.
void rtk_weigh_down(
    RTKProcessor processor, const RTKSoftWeights *weights, const RTKSoftPlane *source, const RTKSoftPlane *target,
    int32_t first, int32_t count);

/// A soft plane at a fraction of the video's size, to be scaled up between its pixels' centres.
typedef struct {
  RTKSoftPlane plane;
  /// 1, 2, 4, 8 or 16.
  int32_t scale;
} RTKSoftLevel;

/// A level takes over from the less blurred one while the matte fades from `from` to `from - length`.
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
  /// The most blurred one first.
  RTKBlurLevel levels[RTKMaximumLevels];
} RTKVariableBlur;

void rtk_variable_blur(
    RTKProcessor processor, const RTKVariableBlur *blur, const uint8_t *picture, const uint8_t *matte, uint8_t *out,
    int32_t first, int32_t count, void *scratch);
size_t rtk_variable_blur_scratch(const RTKVariableBlur *blur);

/// Light of a level over a picture in place: c + l (1 - c), l = level * matte * amount.
/// - amount: of 32767.
void rtk_light_wrap(
    RTKProcessor processor, const RTKSoftLevel *level, int32_t amount, const uint8_t *matte, uint8_t *picture,
    int32_t width, int32_t first, int32_t count, void *scratch);
size_t rtk_light_wrap_scratch(const RTKSoftLevel *level);
/// ((255 - m) * b + 127) / 255 for three bytes a pixel.
void rtk_fade_rgb(
    RTKProcessor processor, const uint8_t *picture, const uint8_t *matte, uint8_t *out, ptrdiff_t count);

/// Luma as the fourth sample: 77/256, 150/256 and 29/256 of red, green and blue, each rounded down.
void rtk_soft_luma(RTKProcessor processor, const RTKSoftPlane *plane, int32_t first, int32_t count);

typedef struct {
  /// Of 16320.
  int16_t step;
  /// How many times steeper the middle of a step is.
  int16_t steepness;
  /// What is added to a colour's distance from grey, of 32768.
  int16_t saturation;
  /// How much darker than around it, of 16320, makes ink; and how fast it gets opaque.
  int16_t inkThreshold;
  int16_t inkGain;
} RTKComicTone;

/// Smoothed colours in steps, and as the fourth sample what ink leaves of light: 16383 = all.
void rtk_comic_tone(
    RTKProcessor processor, const RTKComicTone *tone, const RTKSoftPlane *fine, const RTKSoftPlane *smooth,
    const RTKSoftPlane *target, int32_t first, int32_t count);

typedef struct {
  int32_t width;
  RTKSoftLevel paper;
  /// `period` rows of `period` + 16 pixels of four samples: the screens' thresholds.
  const int16_t *screen;
  int32_t period;
  /// How steep a dot's edge is, and its share, of 32768.
  int16_t dotGain;
  int16_t dotShare;
} RTKComicPrint;

/// - matte: blocks where it is 255 may be left as they are; NULL for none.
void rtk_comic_print(
    RTKProcessor processor, const RTKComicPrint *print, const uint8_t *matte, uint8_t *out, int32_t first,
    int32_t count, void *scratch);
size_t rtk_comic_print_scratch(const RTKComicPrint *print);

/// Red and blue stay, green goes.
void rtk_rosy(RTKProcessor processor, const uint8_t *source, uint8_t *out, ptrdiff_t count);

/// Three rows of three weights and a bias in 1/4096 of a byte's step.
typedef struct {
  int32_t weights[3][3];
  int32_t bias[3];
} RTKColorTransform;

/// (sum of weight * byte + bias + 2048) >> 12, clamped.
void rtk_color_matrix(
    RTKProcessor processor, const RTKColorTransform *matrix, const uint8_t *source, uint8_t *out, ptrdiff_t count);

/// c - (amount * max(0, c - max of the other two) + 2^14) >> 15 for channel c: 1 = green, 2 = blue.
void rtk_despill(
    RTKProcessor processor, const uint8_t *source, uint8_t *out, ptrdiff_t count, int32_t channel, int32_t amount);

/// (v * (2^14 - share) + grey * share + 2^13) >> 14 for each byte of a picture in place.
void rtk_mix_grey(
    RTKProcessor processor, uint8_t *picture, const uint8_t *grey, int32_t share, ptrdiff_t count);

/// The smallest and the largest of values that are not 0, into what is there.
void rtk_depth_range(
    RTKProcessor processor, const uint16_t *depth, ptrdiff_t count, uint16_t *lowest, uint16_t *highest);
/// ((d - lowest) * reciprocal + 2^15) >> 16 for d >= lowest; 0 for 0.
void rtk_depth_grey(
    RTKProcessor processor, const uint16_t *depth, int16_t *grey, ptrdiff_t count, uint16_t lowest,
    uint32_t reciprocal);

/// Blends as amounts of light: bytes to 16 bits by `toLight`, (m * f + (255 - m) * b + 127) / 255, and back by `toByte` of
/// 65536 entries.
void rtk_blend_light(
    RTKProcessor processor, const uint8_t *foreground, const uint8_t *background, const uint8_t *matte, uint8_t *out,
    ptrdiff_t count, const uint16_t *toLight, const uint8_t *toByte);

/// Weighted sources of each place of a scaled line.
typedef struct {
  /// First source place of each, and how many.
  const int32_t *first;
  const int32_t *counts;
  /// Where each one's weights begin.
  const int32_t *offsets;
  /// They add up to 65536.
  const uint32_t *weights;
} RTKResampling;

typedef struct {
  int32_t sourceWidth;
  int32_t width;
  int32_t height;
  RTKResampling columns;
  RTKResampling rows;
  /// The most sources that a row has.
  int32_t rowTaps;
} RTKResample;

/// Packed RGB to another size: along x (sum + 128) >> 8, along y (sum + 2^23) >> 24.
/// - out: the first pixel of the target; its rows are `outStride` bytes apart.
void rtk_resample_rgb(
    RTKProcessor processor, const RTKResample *resample, const uint8_t *source, uint8_t *out, ptrdiff_t outStride,
    int32_t first, int32_t count, void *scratch);
size_t rtk_resample_scratch(const RTKResample *resample);

#endif
