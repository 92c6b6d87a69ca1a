// Refinement of a matte's edge by colour. Included by CKernels.h.
//
// Planes have the mask's size, unless they hold cells. Rows of samples and colours are padded to
// whole blocks; rows of bytes are not padded.
#ifndef RETAKE_CKERNELS_REFINE_H
#define RETAKE_CKERNELS_REFINE_H

#include <stddef.h>
#include <stdint.h>

enum {
  /// White in a reduced colour: each of the 255 steps has 16 sub-steps.
  RTKColorOne = 255 * 16,
  /// Width and height of a cell, in mask pixels.
  RTKCellWidth = 8,
  /// Sums of a cell, for each class: pixel count, R, G, B, RR, RG, RB, GG, GB, BB.
  RTKCellSums = 10,
  /// Coefficients of a mask pixel: slopes for red, green and blue, then the constant.
  RTKCoefficients = 4,
  /// Fractional bits of the slopes, which are matte samples per step of a reduced colour.
  RTKSlopeBits = 8,
};

/// Values of a trimap. The matte of `RTKUnsure` pixels is computed from colour.
enum { RTKOutside = 0, RTKUnsure = 1, RTKInside = 2 };

/// Reduces RGB to three planes of the mask's size: rows, then columns, each rounded to nearest.
void rtk_reduce_rgb(
    RTKProcessor processor, const RTKReduction *reduction, const uint8_t *rgb, int16_t *red, int16_t *green,
    int16_t *blue, int32_t first, int32_t count, void *scratch);

size_t rtk_reduce_rgb_scratch(const RTKReduction *reduction);

/// The mask, eroded and dilated by several radii. Unpadded; values from 128 on are the person.
typedef struct {
  /// Eroded: these pixels are certainly inside. `deeper` is eroded further; colour models learn the
  /// inside from it.
  const uint8_t *within;
  const uint8_t *deeper;
  /// Dilated: pixels beyond it are certainly outside. `farther` is dilated further; colour models
  /// learn the outside from the pixels beyond it.
  const uint8_t *around;
  const uint8_t *farther;
  /// Dilated by the distance that the person may extend into areas without depth.
  const uint8_t *aroundHoles;
} RTKBelt;

/// Computes two trimaps of RTKOutside, RTKUnsure and RTKInside.
/// - out: the belt; its unsure pixels get their matte from colour.
/// - known: the same with a wider belt, from which colour models learn.
/// - depth: 0 where it is missing, or NULL.
void rtk_belt(
    RTKProcessor processor, const RTKBelt *planes, const uint16_t *depth, uint8_t *out, uint8_t *known,
    ptrdiff_t from, ptrdiff_t count);

/// Sets 1 for cells whose models an unsure pixel reads, and 0 for the others.
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

/// Sums the colours of each cell's inside and outside pixels, over every other row and column.
/// Colours are reduced to 10 bits.
/// - known: RTKOutside, RTKUnsure or RTKInside for each pixel.
/// - sums: 2 * RTKCellSums planes of cells, the outside's first.
void rtk_cell_sums(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *known, int64_t *sums, int32_t firstRow,
    int32_t rowCount);

/// Replaces each cell by the sum over a box of 2 * radius + 1 cells each way, cut off at the edges.
/// - scratch: a plane of cells.
void rtk_cell_box(RTKProcessor processor, RTKCells cells, int32_t radius, int64_t *plane, int64_t *scratch);

/// Where a colour lies between a cell's outside (0) and inside (RTKMatteOne):
/// t = (red * R + green * G + blue * B + constant) >> 12.
typedef struct {
  int32_t red;
  int32_t green;
  int32_t blue;
  /// How well the classes can be told apart: 0 (not at all) ... 256.
  int32_t trust;
  int64_t constant;
} RTKCellModel;

/// Finds the direction in which a cell's classes differ most relative to their spread (Fisher 1936).
/// - near, wide: sums over a smaller and a larger neighbourhood, as laid out by rtk_cell_sums. The larger is added
///   where the smaller has too few known pixels.
/// - isWanted: cells that need a model; others get trust 0.
void rtk_cell_models(
    RTKProcessor processor, RTKCells cells, const int64_t *near, const int64_t *wide, const uint8_t *isWanted,
    RTKCellModel *models, int32_t firstRow, int32_t rowCount);

/// Counts the known pixels that a cell's own model puts on the wrong side, over every other row and column.
/// - counts: four planes of cells: outside pixels, wrong ones among them, inside pixels, wrong ones among them.
void rtk_cell_errors(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *known, const RTKCellModel *models,
    int64_t *counts, int32_t firstRow, int32_t rowCount);

/// Computes the weight of the refined matte in each cell, 0 ... 256.
/// - counts: from rtk_cell_errors, summed over boxes.
/// - doubt: share of wrong pixels at which the weight reaches 0, in 1 / 65536.
void rtk_cell_gate(
    RTKProcessor processor, RTKCells cells, const int64_t *counts, const RTKCellModel *models, int32_t doubt,
    int16_t *gate, int32_t firstRow, int32_t rowCount);

/// Computes a first matte from the models of the four nearest cells, interpolated. The less a model is trusted, the
/// more the mask counts. RTKOutside and RTKInside pixels get 0 and RTKMatteOne.
/// - blocks: receives RTKBlock... for each block of the belt.
void rtk_project(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *belt, const uint8_t *mask,
    const RTKCellModel *models, int16_t *samples, uint8_t *blocks, int32_t first, int32_t count);

/// Values of a window of 7 by 7 pixels, edges repeated: sums of red, green and blue; then the upper triangle of the
/// inverse of their covariance, unit 2^-50 of 1 / (49 * sum of products - products of sums). Each block of sixteen
/// pixels has them as rows of sixteen.
enum { RTKWindowValues = 9 };

size_t rtk_color_window_scratch(int32_t width);

/// Computes the windows that an unsure pixel of the belt reads; others are not written.
/// - windows: from rtk_spread_blocks; a block with such windows is RTKWindowMixed.
/// - epsilon: regularization in units of the covariance above.
/// - needed: receives 1 for pixels whose windows are computed and 0 for others, in rows that have mixed blocks.
void rtk_color_windows(
    RTKProcessor processor, const RTKColors *colors, const uint8_t *belt, const uint8_t *windows, uint64_t epsilon,
    uint8_t *needed, int32_t *out, int32_t first, int32_t count, void *scratch);

/// Fits the samples in each window by a linear model of colour: slopes with 12 fractional bits, the constant with 4.
/// - coefficients: RTKCoefficients planes of whole blocks, one after the other; windows that no unsure pixel reads
///   are not written.
/// - needed: from rtk_color_windows.
void rtk_color_coefficients(
    RTKProcessor processor, const RTKColors *colors, const int16_t *samples, const uint8_t *needed,
    const uint8_t *windows, const int32_t *sums, int32_t *coefficients, int32_t first, int32_t count, void *scratch);

/// Averages the coefficients over all windows that contain a pixel, and applies them to its colour. Then maps
/// `stretch` ... RTKMatteOne - `stretch` to 0 ... RTKMatteOne. Writes only unsure pixels of the belt.
void rtk_color_samples(
    RTKProcessor processor, const RTKColors *colors, const int32_t *coefficients, const uint8_t *belt,
    const uint8_t *blocks, const uint8_t *windows, int32_t stretch, int16_t *samples, int32_t first, int32_t count,
    void *scratch);

/// How much the refined matte counts at each pixel, rather than the plain one.
typedef struct {
  int32_t width;
  int32_t height;
  const uint8_t *belt;
  /// Shares of the refined matte in each cell, 0 ... 256.
  const int16_t *cells;
  /// The same where depth is missing; there the larger of both counts.
  const int16_t *holes;
  /// 0 where it is missing; NULL if there is none.
  const uint16_t *depth;
} RTKGate;

/// Averages the coefficients as rtk_color_samples does, in the blocks that have unsure pixels. Of others only `unsure` is
/// written.
/// - slopes: receives three planes of whole blocks: the slopes, multiplied by the gate.
/// - constants: receives the constants, not multiplied.
/// - shares: receives the gate, 0 ... 256.
/// - unsure: receives 1 for each block that has unsure pixels, else 0.
void rtk_mean_coefficients(
    RTKProcessor processor, const RTKGate *gate, const RTKColors *colors, const int32_t *coefficients,
    const uint8_t *windows, int32_t *slopes, int32_t *constants, uint16_t *shares, uint8_t *unsure, int32_t first,
    int32_t count, void *scratch);

/// Mixes the means with plain samples.
/// - plain: the unrefined matte.
/// - reach: most blocks between the first and the last that a block of video pixels is scaled from.
/// - out: RTKCoefficients planes of whole blocks, ready to be scaled; the first three have the slopes. Blocks of one
///   kind with all within `reach` are not written.
/// - outBlocks: RTKBlockZero or RTKBlockOne where belt and plain samples agree on outside or on inside throughout,
///   else RTKBlockMixed.
void rtk_gated_coefficients(
    RTKProcessor processor, const RTKGate *gate, const int32_t *constants, const uint16_t *shares,
    const uint8_t *unsure, const int16_t *plain, int32_t reach, int32_t *out, uint8_t *outBlocks, int32_t first,
    int32_t count);

size_t rtk_refine_matte_scratch(const RTKScale *scale);

/// Scales the coefficients to the video's size, bilinearly, and applies them to its colours.
void rtk_refine_matte(
    RTKProcessor processor, const RTKScale *scale, const int32_t *coefficients, const uint8_t *blocks,
    const uint8_t *rgb, uint8_t *matte, int32_t first, int32_t count, void *scratch);

typedef struct {
  int32_t width;
  int32_t height;
  /// Largest change of a colour that counts as noise, in 8-bit steps.
  int32_t noise;
  /// Largest change of the matte that is smoothed; a larger one is movement.
  int32_t most;
  /// Weight of the old matte, in 1 / 256.
  int32_t weight;
} RTKStill;

/// Mixes in the old matte where no colour within 3 by 3 pixels changed by more than noise.
/// - rgb, oldRGB: the pictures from which the new and the old matte were made.
void rtk_calm_still(
    RTKProcessor processor, const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old,
    uint8_t *matte, int32_t first, int32_t count);

/// Writes half the difference of colours, plus half of white so that none is negative, rounded towards that.
void rtk_color_difference(
    RTKProcessor processor, const int16_t *colors, const int16_t *others, int16_t *out, ptrdiff_t from,
    ptrdiff_t count);

/// The colours of the empty scene, in red, green and blue planes of whole blocks.
typedef struct {
  const int16_t *colors[3];
  /// Expected deviation of each colour, 1 to RTKColorOne.
  const int16_t *doubts[3];
} RTKPlateColors;

enum { RTKPlateBetween = 0, RTKPlateSame = 1, RTKPlateOther = 2 };

/// Classifies colours, averaged over 3 by 3 pixels: the empty scene's where they differ from it by less than 48 / 64 of
/// the expected deviation in each channel, another where by at least 145 / 64 in one.
/// - isWanted: not 0 for pixels whose class is needed; others are not written, or arbitrary.
void rtk_plate_classes(
    RTKProcessor processor, const RTKColors *colors, const RTKPlateColors *plate, const uint8_t *isWanted,
    uint8_t *classes, int32_t first, int32_t count);

/// Masks of 0 and 255, unpadded.
typedef struct {
  /// The mask by depth alone, and the same with gaps filled.
  const uint8_t *measured;
  const uint8_t *mask;
  /// `mask` eroded, eroded more, dilated, and dilated by the distance that the person may extend into areas without
  /// depth.
  const uint8_t *within;
  const uint8_t *deeper;
  const uint8_t *around;
  const uint8_t *near;
} RTKPlateZone;

enum { RTKPlateCertain = 0, RTKPlatePerson = 1, RTKPlateDoubtful = 255 };

/// Classifies pixels: doubtful where depth cannot be trusted and colour decides; the person's in a ring within the
/// outline, of which colour may learn; else certain.
/// - limits: depth nearer than this may be the person.
void rtk_plate_kinds(
    RTKProcessor processor, const RTKPlateZone *zone, const uint16_t *depth, const uint16_t *limits, uint8_t *kinds,
    ptrdiff_t from, ptrdiff_t count);

/// Width and height of a cell in which it is known whether colour can tell the person from the empty scene.
enum { RTKPlateCell = 16 };

typedef struct {
  /// The person's pixels, and those of them that have the empty scene's colour.
  int32_t count;
  int32_t alike;
} RTKPlateCount;

/// Counts the person's pixels of one row of cells.
/// - counts: one for each cell.
void rtk_count_alike(
    RTKProcessor processor, const uint8_t *kinds, const uint8_t *classes, int32_t width, int32_t firstRow,
    int32_t rowCount, RTKPlateCount *counts);

/// Sets doubtful pixels to 255 where their colour is another than the empty scene's, and to 0 where it is that. Those
/// that depth has measured stay where the person is too much like the empty scene. Leaves all other pixels unchanged.
/// - isAlike: 0 or 255 for each of the `count` pixels.
void rtk_decide_by_color(
    RTKProcessor processor, const uint8_t *kinds, const uint8_t *classes, const uint8_t *measured,
    const uint8_t *isAlike, uint8_t *mask, ptrdiff_t from, ptrdiff_t count);

/// Width and height of a cell in which the person's and the room's colours are averaged, in video pixels.
enum { RTKForegroundCell = 16 };

typedef struct {
  int32_t width;
  int32_t height;
  /// For each of the 256 matte values, the weight of a pixel's colour in the mean; at most 4095.
  const uint16_t *weights;
  /// For each matte value, the factor of the residual that is added to the person's mean colour, in 1 / 4096. The
  /// residual is the pixel's colour minus the mixture of both means.
  const int16_t *gains;
} RTKForeground;

/// Weighted sums over a cell: weight, red, green, blue.
typedef struct {
  uint32_t person[4];
  uint32_t room[4];
} RTKForegroundSums;

/// Mean colours near a cell, in 1 / 16 of an 8-bit step; 0 without `hasPerson` or `hasRoom`.
typedef struct {
  int16_t person[3];
  int16_t room[3];
  uint8_t hasPerson;
  uint8_t hasRoom;
} RTKForegroundColors;

RTKCells rtk_foreground_cells(int32_t width, int32_t height);

/// What a cell's matte holds: soft pixels, neither 0 nor 255; pixels that are not 0.
enum { RTKCellSoft = 1, RTKCellShown = 2 };

/// Sets RTKCellSoft and RTKCellShown for each cell.
void rtk_matte_cells(
    RTKProcessor processor, const uint8_t *matte, int32_t width, int32_t height, uint8_t *kinds, int32_t firstRow,
    int32_t rowCount);

void rtk_foreground_sums(
    RTKProcessor processor, const RTKForeground *foreground, const uint8_t *rgb, const uint8_t *matte,
    const uint8_t *kinds, RTKForegroundSums *sums, int32_t firstRow, int32_t rowCount);

/// Computes mean colours over 3 by 3 cells.
void rtk_foreground_colors(
    RTKProcessor processor, const RTKForeground *foreground, const RTKForegroundSums *sums, const uint8_t *kinds,
    RTKForegroundColors *colors, int32_t firstRow, int32_t rowCount);

/// Copies the picture, and replaces soft pixels by the person's own colour. Cells that show nothing are not written.
void rtk_show_foreground(
    RTKProcessor processor, const RTKForeground *foreground, const RTKForegroundColors *colors, const uint8_t *kinds,
    const uint8_t *rgb, const uint8_t *matte, uint8_t *out, int32_t first, int32_t count);

#endif
