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

/// Two distances belong to one surface if they differ by no more than this plus a share of the nearer.
enum { RTKPieceMillimeters = 40 };

typedef struct {
  int32_t width;
  int32_t height;
  /// Steps of depth that divide surfaces, in 1024ths of the distance; below 1024.
  int32_t step;
  /// Pixels of the smallest piece that is kept.
  int32_t least;
  /// Pixels of the largest gap that is filled.
  int32_t largest;
} RTKPieces;

size_t rtk_pieces_scratch(int32_t width, int32_t height);

/// A piece has moved if one of this many of its pixels has.
enum { RTKPiecesMoved = 10 };
/// Clears pieces of fewer than `least` pixels; if any other holds a face or has moved, only those that do stay.
/// Pieces touch by edges or corners. With faces or movement, they are divided at steps of depth. In pieces that have
/// moved, what has not is cleared too, unless it holds a face, or the square of the number of its borders with what has
/// moved, on the same surface, is at least its area: a body goes on without a step, furniture does not.
/// - mask: 0 or 255.
/// - depth: of the mask's size, or NULL.
/// - moved: 255 where something has moved, else 0; or NULL.
/// - boxes: left, top, right, bottom of each face, in mask pixels, the last two excluded.
void rtk_keep_pieces(
    const RTKPieces *pieces, uint8_t *mask, const uint16_t *depth, const uint8_t *moved, const int32_t *boxes,
    int32_t boxCount, void *scratch);

/// Finds pieces that hold no face, and of which at least seven eighths are still.
/// - mask, still: 0 or 255.
/// - settled: written: 255 in these pieces, else 0.
void rtk_settled_pieces(
    const RTKPieces *pieces, const uint8_t *mask, const uint8_t *still, const int32_t *boxes, int32_t boxCount,
    uint8_t *settled, void *scratch);

/// Fills gaps that the mask encloses, of at most `largest` pixels, unless more than a quarter of their pixels are
/// measured and farther than what lies beside them.
void rtk_fill_gaps(const RTKPieces *pieces, uint8_t *mask, const uint16_t *depth, void *scratch);

/// Most planes of samples that are sorted.
enum { RTKMostSamples = 32 };

/// Sorts the samples of each pixel, the smallest to the first plane.
/// - plane: samples from one plane to the next.
/// - planeCount: 1 to RTKMostSamples.
void rtk_sort_samples(
    RTKProcessor processor, uint16_t *samples, ptrdiff_t plane, int32_t planeCount, ptrdiff_t from, ptrdiff_t count);

#endif
