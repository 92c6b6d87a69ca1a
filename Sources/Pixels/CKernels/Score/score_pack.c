// A matte without its flat parts, which are most of it.
#include "groups.h"

ptrdiff_t rtk_packed_byte_count(const RTKMatteFeatures *matte, int32_t width, int32_t height) {
  int32_t quads = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(quads), words = (quads + 63) / 64, count = 0;
  for (int32_t y = 0; y < height; y++) {
    for (ptrdiff_t w = y * stride; w < y * stride + words; w++) {
      count += __builtin_popcountll(mixed_groups(matte->notZero[w], matte->notOne[w]));
    }
  }
  return GROUP * count;
}

void rtk_pack_matte(const RTKMatteFeatures *matte, int32_t width, int32_t height, RTKPackedMatte *packed) {
  int32_t quads = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(quads), words = (quads + 63) / 64;
  uint8_t *next = packed->samples;
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *row = matte->samples + (size_t)y * (size_t)width;
    for (ptrdiff_t w = 0; w < words; w++) {
      uint64_t mixed = mixed_groups(matte->notZero[y * stride + w], matte->notOne[y * stride + w]);
      for (; mixed != 0; mixed &= mixed - 1, next += GROUP) {
        int32_t x = first_pixel(w, __builtin_ctzll(mixed) / GROUP_QUADS);
        if (width - x >= GROUP) {
          memcpy(next, row + x, GROUP);
        } else {
          memcpy(next, row + x, (size_t)(width - x));
        }
      }
    }
  }
  size_t byteCount = (size_t)stride * (size_t)height * sizeof(uint64_t);
  memcpy(packed->notZero, matte->notZero, byteCount);
  memcpy(packed->notOne, matte->notOne, byteCount);
}
