// Masks from depth. Included by CKernels.h.
#ifndef RETAKE_CKERNELS_MASK_H
#define RETAKE_CKERNELS_MASK_H

/// 255 where depth <= limit, holes included; else 0.
void rtk_mask_up_to(RTKProcessor processor, const uint16_t *depth, uint8_t *mask, ptrdiff_t count, uint16_t limit);

/// 255 where 0 < depth <= the pixel's own limit; `hole` where depth is 0; else 0.
void rtk_mask_nearer_each(
    RTKProcessor processor, const uint16_t *depth, const uint16_t *limits, uint8_t *mask, ptrdiff_t count,
    uint8_t hole);

/// Sets pixels of the given kind to 255 and keeps the others.
void rtk_mask_add_kind(
    RTKProcessor processor, const uint8_t *kinds, uint8_t *mask, ptrdiff_t count, uint8_t kind);

/// Soft masks from a lookup table.
typedef struct {
  int32_t width;
  /// Matte samples for 65536 keys, plus one entry because AVX2 reads two at a time.
  const uint16_t *table;
  /// Sample for pixels whose depth is 0; -1 takes the table's.
  int32_t hole;
} RTKLookUp;

/// Writes samples, blocks and mask.
/// - keys, depth: rows without padding; may be the same plane.
/// - mask: (sample + 32) >> 6, rows without padding.
void rtk_look_up(
    RTKProcessor processor, const RTKLookUp *lookUp, const uint16_t *keys, const uint16_t *depth, int16_t *samples,
    uint8_t *blocks, uint8_t *mask, int32_t first, int32_t count);

/// Finds out what the blocks of existing samples hold; pads each row with its last column.
void rtk_mark_blocks(
    RTKProcessor processor, int16_t *samples, uint8_t *blocks, int32_t width, int32_t first, int32_t count);

#endif
