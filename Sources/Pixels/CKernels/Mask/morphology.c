// A disc is a stack of row segments. Each source row is widened to each segment length, shortest
// first, and merged into the result rows where the disc has that length.
#include "lanes.h"

static size_t line_length(const RTKDisc *disc) {
  return rtk_padded((size_t)disc->width + 4 * (size_t)disc->radius + 1);
}

size_t rtk_disc_scratch(const RTKDisc *disc) { return 2 * line_length(disc); }

RTK_BODY void widen(const uint8_t *restrict line, uint8_t *restrict out, int32_t from, int32_t to, int32_t step) {
  const uint8_t *restrict left = line - step, *restrict right = line + step;
  for (int32_t x = from; x < to; x++) out[x] = left[x] > right[x] ? left[x] : right[x];
}

RTK_BODY void put(const uint8_t *restrict line, uint8_t *restrict out, int32_t from, int32_t to) {
  for (int32_t x = from; x < to; x++) out[x] = out[x] > line[x] ? out[x] : line[x];
}

RTK_BODY void put_row(
    const RTKDisc *disc, uint8_t flip, const uint8_t *restrict source, uint8_t *out, int32_t y, int32_t first,
    int32_t count, uint8_t *restrict line, uint8_t *restrict other) {
  int32_t width = disc->width, radius = disc->radius;
  // Only the span between the first and last non-zero sample matters.
  int32_t from = 0, to = width;
  uint64_t flat = flip * 0x0101010101010101ull;
  while (from + 8 <= to && RTK_LOAD(uint64_t, source + from) == flat) from += 8;
  while (from < to && source[from] == flip) from++;
  if (from == to) return;
  while (to - 8 >= from && RTK_LOAD(uint64_t, source + to - 8) == flat) to -= 8;
  while (to > from && source[to - 1] == flip) to--;
  size_t length = (size_t)(to - from + 4 * radius);
  memset(line + from - 2 * radius, 0, length);
  memset(other + from - 2 * radius, 0, length);
  for (int32_t x = from; x < to; x++) line[x] = source[x] ^ flip;

  int32_t half = 0;
  for (int32_t d = radius; d >= 0; d--) {
    while (half < disc->reach[d]) {
      // A segment's two shifted copies must meet.
      int32_t step = disc->reach[d] - half;
      if (step > half) step = half > 0 ? half : 1;
      widen(line, other, from - half - step, to + half + step, step);
      if (half == 0) put(line, other, from, to);
      uint8_t *swapped = line;
      line = other;
      other = swapped;
      half += step;
    }
    int32_t left = from - half < 0 ? 0 : from - half, right = to + half > width ? width : to + half;
    int32_t above = y - d - first, below = y + d - first;
    if (above >= 0 && above < count) put(line, out + (size_t)above * (size_t)width, left, right);
    if (d > 0 && below >= 0 && below < count) put(line, out + (size_t)below * (size_t)width, left, right);
  }
}

RTK_KERNEL(
    disc_extreme, (disc, flip, mask, out, first, count, scratch),
    const RTKDisc *disc, uint8_t flip, const uint8_t *mask, uint8_t *out, int32_t first, int32_t count,
    void *scratch) {
  size_t width = (size_t)disc->width, area = width * (size_t)count;
  out += width * (size_t)first;
  memset(out, 0, area);
  uint8_t *line = (uint8_t *)scratch + 2 * disc->radius, *other = line + line_length(disc);
  int32_t from = first - disc->radius, to = first + count + disc->radius;
  if (from < 0) from = 0;
  if (to > disc->height) to = disc->height;
  for (int32_t y = from; y < to; y++) {
    put_row(disc, flip, mask + width * (size_t)y, out, y, first, count, line, other);
  }
  if (flip) {
    for (size_t i = 0; i < area; i++) out[i] ^= flip;
  }
}
