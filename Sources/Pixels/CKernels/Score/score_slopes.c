// Gradient magnitudes of a matte. The order of floating-point operations is fixed: sums are written
// out, contraction is off, and each lane is one pixel of a quad.
#include "lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { RADIUS = 4, ROWS = 2 * RADIUS + 1 };

typedef double Doubles __attribute__((vector_size(32)));
typedef uint8_t Bytes4 __attribute__((vector_size(4)));
typedef int32_t Words4 __attribute__((vector_size(16)));

typedef struct {
  /// A row as doubles, with RADIUS samples of margin on both sides.
  double *row;
  /// Rows filtered along x; row y is in slot y % ROWS. Each quad has 4 smoothed values, 4 slopes.
  double *slots;
  double *lengths;
  uint64_t *wanted;
  ptrdiff_t stride;
} Scratch;

static size_t lay_out(int32_t width, Scratch *scratch, uint8_t *base) {
  // A multiple of 4096 bytes plus seven cache lines, so that rows do not share cache sets.
  ptrdiff_t stride = (8 * (ptrdiff_t)rtk_quad_count(width) + 511) / 512 * 512 + 7 * 8;
  size_t row = rtk_padded((4 * (size_t)rtk_quad_count(width) + 2 * RADIUS) * sizeof(double));
  size_t rows = rtk_padded(ROWS * (size_t)stride * sizeof(double));
  if (base) {
    *scratch = (Scratch){
        (double *)base + RADIUS, (double *)(base + row), (double *)(base + row + rows),
        (uint64_t *)(base + 2 * row + rows), stride};
  }
  return 2 * row + rows + (size_t)rtk_bit_stride(rtk_quad_count(width)) * sizeof(uint64_t);
}

size_t rtk_slopes_scratch(int32_t width) { return lay_out(width, NULL, NULL); }

/// A range of marked quads; empty if `to` <= `from`.
typedef struct {
  int32_t from;
  int32_t to;
} Quads;

RTK_BODY Quads next_quads(const uint64_t *row, int32_t from, int32_t count) {
  // The padding word behind the last quad is 0, which ends a range that reaches the row's end.
  int32_t w = from / 64, words = (count + 63) / 64;
  if (from >= count) return (Quads){count, count};
  uint64_t word = row[w] & ~(uint64_t)0 << from % 64;
  while (word == 0) {
    if (++w >= words) return (Quads){count, count};
    word = row[w];
  }
  int32_t first = 64 * w + __builtin_ctzll(word);
  uint64_t gaps = ~row[w] & ~(uint64_t)0 << first % 64;
  while (gaps == 0) gaps = ~row[++w];
  int32_t end = 64 * w + __builtin_ctzll(gaps);
  return (Quads){first, end < count ? end : count};
}

RTK_BODY void load_quads(const uint8_t *samples, int32_t width, Quads quads, double *row) {
  int32_t from = 4 * quads.from - RADIUS, to = 4 * quads.to + RADIUS, x = from;
  for (; x < 0; x += 4) RTK_STORE(row + x, (Doubles){0} + (double)samples[0]);
  for (; x + 4 <= to && x + 4 <= width; x += 4) {
    RTK_STORE(row + x, __builtin_convertvector(
                           __builtin_convertvector(RTK_LOAD(Bytes4, samples + x), Words4), Doubles));
  }
  for (; x < to; x++) row[x] = (double)samples[x < width ? x : width - 1];
}

/// Filters four pixels along x: the smoothed values, then the slopes.
RTK_BODY void along_quad(const RTKSlopeKernel *kernel, const double *row, double *slot) {
  const double *s = kernel->smoothBytes, *d = kernel->slopeBytes;
  Doubles left1 = RTK_LOAD(Doubles, row - 1), right1 = RTK_LOAD(Doubles, row + 1);
  Doubles left2 = RTK_LOAD(Doubles, row - 2), right2 = RTK_LOAD(Doubles, row + 2);
  Doubles left3 = RTK_LOAD(Doubles, row - 3), right3 = RTK_LOAD(Doubles, row + 3);
  Doubles left4 = RTK_LOAD(Doubles, row - 4), right4 = RTK_LOAD(Doubles, row + 4);
  // Sums and differences of bytes are exact.
  Doubles sum = s[0] * RTK_LOAD(Doubles, row) + s[1] * (right1 + left1);
  sum = sum + s[2] * (right2 + left2);
  sum = sum + s[3] * (right3 + left3);
  sum = sum + s[4] * (right4 + left4);
  RTK_STORE(slot, sum);
  // Exactly 0 where the row is flat.
  Doubles steps = d[1] * (right1 - left1) + d[2] * (right2 - left2);
  steps = steps + d[3] * (right3 - left3);
  steps = steps + d[4] * (right4 - left4);
  RTK_STORE(slot + 4, steps);
}

/// - uneven: quads of the row that, with their neighbours, are neither all 0 nor all 255.
RTK_BODY void along_row(
    const RTKSlopeKernel *kernel, const uint8_t *samples, int32_t width, const uint64_t *uneven, const Scratch *scratch,
    double *slot) {
  int32_t count = rtk_quad_count(width);
  ptrdiff_t words = (count + 63) / 64;
  uint64_t *wanted = scratch->wanted;
  double *row = scratch->row;
  // Elsewhere all samples that the kernel reaches are 0, or all are 255.
  double ones[4 + 2 * RADIUS], zero[8] = {0}, one[8];
  for (int32_t i = 0; i < 4 + 2 * RADIUS; i++) ones[i] = 255;
  along_quad(kernel, ones + RADIUS, one);
  for (ptrdiff_t w = 0; w < words; w++) {
    for (uint64_t even = wanted[w] & ~uneven[w]; even != 0; even &= even - 1) {
      int32_t q = (int32_t)(64 * w) + __builtin_ctzll(even);
      memcpy(slot + 8 * q, samples[4 * q] == 0 ? zero : one, sizeof zero);
    }
    wanted[w] &= uneven[w];
  }
  for (Quads quads = next_quads(wanted, 0, count); quads.from < quads.to; quads = next_quads(wanted, quads.to, count)) {
    load_quads(samples, width, quads, row);
    for (int32_t q = quads.from; q < quads.to; q++) along_quad(kernel, row + 4 * q, slot + 8 * q);
  }
}

/// Pointers to the current row (index 0) and the filtered rows above and below it. Edges repeat.
typedef struct {
  const double *above[RADIUS + 1];
  const double *below[RADIUS + 1];
} Window;

RTK_BODY void lengths_at(
    const RTKSlopeKernel *kernel, const Window *window, int32_t quad, int32_t count, double *lengths) {
  const double *s = kernel->smooth, *d = kernel->slope;
  Doubles along[2], down[2] = {{0}, {0}};
  for (int32_t i = 0; i < count; i++) along[i] = s[0] * RTK_LOAD(Doubles, window->above[0] + 8 * (quad + i) + 4);
#pragma clang loop unroll(full)
  for (int32_t k = 1; k <= RADIUS; k++) {
    const double *above = window->above[k] + 8 * quad, *below = window->below[k] + 8 * quad;
    for (int32_t i = 0; i < count; i++) {
      along[i] = along[i] + s[k] * (RTK_LOAD(Doubles, below + 8 * i + 4) + RTK_LOAD(Doubles, above + 8 * i + 4));
      down[i] = down[i] + d[k] * (RTK_LOAD(Doubles, below + 8 * i) - RTK_LOAD(Doubles, above + 8 * i));
    }
  }
  for (int32_t i = 0; i < count; i++) {
    RTK_STORE(lengths + 4 * i, __builtin_elementwise_sqrt(along[i] * along[i] + down[i] * down[i]));
  }
}

/// Gradient magnitudes of a range of quads; 0 beyond the width.
RTK_BODY void lengths_of(
    const RTKSlopeKernel *kernel, const Window *window, Quads quads, int32_t width, double *lengths) {
  int32_t q = quads.from;
  for (; q + 2 <= quads.to; q += 2) lengths_at(kernel, window, q, 2, lengths + 4 * (q - quads.from));
  if (q < quads.to) lengths_at(kernel, window, q, 1, lengths + 4 * (q - quads.from));
  for (int32_t x = width; x < 4 * quads.to; x++) lengths[x - 4 * quads.from] = 0;
}

RTK_BODY int32_t row_near(int32_t y, int32_t height) { return y < 0 ? 0 : y >= height ? height - 1 : y; }

typedef struct {
  const RTKSlopeKernel *kernel;
  const uint8_t *matte;
  const RTKSlopeQuads *quads;
  int32_t width;
  int32_t height;
  int32_t next;
  Scratch scratch;
} Rows;

RTK_BODY void advance(Rows *rows, int32_t y) {
  ptrdiff_t stride = rtk_bit_stride(rtk_quad_count(rows->width));
  for (; rows->next < rows->height && rows->next <= y + RADIUS; rows->next++) {
    int32_t row = rows->next;
    int32_t from = row_near(row - RADIUS, rows->height), to = row_near(row + RADIUS, rows->height);
    memcpy(rows->scratch.wanted, rows->quads->busy + from * stride, (size_t)stride * sizeof(uint64_t));
    for (int32_t other = from + 1; other <= to; other++) {
      for (ptrdiff_t w = 0; w < stride; w += 4) {
        Lanes64 joined = RTK_LOAD(Lanes64, rows->scratch.wanted + w);
        RTK_STORE(rows->scratch.wanted + w, joined | RTK_LOAD(Lanes64, rows->quads->busy + other * stride + w));
      }
    }
    ptrdiff_t slot = row % ROWS * rows->scratch.stride;
    along_row(
        rows->kernel, rows->matte + (size_t)row * (size_t)rows->width, rows->width,
        rows->quads->uneven + row * stride, &rows->scratch, rows->scratch.slots + slot);
  }
}

RTK_BODY Window window_of(const Rows *rows, int32_t y) {
  ptrdiff_t stride = rows->scratch.stride;
  int32_t slot = y % ROWS;
  Window window;
  for (int32_t k = 0; k <= RADIUS; k++) {
    int32_t above = slot - (k < y ? k : y);
    int32_t down = rows->height - 1 - y, below = slot + (k < down ? k : down);
    window.above[k] = rows->scratch.slots + (above < 0 ? above + ROWS : above) * stride;
    window.below[k] = rows->scratch.slots + (below < ROWS ? below : below - ROWS) * stride;
  }
  return window;
}

RTK_BODY Rows rows_of(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *marked, int32_t width, int32_t height,
    void *memory) {
  Rows rows = {kernel, matte, marked, width, height, 0, {0}};
  lay_out(width, &rows.scratch, memory);
  return rows;
}

RTK_BODY void slope_lengths(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *marked, int32_t width, int32_t height,
    double *lengths, void *memory) {
  ptrdiff_t stride = rtk_bit_stride(rtk_quad_count(width));
  int32_t count = rtk_quad_count(width);
  Rows rows = rows_of(kernel, matte, marked, width, height, memory);
  for (int32_t y = 0; y < height; y++) {
    advance(&rows, y);
    const uint64_t *row = marked->busy + y * stride;
    Window window = window_of(&rows, y);
    for (Quads quads = next_quads(row, 0, count); quads.from < quads.to; quads = next_quads(row, quads.to, count)) {
      lengths_of(kernel, &window, quads, width, lengths);
      lengths += 4 * (quads.to - quads.from);
    }
  }
}

RTK_BODY void slope_error(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *marked, const double *truthLengths,
    const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *memory) {
  ptrdiff_t stride = rtk_bit_stride(rtk_quad_count(width));
  int32_t count = rtk_quad_count(width);
  Rows rows = rows_of(kernel, matte, marked, width, height, memory);
  Doubles sums = {0};
  for (int32_t y = 0; y < height; y++) {
    advance(&rows, y);
    const uint64_t *row = marked->busy + y * stride, *truthRow = truthBusy + y * stride;
    Window window = window_of(&rows, y);
    for (Quads quads = next_quads(row, 0, count); quads.from < quads.to; quads = next_quads(row, quads.to, count)) {
      lengths_of(kernel, &window, quads, width, rows.scratch.lengths + 4 * quads.from);
    }
    for (ptrdiff_t w = 0; w < stride; w++) {
      for (uint64_t either = row[w] | truthRow[w]; either != 0; either &= either - 1) {
        int32_t bit = __builtin_ctzll(either);
        Doubles difference = {0};
        if (row[w] >> bit & 1) difference = RTK_LOAD(Doubles, rows.scratch.lengths + 4 * (64 * w + bit));
        if (truthRow[w] >> bit & 1) {
          difference = difference - RTK_LOAD(Doubles, truthLengths);
          truthLengths += 4;
        }
        sums = sums + difference * difference;
      }
    }
  }
  *error = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

RTK_DEFINE(
    slope_lengths,
    (const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *marked, int32_t width, int32_t height,
     double *lengths, void *scratch),
    (kernel, matte, marked, width, height, lengths, scratch))

RTK_DEFINE(
    slope_error,
    (const RTKSlopeKernel *kernel, const uint8_t *matte, const RTKSlopeQuads *marked, const double *truthLengths,
     const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *scratch),
    (kernel, matte, marked, truthLengths, truthBusy, width, height, error, scratch))
