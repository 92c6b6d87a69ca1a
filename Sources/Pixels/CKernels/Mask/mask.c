#include "lanes.h"

RTK_KERNEL(
    mask_up_to, (depth, mask, count, limit),
    const uint16_t *depth, uint8_t *mask, ptrdiff_t count, uint16_t limit) {
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    Lanes16 isNear = (Lanes16)(RTK_LOAD(Lanes16, depth + i) <= limit);
    RTK_STORE(mask + i, __builtin_convertvector(isNear, Bytes16));
  }
  for (; i < count; i++) mask[i] = depth[i] <= limit ? 255 : 0;
}

RTK_KERNEL(
    mask_nearer_each, (depth, limits, mask, count, hole),
    const uint16_t *depth, const uint16_t *limits, uint8_t *mask, ptrdiff_t count, uint8_t hole) {
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    Lanes16 d = RTK_LOAD(Lanes16, depth + i);
    // Subtracting 1 turns a hole into 65535, beyond every limit.
    Lanes16 isNear = (Lanes16)(d - 1 < RTK_LOAD(Lanes16, limits + i));
    Lanes16 isHole = (Lanes16)(d == 0);
    RTK_STORE(mask + i, __builtin_convertvector(isNear | (isHole & hole), Bytes16));
  }
  for (; i < count; i++) mask[i] = depth[i] == 0 ? hole : depth[i] <= limits[i] ? 255 : 0;
}

RTK_KERNEL(
    mask_add_kind, (kinds, mask, count, kind),
    const uint8_t *kinds, uint8_t *mask, ptrdiff_t count, uint8_t kind) {
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    RTK_STORE(mask + i, RTK_LOAD(Bytes16, mask + i) | (Bytes16)(RTK_LOAD(Bytes16, kinds + i) == kind));
  }
  for (; i < count; i++) mask[i] |= kinds[i] == kind ? 255 : 0;
}

RTK_BODY uint8_t block_kind(const int16_t *samples) {
  Lanes64 zero = RTK_LOAD(Lanes64, samples), one = (Lanes64)((Lanes16)zero ^ (uint16_t)RTKMatteOne);
  if ((zero[0] | zero[1] | zero[2] | zero[3]) == 0) return RTKBlockZero;
  return (one[0] | one[1] | one[2] | one[3]) == 0 ? RTKBlockOne : RTKBlockMixed;
}

RTK_BODY void look_up_block(const uint16_t *table, const uint16_t *keys, int16_t *samples) {
  for (int32_t i = 0; i < RTKBlockWidth; i++) samples[i] = (int16_t)table[keys[i]];
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY void look_up_block_avx2(
    const uint16_t *table, const uint16_t *keys, int16_t *samples) {
  const __m256i low = _mm256_set1_epi32(0xFFFF);
  __m256i a = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)keys));
  __m256i b = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(keys + 8)));
  // Each gather reads an entry and the next one.
  a = _mm256_and_si256(_mm256_i32gather_epi32((const int *)table, a, 2), low);
  b = _mm256_and_si256(_mm256_i32gather_epi32((const int *)table, b, 2), low);
  _mm256_storeu_si256((__m256i *)samples, _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xD8));
}
#endif

typedef void (*LookUpBlock)(const uint16_t *, const uint16_t *, int16_t *);

RTK_BODY const uint16_t *padded(const uint16_t *keys, int32_t left, uint16_t *memory) {
  if (left >= RTKBlockWidth) return keys;
  for (int32_t i = 0; i < RTKBlockWidth; i++) memory[i] = keys[i < left ? i : left - 1];
  return memory;
}

RTK_BODY void store_rounded(const int16_t *samples, int32_t left, uint8_t *mask) {
  Bytes16 bytes = __builtin_convertvector((RTK_LOAD(Lanes16, samples) + 32) >> 6, Bytes16);
  memcpy(mask, &bytes, left < RTKBlockWidth ? (size_t)left : RTKBlockWidth);
}

RTK_BODY void look_up(
    const RTKLookUp *lookUp, const uint16_t *keys, const uint16_t *depth, int16_t *samples, uint8_t *blocks,
    uint8_t *mask, int32_t first, int32_t count, LookUpBlock lookUpBlock) {
  int32_t width = lookUp->width, blockCount = rtk_block_count(width);
  for (int32_t y = first; y < first + count; y++) {
    for (int32_t b = 0; b < blockCount; b++) {
      int32_t x = b * RTKBlockWidth, left = width - x;
      size_t pixel = (size_t)y * (size_t)width + (size_t)x, block = (size_t)y * (size_t)blockCount + (size_t)b;
      uint16_t memory[RTKBlockWidth];
      int16_t *out = samples + block * RTKBlockWidth;
      lookUpBlock(lookUp->table, padded(keys + pixel, left, memory), out);
      if (lookUp->hole >= 0) {
        Lanes16 isHole = (Lanes16)(RTK_LOAD(Lanes16, padded(depth + pixel, left, memory)) == 0);
        RTK_STORE(out, (RTK_LOAD(Lanes16, out) & ~isHole) | (isHole & (uint16_t)lookUp->hole));
      }
      blocks[block] = block_kind(out);
      store_rounded(out, left, mask + pixel);
    }
  }
}

RTK_KERNEL(
    mark_blocks, (samples, blocks, width, first, count),
    int16_t *samples, uint8_t *blocks, int32_t width, int32_t first, int32_t count) {
  int32_t blockCount = rtk_block_count(width), stride = blockCount * RTKBlockWidth;
  for (int32_t y = first; y < first + count; y++) {
    int16_t *row = samples + (size_t)y * (size_t)stride;
    for (int32_t x = width; x < stride; x++) row[x] = row[width - 1];
    for (int32_t b = 0; b < blockCount; b++) {
      blocks[(size_t)y * (size_t)blockCount + (size_t)b] = block_kind(row + b * RTKBlockWidth);
    }
  }
}

RTK_DISPATCH(
    look_up, (lookUp, keys, depth, samples, blocks, mask, first, count),
    (const RTKLookUp *lookUp, const uint16_t *keys, const uint16_t *depth, int16_t *samples, uint8_t *blocks,
     uint8_t *mask, int32_t first, int32_t count),
    look_up(lookUp, keys, depth, samples, blocks, mask, first, count, look_up_block),
    look_up(lookUp, keys, depth, samples, blocks, mask, first, count, look_up_block_avx2))
