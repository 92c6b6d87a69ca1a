// Smooths the matte over time where the picture does not change, at the video's size.
#include "lanes.h"

/// Whether any channel of a pixel changed by more than `noise`.
RTK_BODY uint8_t is_moved(const uint8_t *rgb, const uint8_t *old, uint8_t noise) {
  uint8_t most = 0;
  for (int32_t c = 0; c < 3; c++) {
    uint8_t apart = rgb[c] < old[c] ? old[c] - rgb[c] : rgb[c] - old[c];
    if (apart > most) most = apart;
  }
  return most > noise;
}

/// Smooths the pixels from `from` up to `to` of row y.
RTK_BODY void calm_still_pixels(
    const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old, uint8_t *matte, int32_t y,
    int32_t from, int32_t to) {
  int32_t width = still->width, last = still->height - 1;
  size_t row = (size_t)y * (size_t)width;
  for (int32_t x = from; x < to; x++) {
    int32_t new = matte[row + (size_t)x], before = old[row + (size_t)x];
    // A large change is movement that the colours do not show, such as dark clothes in front of a dark sofa.
    if (new == before || new - before > still->most || before - new > still->most) continue;
    // Where an outline of such colours has passed, nothing of it may stay.
    if (new == 0 || new == 255) continue;
    uint8_t moved = 0;
    for (int32_t dy = -1; dy <= 1; dy++) {
      size_t line = (size_t)rtk_clamped(y + dy, last) * (size_t)width;
      for (int32_t dx = -1; dx <= 1; dx++) {
        size_t place = 3 * (line + (size_t)rtk_clamped(x + dx, width - 1));
        moved |= is_moved(rgb + place, oldRGB + place, (uint8_t)still->noise);
      }
    }
    if (moved) continue;
    // Rounded towards the new value, so that the matte converges to it.
    matte[row + (size_t)x] = (uint8_t)(new + (before - new) * still->weight / 256);
  }
}

RTK_BODY void calm_still(
    const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old, uint8_t *matte,
    int32_t first, int32_t count) {
  for (int32_t y = first; y < first + count; y++) {
    calm_still_pixels(still, rgb, oldRGB, old, matte, y, 0, still->width);
  }
}

#if RTK_HAS_AVX2
/// Bits of the bytes from `byte` on, 64 at most, that changed by more than `noise` in any of three rows.
RTK_AVX2_BODY uint64_t moved_bytes_avx2(
    const uint8_t *const rows[3], const uint8_t *const olds[3], ptrdiff_t byte, __m256i noise) {
  __m256i moved[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  for (int32_t k = 0; k < 3; k++) {
    for (int32_t i = 0; i < 2; i++) {
      __m256i now = _mm256_loadu_si256((const __m256i *)(rows[k] + byte + 32 * i));
      __m256i old = _mm256_loadu_si256((const __m256i *)(olds[k] + byte + 32 * i));
      __m256i apart = _mm256_or_si256(_mm256_subs_epu8(now, old), _mm256_subs_epu8(old, now));
      moved[i] = _mm256_or_si256(moved[i], _mm256_subs_epu8(apart, noise));
    }
  }
  __m256i zero = _mm256_setzero_si256();
  return ~rtk_byte_masks(_mm256_cmpeq_epi8(moved[0], zero), _mm256_cmpeq_epi8(moved[1], zero));
}

RTK_AVX2_BODY void calm_still_rows_avx2(
    const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old, uint8_t *matte,
    int32_t first, int32_t count) {
  int32_t width = still->width, last = still->height - 1, most = still->most < 255 ? still->most : 255;
  __m256i noise = _mm256_set1_epi8((char)still->noise);
  __m128i limit = _mm_set1_epi8((char)most), zero = _mm_setzero_si128(), full = _mm_set1_epi8((char)255);
  for (int32_t y = first; y < first + count; y++) {
    size_t row = (size_t)y * (size_t)width;
    const uint8_t *rows[3], *olds[3];
    for (int32_t k = 0; k < 3; k++) {
      size_t line = 3 * (size_t)rtk_clamped(y + k - 1, last) * (size_t)width;
      rows[k] = rgb + line;
      olds[k] = oldRGB + line;
    }
    for (int32_t x = 0; x < width;) {
      // Blocks read a pixel before them and 21 1/3 in all, so those at the edges are left to the plain loop.
      if (x == 0 || x + 21 > width) {
        int32_t end = x == 0 ? 1 : width;
        calm_still_pixels(still, rgb, oldRGB, old, matte, y, x, end);
        x = end;
        continue;
      }
      __m128i new = _mm_loadu_si128((const __m128i *)(matte + row + x));
      __m128i before = _mm_loadu_si128((const __m128i *)(old + row + x));
      __m128i apart = _mm_or_si128(_mm_subs_epu8(new, before), _mm_subs_epu8(before, new));
      __m128i isSmall = _mm_cmpeq_epi8(_mm_subs_epu8(apart, limit), zero), isSame = _mm_cmpeq_epi8(apart, zero);
      __m128i isEnd = _mm_or_si128(_mm_cmpeq_epi8(new, zero), _mm_cmpeq_epi8(new, full));
      uint32_t wanted = (uint32_t)_mm_movemask_epi8(_mm_andnot_si128(_mm_or_si128(isSame, isEnd), isSmall));
      if (wanted) {
        uint64_t moved = moved_bytes_avx2(rows, olds, 3 * (ptrdiff_t)(x - 1), noise);
        // The nine bytes of three pixels.
        moved |= moved >> 1 | moved >> 2;
        moved |= moved >> 3 | moved >> 6;
        for (; wanted; wanted &= wanted - 1) {
          int32_t i = __builtin_ctz(wanted), value = matte[row + (size_t)(x + i)];
          if (moved >> (3 * i) & 1) continue;
          int32_t was = old[row + (size_t)(x + i)];
          matte[row + (size_t)(x + i)] = (uint8_t)(value + (was - value) * still->weight / 256);
        }
      }
      x += 16;
    }
  }
}
#endif

RTK_DISPATCH(
    calm_still, (still, rgb, oldRGB, old, matte, first, count),
    (const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old, uint8_t *matte,
     int32_t first, int32_t count),
    calm_still(still, rgb, oldRGB, old, matte, first, count),
    calm_still_rows_avx2(still, rgb, oldRGB, old, matte, first, count))
