// What mattes are scored with: planes of yes and no, sums, regions, slopes and movement. Included by CKernels.h.
//
// A plane of bits has `rtk_bit_stride(width)` words a row, pixel x in bit x % 64 of word x / 64. Bits beyond the width
// are 0, at least one word of them ends each row, and there are four words of 0 before the first row and after the
// last. All planes are made of zeros, and kernels leave what is beyond the width at that.
// A quad is four pixels of a row, x = 4q ... 4q + 3; a plane of quads is a plane of bits of `rtk_quad_count(width)`
// columns.
#ifndef RETAKE_CKERNELS_SCORES_H
#define RETAKE_CKERNELS_SCORES_H

static inline ptrdiff_t rtk_bit_stride(int32_t width) { return ((ptrdiff_t)(width + 63) / 64 + 4) / 4 * 4; }

static inline int32_t rtk_quad_count(int32_t width) { return (width + 3) / 4; }

/// What one look at a matte finds.
typedef struct {
  /// A copy of it.
  uint8_t *samples;
  /// Pixels of 128 or more.
  uint64_t *person;
  /// Quads that are not all 0, and not all 255. Of the last one, what lies beyond the width is as its last pixel.
  uint64_t *notZero;
  uint64_t *notOne;
  int64_t areaSteps;
  /// Pixels from 13 to 242.
  int64_t softCount;
  int64_t personCount;
} RTKMatteFeatures;

void rtk_matte_features(
    RTKProcessor processor, const uint8_t *matte, int32_t width, int32_t height, RTKMatteFeatures *features);

/// Pixels of which the one at the right, below, or right below is another; what lies outside is as the edge.
void rtk_contour(
    RTKProcessor processor, const uint64_t *person, uint64_t *contour, int32_t width, int32_t height, int64_t *count);

/// Bytes of scratch memory for `rtk_spread`.
size_t rtk_spread_scratch(int32_t width);

/// The largest radius of `rtk_spread`.
enum { RTKSpreadLimit = 1023 };

/// Pixels whose centres are at most `radius` from that of one of these.
void rtk_spread(
    RTKProcessor processor, const uint64_t *pixels, uint64_t *spread, int32_t width, int32_t height, int32_t radius,
    void *scratch);

/// The largest radius of `rtk_count_near`.
enum { RTKNearLimit = 31 };

/// How many of some pixels have one of others at most `radius` away: what `rtk_spread` and `rtk_count_both` count, in
/// less time where the pixels are few.
void rtk_count_near(
    RTKProcessor processor, const uint64_t *pixels, const uint64_t *others, int32_t width, int32_t height,
    int32_t radius, int64_t *count);

/// How many pixels are in both, of planes of so many words.
void rtk_count_both(RTKProcessor processor, const uint64_t *a, const uint64_t *b, ptrdiff_t wordCount, int64_t *count);

/// Quads from which a quad that is not all 0 and one that is not all 255 are `radius` rows and one quad away at most:
/// elsewhere a matte is flat.
void rtk_busy_quads(
    RTKProcessor processor, const uint64_t *notZero, const uint64_t *notOne, uint64_t *busy, int32_t width,
    int32_t height, int32_t radius);

/// Sum of |a - b| and of its squares.
void rtk_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute, int64_t *squared);

/// Sum of |a - b|.
void rtk_absolute_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *absolute);

/// Sum of ((a - aBefore) - (b - bBefore)) squared.
void rtk_change_differences(
    RTKProcessor processor, const uint8_t *a, const uint8_t *aBefore, const uint8_t *b, const uint8_t *bBefore,
    ptrdiff_t count, int64_t *squared);

/// How many pixels are 128 or more in both, and in at least one.
void rtk_overlap(
    RTKProcessor processor, const uint8_t *a, const uint8_t *b, ptrdiff_t count, int64_t *both, int64_t *either);

/// Sum of a part of a plane.
/// - stride: bytes from row to row.
void rtk_box_sum(
    RTKProcessor processor, const uint8_t *samples, ptrdiff_t stride, int32_t width, int32_t height, int64_t *sum);

/// Means of 4 x 4 pixels, rounded to nearest, halves up: width / 4 columns and height / 4 rows, rounded down.
void rtk_reduce_by_four(
    RTKProcessor processor, const uint8_t *samples, uint8_t *reduced, int32_t width, int32_t height);

/// From where a block came.
typedef struct {
  int32_t x;
  int32_t y;
} RTKMotion;

enum { RTKMotionBlock = 16, RTKMotionReduction = 4, RTKMotionCoarseRadius = 4, RTKMotionFineRadius = 3 };

/// A picture in grey, and what `rtk_reduce_by_four` makes of it.
typedef struct {
  const uint8_t *samples;
  const uint8_t *reduced;
  int32_t width;
  int32_t height;
} RTKGreyPicture;

/// - motions: by blocks of 16 x 16 pixels, row by row; those at the right and lower edge may be smaller.
void rtk_block_motion(
    RTKProcessor processor, const RTKGreyPicture *picture, const RTKGreyPicture *before, RTKMotion *motions);

/// Sum of |matte - before, moved| over the pixels of two bands, and how many those are. What lies outside is as the
/// edge.
void rtk_flicker(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *before, const uint64_t *band,
    const uint64_t *bandBefore, const RTKMotion *motions, int32_t width, int32_t height, int64_t *steps,
    int64_t *count);

/// Sums of |a . b| and of |a| |b|, where a and b are the slopes of matte and picture; the second by x % 4 in the order of
/// the rows, then (0 + 1) + (2 + 3).
/// - busy: quads outside of which the matte is flat, as `rtk_busy_quads` finds them with a radius of 1.
void rtk_alignment(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *picture, const uint64_t *busy, int32_t width,
    int32_t height, int64_t *aligned, double *all);

/// Weights of a Gaussian and its derivative, of the middle place and the four beside it. The first two are for bytes.
typedef struct {
  double smoothBytes[5];
  double slopeBytes[5];
  double smooth[5];
  double slope[5];
} RTKSlopeKernel;

/// Where a matte is not flat, as `rtk_busy_quads` finds it.
typedef struct {
  /// With a radius of 4 rows, as far as the kernel reaches.
  const uint64_t *busy;
  /// With a radius of 0.
  const uint64_t *uneven;
} RTKSlopeQuads;

size_t rtk_slopes_scratch(int32_t width);

/// The slopes' lengths of a matte's busy quads, four for each, in their order; 0 beyond the width.
void rtk_slope_lengths(
    RTKProcessor processor, const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *quads,
    int32_t width, int32_t height, double *lengths, void *scratch);

/// Sum of (length - the truth's length) squared, by x % 4 in the order of the rows, then (0 + 1) + (2 + 3).
/// - truthLengths: as `rtk_slope_lengths` gives them.
void rtk_slope_error(
    RTKProcessor processor, const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *quads,
    const double *truthLengths, const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *scratch);

/// Pieces of the person, which touch at corners at least, and gaps that it encloses, which touch along sides.
typedef struct {
  int32_t pieceCount;
  int32_t holeCount;
  int64_t holePixelCount;
} RTKRegions;

size_t rtk_regions_scratch(int32_t width, int32_t height);

void rtk_regions(
    RTKProcessor processor, const uint64_t *person, int32_t width, int32_t height, RTKRegions *regions, void *scratch);

size_t rtk_connectivity_scratch(int32_t width, int32_t height);

/// The connectivity error in steps of 1 / 2550.
void rtk_connectivity(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *truth, int32_t width, int32_t height, int64_t *error,
    void *scratch);

#endif
