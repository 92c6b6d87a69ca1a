// The covariance of colours in each window, inverted, for the guided filter's linear model.
#include "windows.h"

enum { MOMENTS = 9 };

size_t rtk_color_window_scratch(int32_t width) { return rtk_padded(MOMENTS * sums_length(width) * sizeof(int32_t)); }

RTK_BODY void add_row(const RTKColors *colors, int32_t y, int32_t sign, int32_t *const sums[MOMENTS]) {
  size_t row = rtk_stride(colors->width) * (size_t)rtk_clamped(y, colors->height - 1);
  const int16_t *restrict red = colors->red + row, *restrict green = colors->green + row;
  const int16_t *restrict blue = colors->blue + row;
  int32_t *restrict r = sums[0], *restrict g = sums[1], *restrict b = sums[2];
  int32_t *restrict rr = sums[3], *restrict rg = sums[4], *restrict rb = sums[5];
  int32_t *restrict gg = sums[6], *restrict gb = sums[7], *restrict bb = sums[8];
  for (int32_t x = 0; x < colors->width; x++) {
    int32_t i = red[x], j = green[x], k = blue[x], si = sign * i, sj = sign * j, sk = sign * k;
    r[x] += si;
    g[x] += sj;
    b[x] += sk;
    rr[x] += si * i;
    rg[x] += si * j;
    rb[x] += si * k;
    gg[x] += sj * j;
    gb[x] += sj * k;
    bb[x] += sk * k;
  }
}

/// sums: R, G, B, then the products RR, RG, RB, GG, GB, BB, over a window.
RTK_BODY RTKColorWindow window_of(const int32_t sums[MOMENTS], uint64_t epsilon) {
  RTKColorWindow window;
  for (int32_t i = 0; i < 3; i++) window.sums[i] = sums[i];
  int64_t spread[6];
  for (int32_t i = 0, k = 0; i < 3; i++) {
    for (int32_t j = i; j < 3; j++, k++) {
      spread[k] = (int64_t)AREA * sums[3 + k] - (int64_t)sums[i] * sums[j];
    }
  }
  spread[0] += (int64_t)epsilon;
  spread[3] += (int64_t)epsilon;
  spread[5] += (int64_t)epsilon;
  int64_t largest = spread[0] | spread[3] | spread[5];
  // Down to 20 bits, so that the determinant fits.
  int32_t shift = largest >> 20 == 0 ? 0 : 44 - __builtin_clzll((uint64_t)largest);
  for (int32_t k = 0; k < 6; k++) spread[k] >>= shift;
  Adjugate a = adjugate_of(spread);
  // The reciprocal of the determinant's upper 31 bits.
  uint64_t determinant = a.determinant > 0 ? (uint64_t)a.determinant : 1;
  int32_t excess = 33 - __builtin_clzll(determinant);
  uint64_t upper = excess > 0 ? determinant >> excess : determinant << -excess;
  int64_t reciprocal = (int64_t)(((uint64_t)1 << 61) / upper);
  int32_t down = 11 + shift + excess;
  for (int32_t k = 0; k < 6; k++) window.inverse[k] = (int32_t)(((__int128)a.of[k] * reciprocal) >> down);
  return window;
}

RTK_BODY void color_windows(
    const RTKColors *colors, const uint8_t *windows, uint64_t epsilon, RTKColorWindow *out, int32_t first,
    int32_t count, void *scratch) {
  int32_t width = colors->width, blockCount = rtk_block_count(width), held = NO_ROW;
  size_t length = sums_length(width), stride = rtk_stride(width);
  int32_t *sums[MOMENTS];
  for (int32_t k = 0; k < MOMENTS; k++) sums[k] = (int32_t *)scratch + length * (size_t)k + EDGE;
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    if (!has_mixed(row, blockCount)) continue;
    if (held == y - 1) {
      add_row(colors, y + REACH, 1, sums);
      add_row(colors, y - REACH - 1, -1, sums);
    } else {
      memset(scratch, 0, MOMENTS * length * sizeof(int32_t));
      for (int32_t k = -REACH; k <= REACH; k++) add_row(colors, y + k, 1, sums);
    }
    held = y;
    for (int32_t k = 0; k < MOMENTS; k++) REPEAT_EDGES(sums[k], width);
    int32_t block = 0, from;
    for (int32_t to = next_run(row, blockCount, &block, &from); from < to; to = next_run(row, blockCount, &block, &from)) {
      int32_t window[MOMENTS] = {0};
      for (int32_t k = 0; k < MOMENTS; k++) {
        for (int32_t x = from - REACH; x < from + REACH; x++) window[k] += sums[k][x];
      }
      for (int32_t x = from; x < to && x < width; x++) {
        for (int32_t k = 0; k < MOMENTS; k++) window[k] += sums[k][x + REACH];
        out[stride * (size_t)y + (size_t)x] = window_of(window, epsilon);
        for (int32_t k = 0; k < MOMENTS; k++) window[k] -= sums[k][x - REACH];
      }
    }
  }
}

RTK_DEFINE(
    color_windows,
    (const RTKColors *colors, const uint8_t *windows, uint64_t epsilon, RTKColorWindow *out, int32_t first,
     int32_t count, void *scratch),
    (colors, windows, epsilon, out, first, count, scratch))
