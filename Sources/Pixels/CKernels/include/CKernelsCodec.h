// Kernels of the frame codecs and their checksums. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_CODEC_H
#define RETAKE_CKERNELS_CODEC_H

/// Undoes JPEG-LS median prediction on a plane of 8-bit samples, modulo 256.
/// - residuals: rows without gaps. 16 bytes before and 48 bytes after them must be readable.
/// - plane: the first sample of the first row; the row above it must be 0. In each row, 15 samples
///   before and 31 samples after it may be overwritten.
/// - stride: samples from one row to the next, at least width + 48.
void rtk_median_decode8(
    RTKProcessor processor, const uint8_t *residuals, uint8_t *plane, int32_t width, int32_t height, ptrdiff_t stride);

/// Undoes median prediction on 16-bit samples, modulo 65536, compared as signed numbers.
/// - residuals: zigzag coded. 8 samples before and 24 after them must be readable.
/// - plane: in each row, 7 samples before and 15 samples after it may be overwritten.
void rtk_median_decode16(
    RTKProcessor processor, const uint16_t *residuals, int16_t *plane, int32_t width, int32_t height, ptrdiff_t stride);

/// Numbers as the depth codec packs them, in three levels:
/// - crumbs: four 2-bit numbers per byte, lowest bits first; 3 means "plus the next large number".
/// - nibbles: two 4-bit large numbers per byte; 15 means "plus the next wide number".
/// - wide: the low bytes of all 16-bit wide numbers, then all their high bytes.
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
/// - isWhole: set to whether the data holds exactly largeCount large and wideCount wide numbers.
void rtk_crumbs_decode(
    RTKProcessor processor, const RTKCrumbs *packed, uint16_t *scratch, uint16_t *values, _Bool *isWhole);

/// Transform between RGB and three planes; see RGBPlanes.swift.
typedef enum { RTKPlanesAverage = 0, RTKPlanesLifted = 1, RTKPlanesPlain = 2 } RTKPlanesKind;

/// Converts a row of three planes to packed RGB.
/// - first, second, third: 15 bytes after the last sample must be readable.
void rtk_planes_join(
    RTKProcessor processor, RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third,
    ptrdiff_t count, uint8_t *rgb);

/// A 128-bit XXH3 hash. Both hash functions use seed 0.
typedef struct {
  uint64_t low;
  uint64_t high;
} RTKHash128;

void rtk_xxh3_64(RTKProcessor processor, const void *bytes, size_t count, uint64_t *hash);
void rtk_xxh3_128(RTKProcessor processor, const void *bytes, size_t count, RTKHash128 *hash);

#endif
