#include "lanes.h"

// Expands 16 matte values to one of three vectors of RGB bytes: each value three times.
#define SPREAD(matte, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) \
  __builtin_shufflevector(matte, matte, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)

RTK_BODY void blend_bytes(const uint8_t *f, const uint8_t *b, Bytes16 matte, uint8_t *out) {
  Lanes16 m = __builtin_convertvector(matte, Lanes16);
  Lanes16 near = m * __builtin_convertvector(RTK_LOAD(Bytes16, f), Lanes16);
  Lanes16 far = (255 - m) * __builtin_convertvector(RTK_LOAD(Bytes16, b), Lanes16);
  // Blinn's division: equals (near + far + 127) / 255 for all inputs.
  Lanes16 sum = near + far + 128;
  RTK_STORE(out, __builtin_convertvector((sum + (sum >> 8)) >> 8, Bytes16));
}

RTK_BODY void blend_part(const uint8_t *f, const uint8_t *b, const uint8_t *matte, uint8_t *out) {
  Bytes16 m = RTK_LOAD(Bytes16, matte);
  blend_bytes(f, b, SPREAD(m, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5), out);
  blend_bytes(f + 16, b + 16, SPREAD(m, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 9, 10, 10), out + 16);
  blend_bytes(f + 32, b + 32, SPREAD(m, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14, 14, 15, 15, 15), out + 32);
}

RTK_KERNEL(
    blend_rgb, (f, b, matte, out, count),
    const uint8_t *f, const uint8_t *b, const uint8_t *matte, uint8_t *out, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 32 <= count; i += 32) {
    ptrdiff_t k = 3 * i;
    Lanes64 m = RTK_LOAD(Lanes64, matte + i);
    if ((m[0] & m[1] & m[2] & m[3]) == UINT64_MAX) {
      memcpy(out + k, f + k, 96);
    } else if ((m[0] | m[1] | m[2] | m[3]) == 0) {
      memcpy(out + k, b + k, 96);
    } else {
      blend_part(f + k, b + k, matte + i, out + k);
      blend_part(f + k + 48, b + k + 48, matte + i + 16, out + k + 48);
    }
  }
  for (; i < count; i++) {
    for (ptrdiff_t k = 3 * i; k < 3 * i + 3; k++) {
      uint32_t sum = (uint32_t)matte[i] * f[k] + (255u - matte[i]) * b[k] + 128;
      out[k] = (uint8_t)((sum + (sum >> 8)) >> 8);
    }
  }
}
