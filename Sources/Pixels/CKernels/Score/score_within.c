// Byte masks: how they are made, and what they leave of samples and contours.
#include "bits.h"

RTK_BODY void keep_within(const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, uint8_t *kept) {
  for (ptrdiff_t i = 0; i < count; i++) kept[i] = samples[i] & mask[i];
}

RTK_DEFINE(
    keep_within, (const uint8_t *samples, const uint8_t *mask, ptrdiff_t count, uint8_t *kept),
    (samples, mask, count, kept))

RTK_BODY void left_out_places(const uint8_t *mask, uint64_t *places, int32_t width, int32_t height) {
  ptrdiff_t stride = rtk_bit_stride(width);
  memset(places, 0, (size_t)stride * (size_t)height * sizeof(uint64_t));
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *row = mask + (size_t)y * (size_t)width, *below = y + 1 < height ? row + width : row;
    for (int32_t x = 0; x < width; x++) {
      int32_t right = x + 1 < width ? x + 1 : x;
      uint64_t isOut = (row[x] & row[right] & below[x] & below[right]) == 0;
      places[y * stride + x / 64] |= isOut << x % 64;
    }
  }
}

RTK_DEFINE(
    left_out_places, (const uint8_t *mask, uint64_t *places, int32_t width, int32_t height),
    (mask, places, width, height))

RTK_BODY void clear_bits(uint64_t *pixels, const uint64_t *cleared, ptrdiff_t wordCount, int64_t *count) {
  int64_t found = 0;
  for (ptrdiff_t i = 0; i < wordCount; i++) {
    pixels[i] &= ~cleared[i];
    found += __builtin_popcountll(pixels[i]);
  }
  *count = found;
}

RTK_DEFINE(
    clear_bits, (uint64_t *pixels, const uint64_t *cleared, ptrdiff_t wordCount, int64_t *count),
    (pixels, cleared, wordCount, count))

/// Eight pixels of a row, fewer at its end: 0 for those beyond it.
RTK_BODY uint64_t eight_of(const uint8_t *samples, int32_t count) {
  uint64_t eight = 0;
  if (count >= 8) return RTK_LOAD(uint64_t, samples);
  memcpy(&eight, samples, (size_t)count);
  return eight;
}

RTK_KERNEL(
    mask_of_clear, (pixels, zeros, within, width, height, mask, count),
    const uint64_t *pixels, const uint8_t *zeros, const uint8_t *within, int32_t width, int32_t height,
    uint8_t *mask, int64_t *count) {
  ptrdiff_t stride = rtk_bit_stride(width);
  int64_t found = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint64_t *bits = pixels + y * stride;
    for (int32_t x = 0; x < width; x += 8) {
      size_t i = (size_t)y * (size_t)width + (size_t)x;
      int32_t left = width - x < 8 ? width - x : 8;
      uint64_t clear = ~(bits[x / 64] >> x % 64) & (0xFF >> (8 - left));
      if (zeros) clear &= ~bits_of_bytes(nonzero_bytes(eight_of(zeros + i, left)) >> 7);
      if (within) clear &= bits_of_bytes(eight_of(within + i, left));
      uint64_t bytes = bytes_of_bits(clear);
      memcpy(mask + i, &bytes, (size_t)left);
      found += __builtin_popcountll(clear);
    }
  }
  *count = found;
}
