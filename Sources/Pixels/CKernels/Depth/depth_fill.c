#include "lanes.h"

RTK_BODY Lanes16 latest(Lanes16 value, Lanes16 before) {
  Lanes16 isMeasured = (Lanes16)(value != 0);
  return value | (~isMeasured & before);
}

RTK_BODY void columns16(const uint16_t *depth, uint16_t *found, int32_t width, int32_t height) {
  Lanes16 run = {0};
  for (int32_t y = height - 1; y >= 0; y--) {
    run = latest(RTK_LOAD(Lanes16, depth + (ptrdiff_t)y * width), run);
    RTK_STORE(found + (ptrdiff_t)y * width, run);
  }
  run = (Lanes16){0};
  for (int32_t y = 0; y < height; y++) {
    ptrdiff_t at = (ptrdiff_t)y * width;
    run = latest(RTK_LOAD(Lanes16, depth + at), run);
    RTK_STORE(found + at, __builtin_elementwise_max(run, RTK_LOAD(Lanes16, found + at)));
  }
}

RTK_KERNEL(
    depth_columns, (depth, found, width, height, first, count),
    const uint16_t *depth, uint16_t *found, int32_t width, int32_t height, int32_t first, int32_t count) {
  int32_t x = first;
  for (; x + 16 <= first + count; x += 16) columns16(depth + x, found + x, width, height);
  for (; x < first + count; x++) {
    uint16_t run = 0;
    for (int32_t y = height - 1; y >= 0; y--) {
      ptrdiff_t at = (ptrdiff_t)y * width + x;
      found[at] = run = depth[at] ? depth[at] : run;
    }
    run = 0;
    for (int32_t y = 0; y < height; y++) {
      ptrdiff_t at = (ptrdiff_t)y * width + x;
      run = depth[at] ? depth[at] : run;
      if (run > found[at]) found[at] = run;
    }
  }
}

RTK_BODY int32_t next_hole(const uint16_t *row, int32_t x, int32_t width) {
  for (; x + 16 <= width; x += 16) {
    Lanes16 isHole = (Lanes16)(RTK_LOAD(Lanes16, row + x) == 0);
    uint64_t any = 0;
    Lanes64 words = (Lanes64)isHole;
    for (int32_t k = 0; k < 4; k++) any |= words[k];
    if (any == 0) continue;
    while (row[x] != 0) x++;
    return x;
  }
  while (x < width && row[x] != 0) x++;
  return x;
}

RTK_KERNEL(
    depth_fill, (depth, found, width, count),
    uint16_t *depth, const uint16_t *found, int32_t width, int32_t count) {
  for (int32_t y = 0; y < count; y++) {
    uint16_t *row = depth + (ptrdiff_t)y * width;
    const uint16_t *along = found + (ptrdiff_t)y * width;
    int32_t x = next_hole(row, 0, width);
    while (x < width) {
      int32_t end = x + 1;
      while (end < width && row[end] == 0) end++;
      uint16_t left = x > 0 ? row[x - 1] : 0, right = end < width ? row[end] : 0;
      uint16_t farther = left > right ? left : right;
      for (; x < end; x++) row[x] = along[x] > farther ? along[x] : farther;
      x = next_hole(row, end, width);
    }
  }
}
