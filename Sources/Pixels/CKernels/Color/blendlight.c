#include "soft.h"

RTK_KERNEL(
    blend_light, (f, b, matte, out, count, toLight, toByte),
    const uint8_t *f, const uint8_t *b, const uint8_t *matte, uint8_t *out, ptrdiff_t count, const uint16_t *toLight,
    const uint8_t *toByte) {
  ptrdiff_t i = 0;
  while (i < count) {
    if (i + 16 <= count) {
      uint64_t low = RTK_LOAD(uint64_t, matte + i), high = RTK_LOAD(uint64_t, matte + i + 8);
      if ((low & high) == UINT64_MAX) {
        memcpy(out + 3 * i, f + 3 * i, 48);
        i += 16;
        continue;
      }
      if ((low | high) == 0) {
        memcpy(out + 3 * i, b + 3 * i, 48);
        i += 16;
        continue;
      }
    }
    ptrdiff_t end = i + 16 < count ? i + 16 : count;
    for (; i < end; i++) {
      uint32_t m = matte[i];
      for (ptrdiff_t k = 3 * i; k < 3 * i + 3; k++) {
        out[k] = toByte[(m * toLight[f[k]] + (255 - m) * toLight[b[k]] + 127) / 255];
      }
    }
  }
}
