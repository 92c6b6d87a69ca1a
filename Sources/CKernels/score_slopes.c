// How steep a matte is: lengths of its gradient where it is not flat, and how far they are from the truth's.
//
// Floating point in a fixed order: each sum is written out, nothing is contracted, and lanes are those of the quads.
#include "lanes.h"

#pragma STDC FP_CONTRACT OFF

enum { RADIUS = 4, ROWS = 2 * RADIUS + 1 };

typedef double Doubles __attribute__((vector_size(32)));
typedef uint8_t Bytes4 __attribute__((vector_size(4)));
typedef int32_t Words4 __attribute__((vector_size(16)));

typedef struct {
  /// A row as it is, with what is to be read beside its ends, from RADIUS before its first pixel on.
  double *row;
  /// Rows taken along x; row y is in slot y % ROWS.
  double *smooth;
  double *slope;
  /// Quads of a row that are wanted.
  uint64_t *wanted;
  ptrdiff_t stride;
} Scratch;

static size_t lay_out(int32_t width, Scratch *scratch, uint8_t *base) {
  ptrdiff_t stride = 4 * (ptrdiff_t)rtk_quad_count(width);
  size_t row = rtk_padded(((size_t)stride + 2 * RADIUS) * sizeof(double));
  size_t rows = rtk_padded(ROWS * (size_t)stride * sizeof(double));
  if (base) {
    *scratch = (Scratch){
        (double *)base + RADIUS, (double *)(base + row), (double *)(base + row + rows),
        (uint64_t *)(base + row + 2 * rows), stride};
  }
  return row + 2 * rows + (size_t)rtk_bit_stride(rtk_quad_count(width)) * sizeof(uint64_t);
}

size_t rtk_slopes_scratch(int32_t width) { return lay_out(width, NULL, NULL); }

/// The next quads of a row that are marked; none left where `to` is not more than `from`.
typedef struct {
  int32_t from;
  int32_t to;
} Quads;

RTK_BODY Quads next_quads(const uint64_t *row, int32_t from, int32_t count) {
  // At least one word behind the last quad's is 0, which ends what reaches to the end.
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
  // Outside of the picture it is as at its edge.
  for (; x < 0; x += 4) RTK_STORE(row + x, (Doubles){0} + (double)samples[0]);
  for (; x + 4 <= to && x + 4 <= width; x += 4) {
    RTK_STORE(row + x, __builtin_convertvector(
                           __builtin_convertvector(RTK_LOAD(Bytes4, samples + x), Words4), Doubles));
  }
  for (; x < to; x++) row[x] = (double)samples[x < width ? x : width - 1];
}

RTK_BODY void along_row(
    const RTKSlopeKernel *kernel, const uint8_t *samples, int32_t width, const Scratch *scratch,
    double *smooth, double *slope) {
  const double *row = scratch->row, *s = kernel->smoothBytes, *d = kernel->slopeBytes;
  int32_t count = rtk_quad_count(width);
  for (Quads quads = next_quads(scratch->wanted, 0, count); quads.from < quads.to; quads = next_quads(scratch->wanted, quads.to, count)) {
    load_quads(samples, width, quads, scratch->row);
    for (int32_t x = 4 * quads.from; x < 4 * quads.to; x += 4) {
      Doubles left1 = RTK_LOAD(Doubles, row + x - 1), right1 = RTK_LOAD(Doubles, row + x + 1);
      Doubles left2 = RTK_LOAD(Doubles, row + x - 2), right2 = RTK_LOAD(Doubles, row + x + 2);
      Doubles left3 = RTK_LOAD(Doubles, row + x - 3), right3 = RTK_LOAD(Doubles, row + x + 3);
      Doubles left4 = RTK_LOAD(Doubles, row + x - 4), right4 = RTK_LOAD(Doubles, row + x + 4);
      // Sums and differences of bytes are exact.
      Doubles sum = s[0] * RTK_LOAD(Doubles, row + x) + s[1] * (right1 + left1);
      sum = sum + s[2] * (right2 + left2);
      sum = sum + s[3] * (right3 + left3);
      sum = sum + s[4] * (right4 + left4);
      RTK_STORE(smooth + x, sum);
      // Of what is level it is 0, exactly.
      Doubles steps = d[1] * (right1 - left1) + d[2] * (right2 - left2);
      steps = steps + d[3] * (right3 - left3);
      steps = steps + d[4] * (right4 - left4);
      RTK_STORE(slope + x, steps);
    }
  }
}

/// Rows on both sides of one, from the nearest to the farthest, and itself.
typedef struct {
  const double *above[RADIUS + 1];
  const double *below[RADIUS + 1];
} Window;

/// Lengths of a quad; 0 beyond the width, which is no pixel.
RTK_BODY void lengths_at(
    const RTKSlopeKernel *kernel, const Window *smooth, const Window *slope, int32_t x, int32_t width, Doubles *out) {
  const double *s = kernel->smooth, *d = kernel->slope;
  Doubles along = s[0] * RTK_LOAD(Doubles, slope->above[0] + x);
  Doubles down = {0};
  for (int32_t k = 1; k <= RADIUS; k++) {
    along = along + s[k] * (RTK_LOAD(Doubles, slope->below[k] + x) + RTK_LOAD(Doubles, slope->above[k] + x));
    down = down + d[k] * (RTK_LOAD(Doubles, smooth->below[k] + x) - RTK_LOAD(Doubles, smooth->above[k] + x));
  }
  *out = __builtin_elementwise_sqrt(along * along + down * down);
  for (int32_t i = width - x; i < 4; i++) (*out)[i] = 0;
}

RTK_BODY int32_t row_near(int32_t y, int32_t height) { return y < 0 ? 0 : y >= height ? height - 1 : y; }

/// Rows of a matte, taken along x as far as they are needed.
typedef struct {
  const RTKSlopeKernel *kernel;
  const uint8_t *matte;
  const uint64_t *busy;
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
    memcpy(rows->scratch.wanted, rows->busy + from * stride, (size_t)stride * sizeof(uint64_t));
    for (int32_t other = from + 1; other <= to; other++) {
      for (ptrdiff_t w = 0; w < stride; w += 4) {
        RTK_STORE(
            rows->scratch.wanted + w, RTK_LOAD(Lanes64, rows->scratch.wanted + w) | RTK_LOAD(Lanes64, rows->busy + other * stride + w));
      }
    }
    ptrdiff_t slot = row % ROWS * rows->scratch.stride;
    along_row(
        rows->kernel, rows->matte + (size_t)row * (size_t)rows->width, rows->width, &rows->scratch,
        rows->scratch.smooth + slot, rows->scratch.slope + slot);
  }
}

RTK_BODY Window window_of(const Rows *rows, const double *slots, int32_t y) {
  Window window;
  for (int32_t k = 0; k <= RADIUS; k++) {
    window.above[k] = slots + row_near(y - k, rows->height) % ROWS * rows->scratch.stride;
    window.below[k] = slots + row_near(y + k, rows->height) % ROWS * rows->scratch.stride;
  }
  return window;
}

RTK_BODY Rows rows_of(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width, int32_t height,
    void *memory) {
  Rows rows = {kernel, matte, busy, width, height, 0, {0}};
  lay_out(width, &rows.scratch, memory);
  return rows;
}

RTK_BODY void slope_lengths(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width, int32_t height,
    double *lengths, void *memory) {
  ptrdiff_t stride = rtk_bit_stride(rtk_quad_count(width));
  int32_t count = rtk_quad_count(width);
  Rows rows = rows_of(kernel, matte, busy, width, height, memory);
  for (int32_t y = 0; y < height; y++) {
    advance(&rows, y);
    const uint64_t *row = busy + y * stride;
    Window smooth = window_of(&rows, rows.scratch.smooth, y), slope = window_of(&rows, rows.scratch.slope, y);
    for (Quads quads = next_quads(row, 0, count); quads.from < quads.to; quads = next_quads(row, quads.to, count)) {
      for (int32_t q = quads.from; q < quads.to; q++, lengths += 4) {
        Doubles found;
        lengths_at(kernel, &smooth, &slope, 4 * q, width, &found);
        RTK_STORE(lengths, found);
      }
    }
  }
}

RTK_BODY void slope_error(
    const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, const double *truthLengths,
    const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *memory) {
  ptrdiff_t stride = rtk_bit_stride(rtk_quad_count(width));
  int32_t count = rtk_quad_count(width);
  Rows rows = rows_of(kernel, matte, busy, width, height, memory);
  Doubles sums = {0};
  for (int32_t y = 0; y < height; y++) {
    advance(&rows, y);
    const uint64_t *row = busy + y * stride, *truthRow = truthBusy + y * stride;
    uint64_t *either = rows.scratch.wanted;
    for (ptrdiff_t w = 0; w < stride; w++) either[w] = row[w] | truthRow[w];
    Window smooth = window_of(&rows, rows.scratch.smooth, y), slope = window_of(&rows, rows.scratch.slope, y);
    for (Quads quads = next_quads(either, 0, count); quads.from < quads.to;
         quads = next_quads(either, quads.to, count)) {
      for (int32_t q = quads.from; q < quads.to; q++) {
        Doubles difference = {0};
        if (row[q / 64] >> q % 64 & 1) lengths_at(kernel, &smooth, &slope, 4 * q, width, &difference);
        if (truthRow[q / 64] >> q % 64 & 1) {
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
    (const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, int32_t width, int32_t height,
     double *lengths, void *scratch),
    (kernel, matte, busy, width, height, lengths, scratch))

RTK_DEFINE(
    slope_error,
    (const RTKSlopeKernel *kernel, const uint8_t *matte, const uint64_t *busy, const double *truthLengths,
     const uint64_t *truthBusy, int32_t width, int32_t height, double *error, void *scratch),
    (kernel, matte, busy, truthLengths, truthBusy, width, height, error, scratch))
