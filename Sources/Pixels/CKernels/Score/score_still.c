// Finds pixels that moved from one frame to the next: in the picture, the matte and depth. Integers only.
#include "bits.h"

RTK_BODY void picture_change(
    const uint8_t *picture, const uint8_t *before, int32_t width, int32_t height, uint16_t *change,
    int16_t *scratch) {
  ptrdiff_t length = 3 * (ptrdiff_t)width;
  // Sums of differences over three rows, with a margin of one pixel on both sides.
  int16_t *column = scratch + 3;
  for (int32_t y = 0; y < height; y++) {
    ptrdiff_t here = y * length, above = y == 0 ? here : here - length, below = y + 1 == height ? here : here + length;
    const uint8_t *a0 = picture + above, *a1 = picture + here, *a2 = picture + below;
    const uint8_t *b0 = before + above, *b1 = before + here, *b2 = before + below;
    for (ptrdiff_t i = 0; i < length; i++) {
      column[i] = (int16_t)((a0[i] + a1[i] + a2[i]) - (b0[i] + b1[i] + b2[i]));
    }
    for (int32_t channel = 0; channel < 3; channel++) {
      column[channel - 3] = column[channel];
      column[length + channel] = column[length - 3 + channel];
    }
    uint16_t *out = change + (size_t)y * (size_t)width;
    for (int32_t x = 0; x < width; x++) {
      int32_t sum = 0;
      for (ptrdiff_t i = 3 * (ptrdiff_t)x; i < 3 * (ptrdiff_t)x + 3; i++) {
        int32_t difference = column[i - 3] + column[i] + column[i + 3];
        sum += difference < 0 ? -difference : difference;
      }
      out[x] = (uint16_t)sum;
    }
  }
}

RTK_DEFINE(
    picture_change,
    (const uint8_t *picture, const uint8_t *before, int32_t width, int32_t height, uint16_t *change,
     int16_t *scratch),
    (picture, before, width, height, change, scratch))

/// Larger changes share the last bin, since seven times that is above RTKMostChange.
enum { BINS = 64 };

RTK_BODY int32_t brightness(const uint8_t *picture, ptrdiff_t i) { return picture[3 * i + 1] >> 5; }

RTK_BODY int32_t median_of(const uint32_t *counts, int64_t total) {
  int64_t found = 0;
  int32_t median = 0;
  for (; median < BINS - 1; median++) {
    found += counts[median];
    if (2 * found >= total) break;
  }
  return median;
}

RTK_BODY void change_limits(const uint16_t *change, const uint8_t *picture, ptrdiff_t count, int32_t *limits) {
  uint32_t counts[RTKBrightnessCount][BINS] = {{0}}, all[BINS] = {0};
  int64_t totals[RTKBrightnessCount] = {0};
  for (ptrdiff_t i = 0; i < count; i++) {
    counts[brightness(picture, i)][change[i] < BINS - 1 ? change[i] : BINS - 1]++;
  }
  for (int32_t level = 0; level < RTKBrightnessCount; level++) {
    for (int32_t bin = 0; bin < BINS; bin++) {
      all[bin] += counts[level][bin];
      totals[level] += counts[level][bin];
    }
  }
  int32_t median = median_of(all, count);
  for (int32_t level = 0; level < RTKBrightnessCount; level++) {
    int32_t own = 256 * totals[level] < count ? median : median_of(counts[level], totals[level]);
    if (own > 2 * median) own = 2 * median;
    int32_t limit = RTKChangePerMedian * own;
    limits[level] = limit < RTKLeastChange ? RTKLeastChange : limit > RTKMostChange ? RTKMostChange : limit;
  }
}

RTK_DEFINE(
    change_limits,
    (const uint16_t *change, const uint8_t *picture, ptrdiff_t count, int32_t limits[RTKBrightnessCount]),
    (change, picture, count, limits))

/// Writes 1 for each of the pixels from i on that has moved, and 0 for the others.
typedef void (*FindMoved)(const void *, ptrdiff_t i, int32_t count, uint8_t *);

enum { STRIP = 512 };

/// Also marks the pixels that have moved.
RTK_BODY void add_moved(const void *seen, FindMoved findMoved, int32_t width, int32_t height, uint64_t *moved) {
  ptrdiff_t stride = rtk_bit_stride(width);
  for (int32_t y = 0; y < height; y++) {
    for (int32_t from = 0; from < width; from += STRIP) {
      int32_t count = width - from < STRIP ? width - from : STRIP;
      uint64_t *words = moved + y * stride + from / 64;
      uint8_t found[STRIP];
      findMoved(seen, (ptrdiff_t)y * width + from, count, found);
      int32_t x = 0;
      for (; x + 8 <= count; x += 8) words[x / 64] |= bits_of_bytes(RTK_LOAD(uint64_t, found + x)) << x % 64;
      for (; x < count; x++) words[x / 64] |= (uint64_t)found[x] << x % 64;
    }
  }
}

typedef struct {
  const uint16_t *change;
  const uint8_t *picture;
  const int32_t *limits;
} SeenPicture;

RTK_BODY void find_moved_picture(const void *memory, ptrdiff_t i, int32_t count, uint8_t *found) {
  const SeenPicture *seen = memory;
  for (int32_t x = 0; x < count; x++) found[x] = seen->change[i + x] > seen->limits[brightness(seen->picture, i + x)];
}

RTK_KERNEL(
    picture_moved, (change, picture, limits, width, height, moved),
    const uint16_t *change, const uint8_t *picture, const int32_t limits[RTKBrightnessCount], int32_t width,
    int32_t height, uint64_t *moved) {
  memset(moved, 0, (size_t)rtk_bit_stride(width) * (size_t)height * sizeof(uint64_t));
  add_moved(&(SeenPicture){change, picture, limits}, find_moved_picture, width, height, moved);
}

typedef struct {
  const uint8_t *now;
  const uint8_t *before;
  int32_t limit;
} SeenMatte;

RTK_BODY void find_moved_matte(const void *memory, ptrdiff_t i, int32_t count, uint8_t *found) {
  const SeenMatte *seen = memory;
  for (int32_t x = 0; x < count; x++) {
    int32_t difference = seen->now[i + x] - seen->before[i + x];
    found[x] = difference > seen->limit || -difference > seen->limit;
  }
}

RTK_KERNEL(
    add_matte_moved, (matte, before, limit, width, height, moved),
    const uint8_t *matte, const uint8_t *before, int32_t limit, int32_t width, int32_t height, uint64_t *moved) {
  add_moved(&(SeenMatte){matte, before, limit}, find_moved_matte, width, height, moved);
}

RTK_BODY uint8_t jumps(const RTKDepthPair *depth, const uint16_t *limits, ptrdiff_t i) {
  int32_t now = depth->samples[i], then = depth->before[i];
  if (now == 0 || then == 0) return 0;
  int32_t most = now > then ? now : then, least = now > then ? then : now;
  return most - least > limits[most];
}

RTK_BODY void depth_moved(const RTKDepthPair *depth, const uint16_t *limits, uint8_t *moved, uint8_t *scratch) {
  enum { REACH = RTKDepthWindow, SIDE = 2 * REACH + 1 };
  int32_t width = depth->width, height = depth->height;
  // Number of jumps in each column, over the rows of the window.
  uint8_t *columns = scratch, *counts = scratch + width;
  memset(columns, 0, (size_t)width);
  for (int32_t y = -REACH; y < height; y++) {
    int32_t enters = y + REACH, leaves = y - REACH - 1;
    if (enters < height) {
      for (int32_t x = 0; x < width; x++) columns[x] += jumps(depth, limits, (ptrdiff_t)enters * width + x);
    }
    if (leaves >= 0) {
      for (int32_t x = 0; x < width; x++) columns[x] -= jumps(depth, limits, (ptrdiff_t)leaves * width + x);
    }
    if (y < 0) continue;
    int32_t sum = 0;
    for (int32_t x = -REACH; x < width; x++) {
      if (x + REACH < width) sum += columns[x + REACH];
      if (x - REACH - 1 >= 0) sum -= columns[x - REACH - 1];
      if (x >= 0) counts[x] = (uint8_t)sum;
    }
    uint8_t *out = moved + (size_t)y * (size_t)width;
    for (int32_t x = 0; x < width; x++) out[x] = 2 * counts[x] > SIDE * SIDE ? 255 : 0;
  }
}

RTK_DEFINE(
    depth_moved, (const RTKDepthPair *depth, const uint16_t *limits, uint8_t *moved, uint8_t *scratch),
    (depth, limits, moved, scratch))

RTK_BODY void add_depth_moved(
    const uint8_t *depthMoved, int32_t depthWidth, const int32_t *columns, const int32_t *rows, int32_t width,
    int32_t height, uint64_t *moved) {
  ptrdiff_t stride = rtk_bit_stride(width);
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *row = depthMoved + (size_t)rows[y] * (size_t)depthWidth;
    for (int32_t x = 0; x < width; x++) moved[y * stride + x / 64] |= (uint64_t)(row[columns[x]] & 1) << x % 64;
  }
}

RTK_DEFINE(
    add_depth_moved,
    (const uint8_t *depthMoved, int32_t depthWidth, const int32_t *columns, const int32_t *rows, int32_t width,
     int32_t height, uint64_t *moved),
    (depthMoved, depthWidth, columns, rows, width, height, moved))
