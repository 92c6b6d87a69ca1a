// Masks from depth. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_MASK_H
#define RETAKE_CKERNELS_MASK_H

/// 255 where depth <= limit, a hole too; else 0.
void rtk_mask_up_to(RTKProcessor processor, const uint16_t *depth, uint8_t *mask, ptrdiff_t count, uint16_t limit);

/// 255 where 0 < depth <= the pixel's own limit; `hole` where depth is 0; else 0.
void rtk_mask_nearer_each(
    RTKProcessor processor, const uint16_t *depth, const uint16_t *limits, uint8_t *mask, ptrdiff_t count,
    uint8_t hole);

/// 255 where a pixel is of that kind; what the mask is elsewhere stays.
void rtk_mask_add_kind(
    RTKProcessor processor, const uint8_t *kinds, uint8_t *mask, ptrdiff_t count, uint8_t kind);

/// Soft masks that a table gives.
typedef struct {
  int32_t width;
  /// Matte samples for 65536 keys, and one more entry behind them.
  const uint16_t *table;
  /// The sample where depth is 0, or -1: what the table says.
  int32_t hole;
} RTKLookUp;

/// Rows `first` ... `first + count - 1` of samples, blocks and mask.
/// - keys, depth: rows without padding; they may be the same.
/// - mask: the samples rounded, (sample + 32) >> 6, rows without padding.
void rtk_look_up(
    RTKProcessor processor, const RTKLookUp *lookUp, const uint16_t *keys, const uint16_t *depth, int16_t *samples,
    uint8_t *blocks, uint8_t *mask, int32_t first, int32_t count);

/// Matte samples of a mask, 64 for each of its steps, with their blocks.
void rtk_matte_from_mask(
    RTKProcessor processor, const uint8_t *mask, int16_t *samples, uint8_t *blocks, int32_t width, int32_t first,
    int32_t count);

/// What the blocks of samples hold that are there; their padding repeats the last column.
void rtk_mark_blocks(
    RTKProcessor processor, int16_t *samples, uint8_t *blocks, int32_t width, int32_t first, int32_t count);

#endif
