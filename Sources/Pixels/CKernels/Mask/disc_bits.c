// Dilation and erosion of a mask of two values, a bit for each pixel. As in morphology.c, each source row is widened to
// each segment length of the disc, shortest first, and merged into the result rows where the disc has that length.
#include "lanes.h"

/// Words beside a row, always 0, from which wider segments are shifted in.
enum { MARGIN = 4, LANES = 4 };

/// Whole vectors.
static size_t word_count(int32_t width) { return ((size_t)width + 255) / 256 * LANES; }

/// Rows that a source row reaches, used in turn.
static size_t row_count(const RTKDisc *disc) { return 2 * (size_t)disc->radius + 1; }

size_t rtk_disc_bits_scratch(const RTKDisc *disc) {
  size_t words = word_count(disc->width);
  return (2 * (words + 2 * MARGIN) + row_count(disc) * words) * sizeof(uint64_t);
}

/// The highest bits of eight bytes, the first byte's lowest.
RTK_BODY uint64_t highest_bits(uint64_t bytes) {
  return (((bytes >> 7) & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

/// Sets the bits of samples from 128 on, or of those below if `flip` is 255.
/// - Returns: whether any is set.
RTK_BODY int32_t pack_row(const uint8_t *row, uint8_t flip, int32_t width, uint64_t *bits, size_t words) {
  uint64_t any = 0, flipped = flip * 0x0101010101010101ull;
  for (size_t i = 0; i < words; i++) {
    int32_t x = (int32_t)i * 64, end = width - x < 64 ? width - x : 64;
    uint64_t word = 0;
    for (int32_t k = 0; k + 8 <= end; k += 8) word |= highest_bits(RTK_LOAD(uint64_t, row + x + k) ^ flipped) << k;
    for (int32_t k = end & ~7; k < end; k++) word |= (uint64_t)((uint8_t)(row[x + k] ^ flip) >> 7) << k;
    bits[i] = word;
    any |= word;
  }
  return any != 0;
}

/// - step: 1 to 63.
RTK_BODY void widen_bits(const uint64_t *restrict line, uint64_t *restrict out, size_t words, int32_t step) {
  for (size_t i = 0; i < words; i += LANES) {
    Lanes64 here = RTK_LOAD(Lanes64, line + i);
    Lanes64 left = RTK_LOAD(Lanes64, line + i - 1), right = RTK_LOAD(Lanes64, line + i + 1);
    here |= here << step | left >> (64 - step) | here >> step | right << (64 - step);
    RTK_STORE(out + i, here);
  }
}

RTK_BODY void merge(const uint64_t *restrict line, uint64_t *restrict out, size_t words) {
  for (size_t i = 0; i < words; i += LANES) {
    RTK_STORE(out + i, RTK_LOAD(Lanes64, out + i) | RTK_LOAD(Lanes64, line + i));
  }
}

typedef uint8_t Bytes32 __attribute__((vector_size(32)));

/// 32 bits as bytes of 0 and 255.
RTK_BODY Bytes32 bytes_of(uint32_t bits) {
  Bytes32 four = (Bytes32)((Lanes32){0} + bits);
  Bytes32 spread = __builtin_shufflevector(
      four, four, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
  Bytes32 places = (Bytes32)((Lanes64){0} + 0x8040201008040201);
  return (Bytes32)((spread & places) == places);
}

/// Writes a row of samples and clears its bits.
RTK_BODY void write_row(uint64_t *bits, size_t words, uint8_t flip, uint8_t *out, int32_t width) {
  int32_t x = 0;
  for (; x + 32 <= width; x += 32) RTK_STORE(out + x, bytes_of((uint32_t)(bits[x / 64] >> (x % 64))) ^ flip);
  if (x < width) {
    Bytes32 bytes = bytes_of((uint32_t)(bits[x / 64] >> (x % 64))) ^ flip;
    memcpy(out + x, &bytes, (size_t)(width - x));
  }
  memset(bits, 0, words * sizeof(uint64_t));
}

RTK_KERNEL(
    disc_bits, (disc, flip, mask, out, first, count, scratch),
    const RTKDisc *disc, uint8_t flip, const uint8_t *mask, uint8_t *out, int32_t first, int32_t count,
    void *scratch) {
  int32_t width = disc->width, radius = disc->radius;
  size_t words = word_count(width), slots = row_count(disc);
  memset(scratch, 0, rtk_disc_bits_scratch(disc));
  uint64_t *line = (uint64_t *)scratch + MARGIN, *other = line + words + 2 * MARGIN, *rows = other + words + MARGIN;
  for (int32_t y = first - radius; y < first + count + radius; y++) {
    int32_t isInside = y >= 0 && y < disc->height;
    if (isInside && pack_row(mask + (size_t)width * (size_t)y, flip, width, line, words)) {
      int32_t half = 0;
      for (int32_t d = radius; d >= 0; d--) {
        while (half < disc->reach[d]) {
          // A segment's shifted copies must meet. No disc of up to 1000 pixels has longer steps than 63.
          int32_t step = disc->reach[d] - half, most = half > 0 ? half : 1;
          if (step > most) step = most;
          widen_bits(line, other, words, step);
          uint64_t *swapped = line;
          line = other;
          other = swapped;
          half += step;
        }
        int32_t above = y - d, below = y + d;
        if (above >= first && above < first + count) merge(line, rows + words * ((size_t)above % slots), words);
        if (d > 0 && below >= first && below < first + count) {
          merge(line, rows + words * ((size_t)below % slots), words);
        }
      }
    }
    int32_t done = y - radius;
    if (done < first) continue;
    write_row(rows + words * ((size_t)done % slots), words, flip, out + (size_t)width * (size_t)done, width);
  }
}
