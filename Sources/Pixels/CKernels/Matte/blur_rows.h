// Blurs along x: each change of the mask adds a scaled step response; flat stretches are free.
#ifndef RETAKE_BLUR_ROWS_H
#define RETAKE_BLUR_ROWS_H

#include "lanes.h"

enum {
  /// Rows of the result made per chunk, few enough for the scratch lines to stay in the L2 cache.
  CHUNK_ROWS = 96,
  /// The content of a line is not known.
  UNKNOWN = 3,
};

/// Sixteen columns of a row blurred along x: value = high * 2^11 + low, low in -1024 ... 1023. 1.0
/// is high = 8192, low = 0. The size is one cache line.
typedef struct {
  int16_t high[RTKBlockWidth];
  int16_t low[RTKBlockWidth];
} Line;

typedef struct {
  int32_t blockCount;
  /// Rows on each side of a window's middle.
  int32_t reach;
  int32_t lineCount;
  /// `lineCount` lines per block, all that a chunk's windows read, and the content of each.
  Line *lines;
  uint8_t *kinds;
  uint32_t *row;
  int32_t *changes;
  uint8_t *rowKinds;
} Scratch;

RTK_BODY size_t lay_out(const RTKBlur *blur, Scratch *scratch, uint8_t *base) {
  scratch->blockCount = rtk_block_count(blur->width);
  scratch->reach = 2 * blur->pairCount - 1;
  scratch->lineCount = CHUNK_ROWS + 2 * scratch->reach;
  size_t used = 0, blockCount = (size_t)scratch->blockCount, allLines = blockCount * (size_t)scratch->lineCount;
  scratch->lines = rtk_part(base, &used, allLines * sizeof(Line));
  scratch->kinds = rtk_part(base, &used, allLines);
  scratch->row = rtk_part(base, &used, blockCount * RTKBlockWidth * sizeof(uint32_t));
  scratch->changes = rtk_part(base, &used, (size_t)blur->width * sizeof(int32_t));
  scratch->rowKinds = rtk_part(base, &used, blockCount);
  return used;
}

RTK_BODY int32_t find_changes(const uint8_t *mask, int32_t x, int32_t width, int32_t *changes, int32_t count) {
  for (; x + 8 <= width; x += 8) {
    uint64_t difference = RTK_LOAD(uint64_t, mask + x) ^ RTK_LOAD(uint64_t, mask + x - 1);
    if (difference == 0) continue;
    for (int32_t k = x; k < x + 8; k++) {
      if (mask[k] != mask[k - 1]) changes[count++] = k;
    }
  }
  for (; x < width; x++) {
    if (mask[x] != mask[x - 1]) changes[count++] = x;
  }
  return count;
}

RTK_BODY int32_t find_changes_plain(const uint8_t *mask, int32_t width, int32_t *changes) {
  return find_changes(mask, 1, width, changes, 0);
}

/// Determines the content of a row's blocks; blocks out of reach of every change are flat.
RTK_BODY void find_kinds(
    const RTKBlur *blur, const Scratch *scratch, const uint8_t *mask, int32_t count) {
  const int32_t *changes = scratch->changes;
  int32_t radius = blur->radius, unmarked = 0;
  memset(scratch->rowKinds, RTKBlockMixed, (size_t)scratch->blockCount);
  uint8_t settled = mask[0];
  for (int32_t k = 0; k <= count; k++) {
    int32_t touched = k < count ? changes[k] - radius : scratch->blockCount * RTKBlockWidth;
    int32_t last = touched < 0 ? 0 : touched / RTKBlockWidth;
    if ((settled == 0 || settled == 255) && last > unmarked) {
      memset(scratch->rowKinds + unmarked, settled == 0 ? RTKBlockZero : RTKBlockOne, (size_t)(last - unmarked));
    }
    if (k == count) break;
    settled = mask[changes[k]];
    int32_t next = (changes[k] + radius - 1) / RTKBlockWidth + 1;
    if (next > unmarked) unmarked = next;
  }
}

/// Blurs a row along x: the sum over changes c of change * response(x - c), in 1/255 of RTKBlurOne.
/// The sum fits into 32 bits and is divided by 255, rounded to nearest. For a binary mask, each
/// change counts as 1 instead of 255, which gives the same result without the division.
RTK_BODY void blur_row(const RTKBlur *blur, const Scratch *scratch, const uint8_t *mask, int32_t count) {
  int32_t width = blur->width, radius = blur->radius, stride = scratch->blockCount * RTKBlockWidth;
  const int32_t *changes = scratch->changes;
  uint32_t *out = scratch->row;
  int isBinary = mask[0] == 0 || mask[0] == 255;
  for (int32_t k = 0; k < count; k++) isBinary &= mask[changes[k]] == 0 || mask[changes[k]] == 255;

  // Start from the mask's value one radius to the left, where every response has ended.
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    if (scratch->rowKinds[b] != RTKBlockMixed) continue;
    int32_t x = b * RTKBlockWidth, behind = x - radius;
    uint8_t settled[RTKBlockWidth];
    if (behind >= 0 && behind + RTKBlockWidth <= width) {
      memcpy(settled, mask + behind, RTKBlockWidth);
    } else {
      for (int32_t i = 0; i < RTKBlockWidth; i++) settled[i] = mask[rtk_clamped(behind + i, width - 1)];
    }
    if (isBinary) {
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[x + i] = (uint32_t)(settled[i] & 1) << 24;
    } else {
      for (int32_t i = 0; i < RTKBlockWidth; i++) out[x + i] = (uint32_t)settled[i] << 24;
    }
  }
  for (int32_t k = 0; k < count; k++) {
    int32_t place = changes[k], from = place - radius, to = place + radius;
    const uint32_t *steps = blur->steps;
    if (from < 0) {
      steps -= from;
      from = 0;
    }
    if (to > width) to = width;
    uint32_t *target = out + from;
    int32_t length = to - from;
    int32_t change = (int32_t)mask[place] - (int32_t)mask[place - 1];
    if (!isBinary) {
      for (int32_t i = 0; i < length; i++) target[i] += (uint32_t)change * steps[i];
    } else if (change > 0) {
      for (int32_t i = 0; i < length; i++) target[i] += steps[i];
    } else {
      for (int32_t i = 0; i < length; i++) target[i] -= steps[i];
    }
  }
  if (!isBinary) {
    for (int32_t i = 0; i < stride; i++) out[i] = (uint32_t)(((uint64_t)out[i] + 127) / 255);
  }
}

/// Splits the row into lines. A line that already holds the same flat content is skipped.
RTK_BODY void store_lines(const Scratch *scratch, int32_t number) {
  for (int32_t b = 0; b < scratch->blockCount; b++) {
    size_t place = (size_t)b * (size_t)scratch->lineCount + (size_t)number;
    uint8_t kind = scratch->rowKinds[b];
    Line *line = scratch->lines + place;
    if (kind == RTKBlockMixed) {
      const uint32_t *row = scratch->row + b * RTKBlockWidth;
      for (int32_t i = 0; i < RTKBlockWidth; i++) {
        uint32_t high = (row[i] + (1 << (RTKLowBits - 1))) >> RTKLowBits;
        line->high[i] = (int16_t)high;
        line->low[i] = (int16_t)(row[i] - (high << RTKLowBits));
      }
    } else if (kind != scratch->kinds[place]) {
      int16_t value = kind == RTKBlockOne ? RTKBlurOne >> RTKLowBits : 0;
      for (int32_t i = 0; i < RTKBlockWidth; i++) line->high[i] = value;
      memset(line->low, 0, sizeof line->low);
    }
    scratch->kinds[place] = kind;
  }
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY int32_t find_changes_avx2(const uint8_t *mask, int32_t width, int32_t *changes) {
  int32_t count = 0, x = 1;
  for (; x + 32 <= width; x += 32) {
    __m256i here = _mm256_loadu_si256((const __m256i *)(mask + x));
    __m256i before = _mm256_loadu_si256((const __m256i *)(mask + x - 1));
    uint32_t bits = ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(here, before));
    for (; bits; bits &= bits - 1) changes[count++] = x + __builtin_ctz(bits);
  }
  return find_changes(mask, x, width, changes, count);
}
#endif

#endif
