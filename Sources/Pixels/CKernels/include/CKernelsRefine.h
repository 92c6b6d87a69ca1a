// Refinement of a matte's edge by colour. Included by CKernels.h.
//
// All planes have the mask's size. Planes of samples and colours have rows of whole blocks; bytes
// have rows without padding.
#ifndef RETAKE_CKERNELS_REFINE_H
#define RETAKE_CKERNELS_REFINE_H

#include <stddef.h>
#include <stdint.h>

enum {
  /// White in a reduced colour: each of the 255 steps has 16 sub-steps.
  RTKColorOne = 255 * 16,
  /// Width and height of a cell, in mask pixels.
  RTKCellWidth = 8,
  /// Sums of a cell, for each class: count, R, G, B, RR, RG, RB, GG, GB, BB.
  RTKCellSums = 10,
  /// Coefficients of a mask pixel: of red, green and blue with RTKSlopeBits, then the constant.
  RTKCoefficients = 4,
  /// Fractional bits of the coefficients of colour: matte samples per step of a reduced colour.
  RTKSlopeBits = 8,
};

/// What is known of a pixel. `RTKUnsure` pixels get their matte from colour.
enum { RTKOutside = 0, RTKUnsure = 1, RTKInside = 2 };

/// Reduces RGB to three planes of the mask's size: rows, then columns, each rounded to nearest.
void rtk_reduce_rgb(
    RTKProcessor processor, const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green,
    int16_t *blue, int32_t first, int32_t count, void *scratch);

size_t rtk_reduce_rgb_scratch(const RTKReduction *reduction);

/// The mask, eroded and dilated by several radii, without padding; the person from 128 on.
typedef struct {
  /// Eroded: inside for sure; and by more, for what colour models learn from.
  const uint8_t *within;
  const uint8_t *deeper;
  /// Dilated: beyond is outside for sure; and by more, for what colour models learn from.
  const uint8_t *around;
  const uint8_t *farther;
  /// Dilated by how far the person may reach where depth is missing.
  const uint8_t *aroundHoles;
} RTKBelt;

/// Sets each pixel of `out` and `known` to RTKOutside, RTKUnsure or RTKInside.
/// - depth: 0 where it is missing, or NULL.
void rtk_belt(
    RTKProcessor processor, const RTKBelt *planes, const uint16_t *depth, uint8_t *out, uint8_t *known,
    ptrdiff_t from, ptrdiff_t count);

/// 1 for cells whose models an unsure pixel reads.
void rtk_wanted_cells(
    RTKProcessor processor, const uint8_t *belt, int32_t width, int32_t height, uint8_t *isWanted, int32_t firstRow,
    int32_t rowCount);

typedef struct {
  int32_t width;
  int32_t height;
  const int16_t *red;
  const int16_t *green;
  const int16_t *blue;
} RTKColors;

typedef struct {
  int32_t columns;
  int32_t rows;
} RTKCells;

RTKCells rtk_cells(int32_t width, int32_t height);

/// Sums of the colours of what is inside and outside, over every other pixel each way of each cell.
/// Colours are taken with 10 bits.
/// - known: RTKOutside, RTKUnsure or RTKInside for each pixel.
/// - sums: 2 * RTKCellSums planes of cells; those of the outside first.
void rtk_cell_sums(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *known, int64_t *sums, int32_t firstRow,
    int32_t rowCount);

/// Replaces a plane of cells by its sum over a box of 2 * radius + 1 cells each way, cut at the edges.
/// - scratch: a plane.
void rtk_cell_box(RTKProcessor processor, RTKCells cells, int32_t radius, int64_t *plane, int64_t *scratch);

/// Where a colour lies between the two classes of a cell: t = (red * R + green * G + blue * B + constant) >> 12.
typedef struct {
  int32_t red;
  int32_t green;
  int32_t blue;
  /// How far the classes are apart: 0 ... 256.
  int32_t trust;
  int64_t constant;
} RTKCellModel;

/// Finds the direction in which a cell's classes differ most against their spread (Fisher 1936).
/// - near, wide: sums over a smaller and a larger surrounding, as laid out by rtk_cell_sums. The larger is added
///   where the smaller knows too few pixels.
/// - isWanted: cells that need a model; others get trust 0.
void rtk_cell_models(
    RTKProcessor processor, RTKCells cells, const int64_t *near, const int64_t *wide, const uint8_t *isWanted,
    RTKCellModel *models, int32_t firstRow, int32_t rowCount);

/// Counts how many known pixels a cell's own model puts on the wrong side, over every other pixel each way.
/// - counts: four planes of cells: known outside, of these wrong, known inside, of these wrong.
void rtk_cell_errors(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *known, const RTKCellModel *models,
    int64_t *counts, int32_t firstRow, int32_t rowCount);

/// The share of refinement in each cell, 0 ... 256.
/// - counts: of rtk_cell_errors, summed over boxes.
/// - doubt: share of wrong pixels from which on nothing is refined, 1 / 65536.
void rtk_cell_gate(
    RTKProcessor processor, RTKCells cells, const int64_t *counts, const RTKCellModel *models, int32_t doubt,
    int16_t *gate, int32_t firstRow, int32_t rowCount);

/// A first matte from the models: interpolated between the four nearest cells, with the mask where colour is not
/// trusted; 0 and 1 where `belt` is sure.
/// - blocks: what each block of the belt holds, RTKBlock....
void rtk_project(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *belt, const uint8_t *mask,
    const RTKCellModel *models, int16_t *samples, uint8_t *blocks, int32_t first, int32_t count);

/// A window of 7 by 7 pixels, edges repeated: sums of colours, and the inverse of their covariance.
typedef struct {
  int32_t sums[3];
  /// Upper triangle, unit 2^-50 of 1 / (49 * sum of products - products of sums).
  int32_t inverse[6];
} RTKColorWindow;

size_t rtk_color_window_scratch(int32_t width);

/// Only windows that an unsure pixel of the belt reads are computed.
/// - windows: of rtk_spread_blocks: the blocks that have such windows are mixed.
/// - epsilon: regularization in units of the covariance above.
void rtk_color_windows(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *belt, const uint8_t *windows, uint64_t epsilon, RTKColorWindow *out,
    int32_t first, int32_t count, void *scratch);

/// The linear model of the samples in each window: slopes with 12 fractional bits, the constant with 4.
/// - coefficients: four planes of whole blocks, one after the other; windows that are not needed are not written.
void rtk_color_coefficients(
    RTKProcessor processor, const RTKColors *colors, const int16_t *samples, const uint8_t *belt,
    const uint8_t *windows,
    const RTKColorWindow *sums, int32_t *coefficients, int32_t first, int32_t count, void *scratch);

/// Applies the means of the coefficients over all windows that hold a pixel, stretches by `stretch` on both ends
/// (of 2 * RTKMatteOne), and keeps what the belt is sure of.
void rtk_color_samples(
    RTKProcessor processor, const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt,
    const uint8_t *blocks, const uint8_t *windows, int32_t stretch, int16_t *samples, int32_t first, int32_t count,
    void *scratch);

/// The same means, mixed with the unrefined samples by the gate, for scaling.
/// - holes: 0 where a mask pixel has no depth, or NULL.
/// - out: RTKCoefficients planes of whole blocks.
/// - outBlocks: RTKBlock... of each block, mixed where any coefficient of colour is not 0.
void rtk_gated_coefficients(
    RTKProcessor processor, const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt,
    const uint8_t *windows, const int16_t *plain, const int16_t *gate, const int16_t *holeGate,
    const uint16_t *depth, int32_t *out, uint8_t *outBlocks, int32_t first, int32_t count, void *scratch);

size_t rtk_refine_matte_scratch(const RTKScale *scale);

/// Scales the coefficients bilinearly and applies them to the video's colours.
void rtk_refine_matte(
    RTKProcessor processor, const RTKScale *scale, const int32_t *coefficients, const uint8_t *blocks,
    const uint8_t *rgb, uint8_t *matte, int32_t first, int32_t count, void *scratch);

typedef struct {
  int32_t width;
  int32_t height;
  /// Changes of a colour by no more than this are noise.
  int32_t noise;
  /// Weight of the old matte, of 256.
  int32_t weight;
} RTKStill;

/// Mixes in the old matte where no colour in the 3 by 3 pixels round it moved.
/// - rgb, oldRGB: the pictures that the mattes were made from.
void rtk_calm_still(
    RTKProcessor processor, const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old,
    uint8_t *matte, int32_t first, int32_t count);

/// The colours of the empty scene, in red, green and blue planes of whole blocks.
typedef struct {
  const int16_t *colors[3];
  /// How far each colour strays, at least 1.
  const int16_t *doubts[3];
} RTKPlateColors;

/// How far colours differ from the empty scene's, as means over 3 by 3 pixels: 64 is as far as they stray.
/// - isWanted: pixels whose difference is needed; others are not written.
void rtk_plate_difference(
    RTKProcessor processor, const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted,
    uint8_t *difference, int32_t first, int32_t count);

/// Masks of 0 and 255, without padding.
typedef struct {
  /// By depth alone; and with gaps filled.
  const uint8_t *measured;
  const uint8_t *mask;
  /// Eroded, dilated, and dilated by how far the person may reach where depth is missing.
  const uint8_t *within;
  const uint8_t *around;
  const uint8_t *near;
} RTKPlateZone;

/// 255 where colour is to decide.
/// - limits: nearer than these, depth may be the person.
void rtk_doubtful_pixels(
    RTKProcessor processor, const RTKPlateZone *zone, const uint16_t *depth, const uint16_t *limits, uint8_t *out,
    ptrdiff_t from, ptrdiff_t count);

/// The person where the difference is above `other`, not where it is below `same`, else as it was.
void rtk_decide_by_color(
    RTKProcessor processor, const uint8_t *isDoubtful, const uint8_t *difference, uint8_t same, uint8_t other,
    uint8_t *mask, ptrdiff_t from, ptrdiff_t count);

/// Width and height of a cell in which the person's and the room's colours are averaged, in video pixels.
enum { RTKForegroundCell = 16 };

typedef struct {
  int32_t width;
  int32_t height;
  /// 256 weights of a pixel's colour by its matte, at most 4095.
  const uint16_t *weights;
  /// 256 shares of what the mixture of both colours does not explain that are the person's, of 4096.
  const int16_t *gains;
} RTKForeground;

/// Weight, red, green and blue.
typedef struct {
  uint32_t person[4];
  uint32_t room[4];
} RTKForegroundSums;

/// Mean colours in steps of 1 / 16, where there are any.
typedef struct {
  int16_t person[3];
  int16_t room[3];
  uint8_t hasPerson;
  uint8_t hasRoom;
} RTKForegroundColors;

RTKCells rtk_foreground_cells(int32_t width, int32_t height);

/// 1 for cells with a soft pixel: neither 0 nor 255.
void rtk_soft_cells(
    RTKProcessor processor, const uint8_t *matte, int32_t width, int32_t height, uint8_t *isSoft, int32_t firstRow,
    int32_t rowCount);

void rtk_foreground_sums(
    RTKProcessor processor, const RTKForeground *foreground, const uint8_t *rgb, const uint8_t *matte,
    const uint8_t *isSoft, RTKForegroundSums *sums, int32_t firstRow, int32_t rowCount);

/// Mean colours over 3 by 3 cells.
void rtk_foreground_colors(
    RTKProcessor processor, const RTKForeground *foreground, const RTKForegroundSums *sums, const uint8_t *isSoft,
    RTKForegroundColors *colors, int32_t firstRow, int32_t rowCount);

/// Copies the picture; soft pixels get the person's own colour.
void rtk_show_foreground(
    RTKProcessor processor, const RTKForeground *foreground, const RTKForegroundColors *colors, const uint8_t *isSoft,
    const uint8_t *rgb, const uint8_t *matte, uint8_t *out, int32_t first, int32_t count);

#endif
