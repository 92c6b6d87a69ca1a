#include "runs.h"

size_t rtk_regions_scratch(int32_t width, int32_t height) {
  return 2 * regions_bytes(width, height) + run_limit(width, height) * sizeof(int64_t);
}

/// Appends the gaps between and around a row's runs.
RTK_BODY int32_t find_gaps(const Run *runs, int32_t count, int32_t width, Run *gaps, int32_t gapCount) {
  int32_t from = 0;
  for (int32_t i = 0; i < count; i++) {
    if (runs[i].from > from) gaps[gapCount++] = (Run){from, runs[i].from};
    from = runs[i].to;
  }
  if (from < width) gaps[gapCount++] = (Run){from, width};
  return gapCount;
}

/// Number of set bits from ..< to of a row.
RTK_BODY int64_t count_bits(const uint64_t *row, int32_t from, int32_t to) {
  int32_t first = from / 64, last = (to - 1) / 64;
  int64_t count = 0;
  for (int32_t w = first; w <= last; w++) {
    uint64_t word = row[w];
    if (w == first) word &= ~(uint64_t)0 << from % 64;
    if (w == last) word &= ~(uint64_t)0 >> (63 - (to - 1) % 64);
    count += __builtin_popcountll(word);
  }
  return count;
}

RTK_BODY void regions(
    const uint64_t *person, const uint64_t *within, int32_t width, int32_t height, RTKRegions *found, void *scratch) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  Regions pieces = regions_in(scratch, width, height);
  uint8_t *rest = (uint8_t *)scratch + regions_bytes(width, height);
  Regions gaps = regions_in(rest, width, height);
  int64_t *pixels = (int64_t *)(rest + regions_bytes(width, height));
  for (int32_t y = 0; y < height; y++) {
    int32_t first = pieces.count;
    join_runs(&pieces, find_runs(pieces.runs, first, person + y * stride, words, NULL, words), y, 1);
    const Run *runs = pieces.runs + first;
    join_runs(&gaps, find_gaps(runs, pieces.count - first, width, gaps.runs, gaps.count), y, 0);
  }
  *found = (RTKRegions){pieces.regionCount, 0, 0};
  settle(&gaps);
  // Sum each gap's pixels; -1 marks a gap that touches the border.
  for (int32_t y = 0; y < height; y++) {
    for (int32_t i = gaps.rows[y]; i < gaps.rows[y + 1]; i++) {
      Run run = gaps.runs[i];
      int64_t *sum = &pixels[gaps.parents[i]];
      if (gaps.parents[i] == i) *sum = 0;
      int32_t isAtBorder = y == 0 || y == height - 1 || run.from == 0 || run.to == width;
      if (isAtBorder || *sum < 0) {
        *sum = -1;
      } else {
        *sum += within ? count_bits(within + y * stride, run.from, run.to) : run.to - run.from;
      }
    }
  }
  for (int32_t run = 0; run < gaps.count; run++) {
    if (gaps.parents[run] != run || pixels[run] < 0) continue;
    found->holeCount++;
    found->holePixelCount += pixels[run];
  }
}

RTK_DEFINE(
    regions,
    (const uint64_t *person, const uint64_t *within, int32_t width, int32_t height, RTKRegions *found, void *scratch),
    (person, within, width, height, found, scratch))
