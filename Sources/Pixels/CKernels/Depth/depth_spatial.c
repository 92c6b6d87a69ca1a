// Recursive filter along many lines at once. Rows are transposed, one line per vector lane.
#include "lanes.h"

typedef int32_t Integers __attribute__((vector_size(32)));
typedef uint16_t Halves __attribute__((vector_size(16)));

enum { LANES = RTKDepthLanes, VECTOR = 8, VECTORS = LANES / VECTOR };

size_t rtk_depth_spatial_scratch(int32_t width, int32_t height) {
  return (size_t)(width > height ? width : height) * LANES * sizeof(int32_t);
}

RTK_BODY Integers filtered(Integers before, Integers pixel, int32_t share, int32_t delta) {
  Integers difference = pixel - before;
  Integers isNear = (difference <= delta) & (difference >= -delta) & (before != 0) & (pixel != 0);
  // Unsigned, because lanes that are masked out afterwards may overflow.
  Integers step = (Integers)((Lanes32)difference * (uint32_t)share + RTKDepthOne / 2) >> 12;
  return (isNear & (before + step)) | (~isNear & pixel);
}

RTK_BODY void run_lines(int32_t *lines, int32_t length, int32_t share, int32_t delta) {
  Integers before[VECTORS];
  for (int32_t k = 0; k < VECTORS; k++) before[k] = RTK_LOAD(Integers, lines + k * VECTOR);
  for (int32_t i = 1; i < length; i++) {
    int32_t *samples = lines + (ptrdiff_t)i * LANES;
    for (int32_t k = 0; k < VECTORS; k++) {
      before[k] = filtered(before[k], RTK_LOAD(Integers, samples + k * VECTOR), share, delta);
      RTK_STORE(samples + k * VECTOR, before[k]);
    }
  }
  for (int32_t i = length - 2; i >= 0; i--) {
    int32_t *samples = lines + (ptrdiff_t)i * LANES;
    for (int32_t k = 0; k < VECTORS; k++) {
      before[k] = filtered(before[k], RTK_LOAD(Integers, samples + k * VECTOR), share, delta);
      RTK_STORE(samples + k * VECTOR, before[k]);
    }
  }
}

RTK_BODY uint16_t rounded(int32_t sample) {
  return (uint16_t)((sample + (1 << (RTKDepthFraction - 1))) >> RTKDepthFraction);
}

RTK_KERNEL(
    depth_spatial_rows, (depth, width, height, share, delta, first, count, scratch),
    uint16_t *depth, int32_t width, int32_t height, int32_t share, int32_t delta, int32_t first, int32_t count,
    void *scratch) {
  int32_t *lines = scratch;
  for (int32_t block = first; block < first + count; block++) {
    uint16_t *rows = depth + (ptrdiff_t)block * LANES * width;
    int32_t rowCount = height - block * LANES < LANES ? height - block * LANES : LANES;
    if (rowCount < LANES) memset(lines, 0, (size_t)width * LANES * sizeof *lines);
    for (int32_t row = 0; row < rowCount; row += 4) {
      const uint16_t *from = rows + (ptrdiff_t)row * width;
      int32_t n = rowCount - row < 4 ? rowCount - row : 4;
      if (n == 4) {
        for (int32_t x = 0; x < width; x++) {
          int32_t *to = lines + (ptrdiff_t)x * LANES + row;
          to[0] = from[x] << RTKDepthFraction;
          to[1] = from[x + width] << RTKDepthFraction;
          to[2] = from[x + 2 * width] << RTKDepthFraction;
          to[3] = from[x + 3 * width] << RTKDepthFraction;
        }
      } else {
        for (int32_t k = 0; k < n; k++) {
          for (int32_t x = 0; x < width; x++) {
            lines[(ptrdiff_t)x * LANES + row + k] = from[x + k * width] << RTKDepthFraction;
          }
        }
      }
    }
    run_lines(lines, width, share, delta * (1 << RTKDepthFraction));
    for (int32_t row = 0; row < rowCount; row++) {
      uint16_t *to = rows + (ptrdiff_t)row * width;
      for (int32_t x = 0; x < width; x++) to[x] = rounded(lines[(ptrdiff_t)x * LANES + row]);
    }
  }
}

RTK_KERNEL(
    depth_spatial_columns, (depth, width, height, share, delta, first, count, scratch),
    uint16_t *depth, int32_t width, int32_t height, int32_t share, int32_t delta, int32_t first, int32_t count,
    void *scratch) {
  int32_t *lines = scratch;
  for (int32_t block = first; block < first + count; block++) {
    uint16_t *corner = depth + (ptrdiff_t)block * LANES;
    int32_t columns = width - block * LANES < LANES ? width - block * LANES : LANES;
    for (int32_t y = 0; y < height; y++) {
      const uint16_t *from = corner + (ptrdiff_t)y * width;
      int32_t *to = lines + (ptrdiff_t)y * LANES;
      if (columns == LANES) {
        for (int32_t k = 0; k < LANES; k += VECTOR) {
          RTK_STORE(to + k, __builtin_convertvector(RTK_LOAD(Halves, from + k), Integers) << RTKDepthFraction);
        }
      } else {
        for (int32_t k = 0; k < LANES; k++) to[k] = k < columns ? from[k] << RTKDepthFraction : 0;
      }
    }
    run_lines(lines, height, share, delta * (1 << RTKDepthFraction));
    for (int32_t y = 0; y < height; y++) {
      uint16_t *to = corner + (ptrdiff_t)y * width;
      const int32_t *from = lines + (ptrdiff_t)y * LANES;
      for (int32_t k = 0; k < columns; k++) to[k] = rounded(from[k]);
    }
  }
}
