#include "lanes.h"

enum { LANES = 16, LARGEST_FACTOR = 8 };

/// Gathers sixteen whole blocks, so that vector i holds pixel i of each block.
RTK_BODY void load_inside(const RTKDecimation *d, const uint16_t *corner, int32_t rows, uint16_t *cells) {
  int32_t factor = d->factor;
  memset(cells, 0, (size_t)(factor * factor * LANES) * sizeof *cells);
  for (int32_t dy = 0; dy < rows; dy++) {
    const uint16_t *row = corner + (ptrdiff_t)dy * d->width;
    uint16_t *out = cells + dy * factor * LANES;
    if (factor == 2) {
      Lanes16 a = RTK_LOAD(Lanes16, row), b = RTK_LOAD(Lanes16, row + 16);
      Lanes16 even = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
      Lanes16 odd = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
      RTK_STORE(out, even);
      RTK_STORE(out + LANES, odd);
      continue;
    }
    for (int32_t dx = 0; dx < factor; dx++) {
      for (int32_t lane = 0; lane < LANES; lane++) out[dx * LANES + lane] = row[lane * factor + dx];
    }
  }
}

/// Gathers blocks at the right edge; pixels outside the plane count as holes.
RTK_BODY void load_edge(
    const RTKDecimation *d, const uint16_t *corner, int32_t columns, int32_t rows, uint16_t *cells) {
  int32_t factor = d->factor;
  memset(cells, 0, (size_t)(factor * factor * LANES) * sizeof *cells);
  for (int32_t dy = 0; dy < rows; dy++) {
    for (int32_t x = 0; x < columns; x++) {
      cells[(dy * factor + x % factor) * LANES + x / factor] = corner[(ptrdiff_t)dy * d->width + x];
    }
  }
}

RTK_BODY void medians(const RTKDecimation *d, uint16_t *cells, uint16_t *out, int32_t count) {
  int32_t size = d->factor * d->factor;
  Lanes16 measured = {0};
  for (int32_t i = 0; i < size; i++) measured -= (Lanes16)(RTK_LOAD(Lanes16, cells + i * LANES) != 0);
  for (int32_t i = 0; i < d->pairCount; i++) {
    uint16_t *low = cells + d->pairs[2 * i] * LANES, *high = cells + d->pairs[2 * i + 1] * LANES;
    Lanes16 a = RTK_LOAD(Lanes16, low), b = RTK_LOAD(Lanes16, high);
    RTK_STORE(low, __builtin_elementwise_min(a, b));
    RTK_STORE(high, __builtin_elementwise_max(a, b));
  }
  for (int32_t lane = 0; lane < count; lane++) {
    // After sorting, holes come first.
    int32_t number = measured[lane];
    out[lane] = number == 0 ? 0 : cells[(size - number + (number - 1) / 2) * LANES + lane];
  }
}

RTK_KERNEL(
    depth_decimate, (d, depth, smaller, first, count),
    const RTKDecimation *d, const uint16_t *depth, uint16_t *smaller, int32_t first, int32_t count) {
  uint16_t cells[LARGEST_FACTOR * LARGEST_FACTOR * LANES] __attribute__((aligned(32)));
  int32_t factor = d->factor, width = (d->width + factor - 1) / factor;
  for (int32_t y = first; y < first + count; y++) {
    int32_t rows = d->height - y * factor < factor ? d->height - y * factor : factor;
    const uint16_t *row = depth + (ptrdiff_t)y * factor * d->width;
    uint16_t *out = smaller + (ptrdiff_t)y * width;
    for (int32_t x = 0; x < width; x += LANES) {
      int32_t columns = d->width - x * factor;
      if (columns >= LANES * factor) {
        load_inside(d, row + x * factor, rows, cells);
      } else {
        load_edge(d, row + x * factor, columns, rows, cells);
      }
      medians(d, cells, out + x, width - x < LANES ? width - x : LANES);
    }
  }
}
