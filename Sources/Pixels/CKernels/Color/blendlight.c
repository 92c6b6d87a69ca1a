#include "soft.h"

RTK_KERNEL(
    blend_light, (f, b, matte, out, count, toLight, toByte),
    const uint8_t *f, const uint8_t *b, const uint8_t *matte, uint8_t *out, ptrdiff_t count, const uint16_t *toLight,
    const uint8_t *toByte) {
  for (ptrdiff_t i = 0; i < count; i += 16) {
    uint8_t kind = i + 16 <= count ? rtk_matte_kind(matte + i) : RTKBlockMixed;
    if (kind != RTKBlockMixed) {
      memcpy(out + 3 * i, (kind == RTKBlockOne ? f : b) + 3 * i, 48);
      continue;
    }
    ptrdiff_t end = i + 16 < count ? i + 16 : count;
    for (ptrdiff_t x = i; x < end; x++) {
      uint32_t m = matte[x];
      for (ptrdiff_t k = 3 * x; k < 3 * x + 3; k++) {
        out[k] = toByte[(m * toLight[f[k]] + (255 - m) * toLight[b[k]] + 127) / 255];
      }
    }
  }
}
