#include "lanes.h"

RTK_BODY uint64_t last_bit(int32_t width) { return (uint64_t)1 << (width - 1) % 64; }

RTK_BODY uint64_t last_bits(int32_t width) { return (last_bit(width) << 1) - 1; }

RTK_BODY void contour(const uint64_t *person, uint64_t *contour, int32_t width, int32_t height, int64_t *count) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  uint64_t last = last_bit(width);
  int64_t found = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint64_t *row = person + y * stride, *below = y + 1 < height ? row + stride : row;
    uint64_t *out = contour + y * stride;
    // This treats the pixel right of the last one as 0; the last pixel is corrected below.
    for (ptrdiff_t w = 0; w < stride; w += 4) {
      Lanes64 here = RTK_LOAD(Lanes64, row + w), under = RTK_LOAD(Lanes64, below + w);
      Lanes64 right = here >> 1 | RTK_LOAD(Lanes64, row + w + 1) << 63;
      Lanes64 corner = under >> 1 | RTK_LOAD(Lanes64, below + w + 1) << 63;
      RTK_STORE(out + w, (here ^ right) | (here ^ under) | (here ^ corner));
    }
    uint64_t isUnlike = (row[words - 1] ^ below[words - 1]) & last;
    out[words - 1] = (out[words - 1] & ~last) | isUnlike;
    // The shifts above may have read the next row.
    out[stride - 1] = 0;
    for (ptrdiff_t w = 0; w < words; w++) found += __builtin_popcountll(out[w]);
  }
  *count = found;
}

RTK_DEFINE(
    contour, (const uint64_t *person, uint64_t *contour_, int32_t width, int32_t height, int64_t *count),
    (person, contour_, width, height, count))

/// Four words, joined with themselves shifted left and right by `by` bits, 1 ... 63.
RTK_BODY void widened(const uint64_t *words, int32_t by, Lanes64 *out) {
  Lanes64 here = RTK_LOAD(Lanes64, words), before = RTK_LOAD(Lanes64, words - 1), next = RTK_LOAD(Lanes64, words + 1);
  *out = here | here << by | before >> (64 - by) | here >> by | next << (64 - by);
}

/// The words of a row between the first and last that are not 0; `to` is 0 for an empty row.
typedef struct {
  ptrdiff_t from;
  ptrdiff_t to;
} Span;

RTK_BODY Span filled(const uint64_t *row, ptrdiff_t words) {
  Span span = {0, words};
  while (span.to > 0 && row[span.to - 1] == 0) span.to--;
  while (span.from < span.to && row[span.from] == 0) span.from++;
  return span;
}

// A row with a vector of zeros on either side.
size_t rtk_spread_scratch(int32_t width) { return ((size_t)rtk_bit_stride(width) + 8) * sizeof(uint64_t); }

/// Dilates a row by `by` pixels, at most 63, each way.
RTK_BODY void widen(uint64_t *row, ptrdiff_t from, ptrdiff_t to, int32_t by) {
  Lanes64 ahead;
  widened(row + from, by, &ahead);
  for (ptrdiff_t w = from; w < to; w += 4) {
    // Read the next vector before writing this one.
    Lanes64 wider = ahead;
    if (w + 4 < to) widened(row + w + 4, by, &ahead);
    RTK_STORE(row + w, wider);
  }
}

RTK_BODY void join_row(const uint64_t *row, uint64_t *out, ptrdiff_t from, ptrdiff_t to) {
  for (ptrdiff_t w = from; w < to; w += 4) {
    RTK_STORE(out + w, RTK_LOAD(Lanes64, out + w) | RTK_LOAD(Lanes64, row + w));
  }
}

RTK_BODY void spread(
    const uint64_t *pixels, uint64_t *spread, int32_t width, int32_t height, int32_t radius, void *scratch) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64, reach = (radius + 63) / 64;
  memset(spread, 0, (size_t)stride * (size_t)height * sizeof(uint64_t));
  uint64_t *const row = (uint64_t *)scratch + 4;
  // Half-widths of the disc's rows.
  int32_t halves[RTKSpreadLimit + 1];
  for (int32_t k = 0, half = radius; k <= radius; k++) {
    while (half * half + k * k > radius * radius) half--;
    halves[k] = half;
  }
  for (int32_t y = 0; y < height; y++) {
    const uint64_t *in = pixels + y * stride;
    Span span = filled(in, words);
    if (span.to == 0) continue;
    ptrdiff_t from = (span.from < reach ? 0 : span.from - reach) / 4 * 4;
    ptrdiff_t to = (span.to + reach + 3) / 4 * 4;
    if (to > stride) to = stride;
    memset(row + from - 4, 0, (size_t)(to - from + 8) * sizeof(uint64_t));
    memcpy(row + from, in + from, (size_t)(to - from) * sizeof(uint64_t));
    // From the disc's shortest row to its longest, so that each step widens the previous row.
    int32_t half = 0;
    for (int32_t k = radius; k >= 0; k--) {
      while (half < halves[k]) {
        int32_t by = halves[k] - half;
        // A larger step would leave gaps.
        if (by > 2 * half + 1) by = 2 * half + 1;
        if (by > 63) by = 63;
        widen(row, from, to, by);
        half += by;
      }
      if (y - k >= 0) join_row(row, spread + (y - k) * stride, from, to);
      if (k > 0 && y + k < height) join_row(row, spread + (y + k) * stride, from, to);
    }
  }
  for (int32_t y = 0; y < height; y++) {
    uint64_t *out = spread + y * stride;
    out[words - 1] &= last_bits(width);
    for (ptrdiff_t w = words; w < stride; w++) out[w] = 0;
  }
}

RTK_DEFINE(
    spread,
    (const uint64_t *pixels, uint64_t *spread_, int32_t width, int32_t height, int32_t radius, void *scratch),
    (pixels, spread_, width, height, radius, scratch))

RTK_BODY void count_both(const uint64_t *a, const uint64_t *b, ptrdiff_t wordCount, int64_t *count) {
  int64_t found = 0;
  for (ptrdiff_t i = 0; i < wordCount; i++) found += __builtin_popcountll(a[i] & b[i]);
  *count = found;
}

RTK_DEFINE(
    count_both, (const uint64_t *a, const uint64_t *b, ptrdiff_t wordCount, int64_t *count), (a, b, wordCount, count))

RTK_BODY void count_near(
    const uint64_t *pixels, const uint64_t *others, int32_t width, int32_t height, int32_t radius, int64_t *count) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  int64_t found = 0;
  int32_t halves[RTKNearLimit + 1];
  uint64_t discs[RTKNearLimit + 1];
  for (int32_t k = 0, half = radius; k <= radius; k++) {
    while (half * half + k * k > radius * radius) half--;
    halves[k] = half;
    discs[k] = ((uint64_t)1 << (2 * half + 1)) - 1;
  }
  for (int32_t y = 0; y < height; y++) {
    for (ptrdiff_t w = 0; w < words; w++) {
      for (uint64_t bits = pixels[y * stride + w]; bits != 0; bits &= bits - 1) {
        int32_t x = (int32_t)(64 * w) + __builtin_ctzll(bits);
        uint64_t near = 0;
        // The nearest rows first, because most edges coincide.
        for (int32_t k = 0; k <= radius && near == 0; k++) {
          // The words before and after a row are 0.
          ptrdiff_t place = (x - halves[k]) >> 6, shift = (x - halves[k]) & 63;
          for (int32_t side = 0; side < 2; side++) {
            int32_t row = side == 0 ? y - k : y + k;
            if (row < 0 || row >= height) continue;
            const uint64_t *from = others + row * stride + place;
            near |= (from[0] >> shift | from[1] << 1 << (63 - shift)) & discs[k];
          }
        }
        found += near != 0;
      }
    }
  }
  *count = found;
}

RTK_DEFINE(
    count_near,
    (const uint64_t *pixels, const uint64_t *others, int32_t width, int32_t height, int32_t radius, int64_t *count),
    (pixels, others, width, height, radius, count))

/// What a pair of pixels of a picture in packed RGB differs by.
typedef int32_t (*Difference)(const uint8_t *picture, ptrdiff_t a, ptrdiff_t b);

RTK_BODY int32_t color_difference(const uint8_t *picture, ptrdiff_t a, ptrdiff_t b) {
  int32_t sum = 0;
  for (int32_t c = 0; c < 3; c++) {
    int32_t d = picture[3 * a + c] - picture[3 * b + c];
    sum += d < 0 ? -d : d;
  }
  return sum;
}

#if RTK_HAS_AVX2
/// Red, green and blue of a pixel. The first one has no byte before it, and the last one none behind it.
RTK_AVX2_BODY __m128i color_at(const uint8_t *picture, ptrdiff_t i) {
  uint32_t color = i == 0 ? RTK_LOAD(uint32_t, picture) << 8 : RTK_LOAD(uint32_t, picture + 3 * i - 1);
  return _mm_cvtsi32_si128((int32_t)(color >> 8));
}

RTK_AVX2_BODY int32_t color_difference_avx2(const uint8_t *picture, ptrdiff_t a, ptrdiff_t b) {
  return _mm_cvtsi128_si32(_mm_sad_epu8(color_at(picture, a), color_at(picture, b)));
}
#endif

RTK_BODY void contrast(
    const uint64_t *person, const uint8_t *picture, int32_t width, int32_t height, int32_t reach, int64_t *steps,
    int64_t *pairCount, Difference difference) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  int64_t sum = 0, pairs = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint64_t *row = person + y * stride;
    ptrdiff_t here = (ptrdiff_t)width * y, above = (ptrdiff_t)width * rtk_clamped(y - reach, height - 1);
    ptrdiff_t below = (ptrdiff_t)width * rtk_clamped(y + 1 + reach, height - 1);
    for (ptrdiff_t w = 0; w < words; w++) {
      int32_t first = 64 * (int32_t)w;
      // Pixels unlike the one to the right, which is there, and unlike the one below.
      uint64_t across = row[w] ^ (row[w] >> 1 | row[w + 1] << 63), down = y + 1 < height ? row[w] ^ row[w + stride] : 0;
      if (first + 64 >= width) across &= ((uint64_t)1 << (width - 1 - first)) - 1;
      pairs += __builtin_popcountll(across) + __builtin_popcountll(down);
      for (; across != 0; across &= across - 1) {
        int32_t x = first + __builtin_ctzll(across);
        sum += difference(
            picture, here + rtk_clamped(x - reach, width - 1), here + rtk_clamped(x + 1 + reach, width - 1));
      }
      for (; down != 0; down &= down - 1) {
        int32_t x = first + __builtin_ctzll(down);
        sum += difference(picture, above + x, below + x);
      }
    }
  }
  *steps = sum;
  *pairCount = pairs;
}

RTK_DISPATCH(
    contrast, (person, picture, width, height, reach, steps, pairCount),
    (const uint64_t *person, const uint8_t *picture, int32_t width, int32_t height, int32_t reach, int64_t *steps,
     int64_t *pairCount),
    contrast(person, picture, width, height, reach, steps, pairCount, color_difference),
    contrast(person, picture, width, height, reach, steps, pairCount, color_difference_avx2))
