// Matte scores: bit planes, sums, regions, gradients and movement. Included by CKernels.h.
//
// A bit plane has `rtk_bit_stride(width)` words per row; pixel x is bit x % 64 of word x / 64. Bits
// beyond the width are 0, and at least one word of them ends each row. Four words of 0 precede the
// first row and follow the last. Planes are allocated as zeros; kernels keep the padding 0.
// A quad is four pixels of a row, x = 4q ... 4q + 3; a quad plane has one bit per quad.
#ifndef RETAKE_CKERNELS_SCORES_H
#define RETAKE_CKERNELS_SCORES_H

static inline ptrdiff_t rtk_bit_stride(int32_t width) { return ((ptrdiff_t)(width + 63) / 64 + 4) / 4 * 4; }

static inline int32_t rtk_quad_count(int32_t width) { return (width + 3) / 4; }

/// A matte, and what many scores use of it.
typedef struct {
  const uint8_t *samples;
  /// Bit plane of the pixels of 128 or more.
  uint64_t *person;
  /// Quad planes: quads not all 0, and quads not all 255. The last quad repeats the last pixel.
  uint64_t *notZero;
  uint64_t *notOne;
  int64_t areaSteps;
  /// Number of pixels from 13 to 242.
  int64_t softCount;
  int64_t personCount;
} RTKMatteFeatures;

/// Finds the features of `features->samples`.
void rtk_matte_features(RTKProcessor processor, int32_t width, int32_t height, RTKMatteFeatures *features);

/// A matte without the samples of its flat groups, those of 32 pixels of a row that are all 0 or all 255.
typedef struct {
  /// The other groups, one behind the other; 32 bytes for each.
  uint8_t *samples;
  uint64_t *notZero;
  uint64_t *notOne;
} RTKPackedMatte;

/// Bytes of samples that `rtk_pack_matte` needs.
ptrdiff_t rtk_packed_byte_count(const RTKMatteFeatures *matte, int32_t width, int32_t height);

void rtk_pack_matte(const RTKMatteFeatures *matte, int32_t width, int32_t height, RTKPackedMatte *packed);

/// Marks pixels that differ from the pixel to the right, below, or right below. Edges repeat.
void rtk_contour(
    RTKProcessor processor, const uint64_t *person, uint64_t *contour, int32_t width, int32_t height, int64_t *count);

size_t rtk_spread_scratch(int32_t width);

enum { RTKSpreadLimit = 1023 };

/// Dilates: marks pixels within `radius` (<= RTKSpreadLimit) of a set pixel, centre to centre.
void rtk_spread(
    RTKProcessor processor, const uint64_t *pixels, uint64_t *spread, int32_t width, int32_t height, int32_t radius,
    void *scratch);

enum { RTKNearLimit = 31 };

/// Counts pixels that have one of `others` within `radius` (<= RTKNearLimit). The same count as
/// `rtk_spread` and `rtk_count_both` give, but faster where the pixels are few.
void rtk_count_near(
    RTKProcessor processor, const uint64_t *pixels, const uint64_t *others, int32_t width, int32_t height,
    int32_t radius, int64_t *count);

/// Counts the pixels that are set in both planes.
void rtk_count_both(RTKProcessor processor, const uint64_t *a, const uint64_t *b, ptrdiff_t wordCount, int64_t *count);

/// Marks quads that have both, within `radius` rows and one quad: a quad not all 0, and a quad not
/// all 255. Elsewhere the matte is flat.
void rtk_busy_quads(
    RTKProcessor processor, const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width,
    int32_t height, int32_t radius);

/// Sums of |a - b| and (a - b)^2.
void rtk_differences(
    RTKProcessor processor, const RTKMatteFeatures *a, const RTKMatteFeatures *b, int32_t width, int32_t height,
    int64_t *absolute, int64_t *squared);

void rtk_absolute_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute);

/// Sum of ((a - before) - (b - bBefore))^2.
/// - mask: 255 where a pixel counts, otherwise 0; NULL for all.
void rtk_change_differences(
    RTKProcessor processor, const RTKMatteFeatures *a, const RTKPackedMatte *before, const RTKMatteFeatures *b,
    const RTKMatteFeatures *bBefore, const uint8_t *mask, int32_t width, int32_t height, int64_t *squared);

/// Sum of the samples in a rectangle whose rows are `stride` bytes apart.
void rtk_box_sum(
    RTKProcessor processor, const uint8_t *samples, ptrdiff_t stride, int32_t width, int32_t height, int64_t *sum);

/// Means of 4 x 4 pixels, halves rounded up; incomplete blocks at the edges are left out.
void rtk_reduce_by_four(
    RTKProcessor processor, const uint8_t *samples, uint8_t *reduced, int32_t width, int32_t height);

// A byte mask has 255 where a pixel counts, and 0 elsewhere.

/// Sum of the samples where the mask is 255.
void rtk_sum_within(
    RTKProcessor processor, const RTKMatteFeatures *matte, const uint8_t *mask, int32_t width, int32_t height,
    int64_t *sum);

/// Sum of |a - before| where the mask is 255.
void rtk_differences_within(
    RTKProcessor processor, const RTKMatteFeatures *a, const RTKPackedMatte *before, const uint8_t *mask,
    int32_t width, int32_t height, int64_t *absolute);

/// Copies the samples where the mask is 255; elsewhere the copy is 0. `kept` may be `samples`.
void rtk_keep_within(
    RTKProcessor processor, const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, uint8_t *kept);

/// Marks contour places that a left-out pixel could decide: pixels whose mask is 0, or that of the
/// pixel to the right, below, or right below.
void rtk_left_out_places(
    RTKProcessor processor, const uint8_t *mask, uint64_t *places, int32_t width, int32_t height);

/// Clears the pixels of another plane, and counts the rest.
void rtk_clear_bits(
    RTKProcessor processor, uint64_t *pixels, const uint64_t *cleared, ptrdiff_t wordCount, int64_t *count);

enum { RTKBrightnessCount = 8, RTKLeastChange = 54, RTKMostChange = 324, RTKChangePerMedian = 7 };

/// Change of a picture: for each pixel the sum over red, green and blue of |sum of the differences
/// in 3 x 3 pixels|, at most 6885; edges repeat. Noise of a standard deviation s in each channel
/// gives values of about 10 s.
/// - picture, before: packed RGB.
/// - scratch: 3 * (width + 2) numbers.
void rtk_picture_change(
    RTKProcessor processor, const uint8_t *picture, const uint8_t *before, int32_t width, int32_t height,
    uint16_t *change, int16_t *scratch);

/// Limits above which a change is movement and not noise, by brightness: green >> 5. Seven times
/// the median change of the pixels of that brightness, at most twice that of all pixels; of all,
/// where it has fewer than one pixel in 256; and between RTKLeastChange and RTKMostChange.
void rtk_change_limits(
    RTKProcessor processor, const uint16_t *change, const uint8_t *picture, ptrdiff_t count,
    int32_t limits[RTKBrightnessCount]);

/// Marks the pixels whose change is above the limit of their brightness.
void rtk_picture_moved(
    RTKProcessor processor, const uint16_t *change, const uint8_t *picture, const int32_t limits[RTKBrightnessCount],
    int32_t width, int32_t height, uint64_t *moved);

/// Also marks the pixels where |matte - before| is above `limit`.
void rtk_add_matte_moved(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *before, int32_t limit, int32_t width,
    int32_t height, uint64_t *moved);

enum { RTKDepthWindow = 2 };

/// Depth of two frames in millimetres, 0 where there is none.
typedef struct {
  const uint16_t *samples;
  const uint16_t *before;
  int32_t width;
  int32_t height;
} RTKDepthPair;

/// Marks pixels of a depth map with 255 where more than half of the 5 x 5 pixels round them jumped
/// by more than the limit of the larger distance; holes do not jump, nor do pixels beyond the edge.
/// - limits: 65536 numbers.
/// - scratch: 2 * width bytes.
void rtk_depth_moved(
    RTKProcessor processor, const RTKDepthPair *depth, const uint16_t *limits, uint8_t *moved, uint8_t *scratch);

/// Also marks the pixels of a picture whose place in `moved` is not 0.
/// - columns, rows: for each column and row of the picture its place in the depth map.
void rtk_add_depth_moved(
    RTKProcessor processor, const uint8_t *depthMoved, int32_t depthWidth, const int32_t *columns, const int32_t *rows,
    int32_t width, int32_t height, uint64_t *moved);

/// Makes a byte mask of the pixels that are not set.
/// - zeros: samples that must also be 0; NULL for none.
/// - within: a byte mask that further limits the result; NULL for none.
void rtk_mask_of_clear(
    RTKProcessor processor, const uint64_t *pixels, const uint8_t *zeros, const uint8_t *within, int32_t width,
    int32_t height, uint8_t *mask, int64_t *count);

/// Sum of |dR| + |dG| + |dB| across the outline of the person, and the number of pairs. A pair is two pixels, side by
/// side or one above the other, of which one is the person; compared are the pixels `reach` farther away on each side.
/// Edges repeat.
/// - picture: packed RGB.
void rtk_contrast(
    RTKProcessor processor, const uint64_t *person, const uint8_t *picture, int32_t width, int32_t height,
    int32_t reach, int64_t *steps, int64_t *pairCount);

/// Sums of |a . b| and |a| |b| over the gradients a of the matte and b of the picture. |a| |b| is the root of
/// |a|^2 |b|^2 in single precision, rounded to nearest.
/// - busy: quads where the matte is not flat: `rtk_busy_quads` with radius 1.
void rtk_alignment(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width,
    int32_t height, int64_t *aligned, int64_t *all);

/// A Gaussian and its derivative: weights at offsets 0 ... 4, with 15 and with 16 fractional bits.
typedef struct {
  int16_t smooth[5];
  int16_t slope[5];
} RTKSlopeKernel;

size_t rtk_slopes_scratch(int32_t width);

/// Fractional bits of gradient magnitudes, whose unit is a step of 1/255 a pixel.
enum { RTKSlopeLengthBits = 23 };

/// Gradient magnitudes of a matte's busy quads, four per quad, in order; 0 beyond the width.
/// - busy: quads where the matte is not flat: `rtk_busy_quads` with radius 4, the reach of the kernel.
/// - lengths: has room for three more quads, which hold no result.
void rtk_slope_lengths(
    RTKProcessor processor, const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width,
    int32_t height, float *lengths, void *scratch);

/// Sum of (magnitude - truth's magnitude)^2, per x % 4 in row order, then (0 + 1) + (2 + 3).
/// - truthLengths: the truth's result of `rtk_slope_lengths`.
void rtk_slope_error(
    RTKProcessor processor, const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy,
    const float *truthLengths, const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *scratch);

/// Pieces of the person (8-connected), and holes enclosed by it (4-connected).
typedef struct {
  int32_t pieceCount;
  int32_t holeCount;
  int64_t holePixelCount;
} RTKRegions;

size_t rtk_regions_scratch(int32_t width, int32_t height);

/// - within: pixels that count for `holePixelCount`; NULL for all.
void rtk_regions(
    RTKProcessor processor, const uint64_t *person, const uint64_t *within, int32_t width, int32_t height,
    RTKRegions *regions, void *scratch);

size_t rtk_connectivity_scratch(int32_t width, int32_t height);

/// Connectivity error, unit 1/2550.
void rtk_connectivity(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *truth, int32_t width, int32_t height, int64_t *error,
    void *scratch);

#endif
