// Frame codecs and their checksums. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_CODEC_H
#define RETAKE_CKERNELS_CODEC_H

/// Undoes the median prediction of JPEG-LS on a plane of 8-bit samples, modulo 256.
/// - residuals: row after row without gaps; 16 bytes before the first and 48 behind the last are read, whatever they are.
/// - plane: the first row's first sample. Of each row, 15 samples before it and 31 behind it may be overwritten; the row
///   above the first has to be 0.
/// - stride: from one row to the next, at least width + 48.
void rtk_median_decode8(
    RTKProcessor processor, const uint8_t *residuals, uint8_t *plane, int32_t width, int32_t height, ptrdiff_t stride);

/// The same on 16-bit samples, modulo 65 536, compared as signed numbers; residuals are zigzag coded.
/// - residuals: 8 before the first and 24 behind the last are read, whatever they are.
/// - plane: of each row, 7 samples before it and 15 behind it may be overwritten.
void rtk_median_decode16(
    RTKProcessor processor, const uint16_t *residuals, int16_t *plane, int32_t width, int32_t height, ptrdiff_t stride);

/// Numbers as the codec for depth packs them: `crumbs` has four in a byte, the lowest bits first; where one is 3, the next
/// of the large ones is added to it; `nibbles` has two of these in a byte; where one is 15, the next of the wide ones is added
/// to it, whose low bytes come first and whose high bytes behind all of them.
typedef struct {
  const uint8_t *crumbs;
  size_t crumbByteCount;
  const uint8_t *nibbles;
  size_t largeCount;
  const uint8_t *wide;
  size_t wideCount;
} RTKCrumbs;

/// - scratch: room for 4 * crumbByteCount + 8 numbers; largeCount is at most 4 * crumbByteCount.
/// - values: room for 4 * crumbByteCount numbers.
/// - isWhole: whether as many are large, and wide, as is said.
void rtk_crumbs_decode(
    RTKProcessor processor, const RTKCrumbs *packed, uint16_t *scratch, uint16_t *values, _Bool *isWhole);

/// How red, green and blue are kept in planes; see RGBPlanes.swift.
typedef enum { RTKPlanesAverage = 0, RTKPlanesLifted = 1, RTKPlanesPlain = 2 } RTKPlanesKind;

/// Packed RGB of a row of three planes.
/// - first, second, third: up to 15 bytes behind the last are read, whatever they are.
/// - rgb: 3 * count bytes.
void rtk_planes_join(
    RTKProcessor processor, RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third,
    ptrdiff_t count, uint8_t *rgb);

/// XXH3 of 64 bits and of 128, seed 0.
typedef struct {
  uint64_t low;
  uint64_t high;
} RTKHash128;

void rtk_xxh3_64(RTKProcessor processor, const void *bytes, size_t count, uint64_t *hash);
void rtk_xxh3_128(RTKProcessor processor, const void *bytes, size_t count, RTKHash128 *hash);

#endif
