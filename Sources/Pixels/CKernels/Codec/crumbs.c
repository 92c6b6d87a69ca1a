#include <stdbool.h>

#include "lanes.h"

/// Unpacks the large numbers. Returns false unless exactly `wideCount` wide numbers are used.
RTK_BODY bool large_numbers(const RTKCrumbs *packed, uint16_t *large) {
  const uint8_t *low = packed->wide, *high = packed->wide + packed->wideCount;
  size_t wideIndex = 0;
  for (size_t i = 0; i < packed->largeCount; i += 2) {
    const uint8_t byte = packed->nibbles[i / 2];
    large[i] = byte & 15;
    large[i + 1] = byte >> 4;
    // Fast path: neither nibble is 15.
    if ((byte & 15) != 15 && byte < 0xF0) continue;
    const size_t end = i + 2 < packed->largeCount ? i + 2 : packed->largeCount;
    for (size_t k = i; k < end; k++) {
      if (large[k] != 15) continue;
      if (wideIndex == packed->wideCount) return false;
      large[k] = (uint16_t)(large[k] + (low[wideIndex] | high[wideIndex] << 8));
      wideIndex++;
    }
  }
  return wideIndex == packed->wideCount;
}

/// Returns the number of large numbers used; damaged data may use more than there are.
RTK_BODY size_t crumbs_plain(const RTKCrumbs *packed, const uint16_t *large, uint16_t *values) {
  size_t used = 0;
  for (size_t i = 0; i < packed->crumbByteCount; i++) {
    const uint32_t crumb = packed->crumbs[i];
    uint16_t *target = values + 4 * i;
    for (int lane = 0; lane < 4; lane++) {
      const uint32_t number = crumb >> 2 * lane & 3;
      target[lane] = (uint16_t)(number + (number == 3 ? large[used] : 0));
      used += number == 3;
    }
  }
  return used;
}

#if RTK_HAS_AVX2
/// For each set of threes, the shuffle that moves large numbers to them; other lanes get 0.
#define RANK(m, lane) (((m) & 1 && lane > 0) + ((m) >> 2 & 1 && lane > 1) + ((m) >> 4 & 1 && lane > 2))
#define LANE(m, lane) \
  ((uint64_t)((m) >> 2 * (lane) & 1 ? 2 * RANK(m, lane) | (2 * RANK(m, lane) + 1) << 8 : 0x8080) << 16 * (lane))
#define PLACES(m) [m] = LANE(m, 0) | LANE(m, 1) | LANE(m, 2) | LANE(m, 3)
static const uint64_t placesOf[0x56] = {
    PLACES(0x00), PLACES(0x01), PLACES(0x04), PLACES(0x05), PLACES(0x10), PLACES(0x11), PLACES(0x14), PLACES(0x15),
    PLACES(0x40), PLACES(0x41), PLACES(0x44), PLACES(0x45), PLACES(0x50), PLACES(0x51), PLACES(0x54), PLACES(0x55),
};

#define FOUR(c) ((c) | (uint64_t)(c) << 14 | (uint64_t)(c) << 28 | (uint64_t)(c) << 42) & 0x0003000300030003
#define FOURS4(c) FOUR(c), FOUR(c + 1), FOUR(c + 2), FOUR(c + 3)
#define FOURS16(c) FOURS4(c), FOURS4(c + 4), FOURS4(c + 8), FOURS4(c + 12)
#define FOURS64(c) FOURS16(c), FOURS16(c + 16), FOURS16(c + 32), FOURS16(c + 48)
static const uint64_t crumbsOf[256] = {FOURS64(0), FOURS64(64), FOURS64(128), FOURS64(192)};

/// Sets the low bit of every 2-bit crumb that is 3.
RTK_BODY uint32_t threes(uint32_t crumb) { return crumb & crumb >> 1 & 0x55; }

/// Branch-free, because which crumbs are 3 is unpredictable.
__attribute__((target("avx2,popcnt"))) static size_t crumbs_avx2(
    const RTKCrumbs *packed, const uint16_t *large, uint16_t *values) {
  const uint8_t *crumbs = packed->crumbs;
  const size_t count = packed->crumbByteCount;
  const uint16_t *next = large;
  for (size_t i = 0; i < count; i++) {
    const uint32_t crumb = crumbs[i], set = threes(crumb);
    const __m128i more =
        _mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)next), _mm_loadl_epi64((const __m128i *)&placesOf[set]));
    const __m128i four = _mm_loadl_epi64((const __m128i *)&crumbsOf[crumb]);
    _mm_storel_epi64((__m128i *)(values + 4 * i), _mm_add_epi16(four, more));
    next += __builtin_popcount(set);
  }
  return (size_t)(next - large);
}
#endif

// Damaged data may read behind the large numbers; the count comparison then rejects it.
RTK_DISPATCH(
    crumbs_decode, (packed, scratch, values, isWhole),
    (const RTKCrumbs *packed, uint16_t *scratch, uint16_t *values, bool *isWhole),
    *isWhole = large_numbers(packed, scratch) && crumbs_plain(packed, scratch, values) == packed->largeCount,
    *isWhole = large_numbers(packed, scratch) && crumbs_avx2(packed, scratch, values) == packed->largeCount)
