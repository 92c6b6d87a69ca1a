// The guided filter's linear model at the mask's size: running sums along columns, then rows, but
// only in windows that see an outline. Elsewhere a is exactly 0 and b is the matte's value.
#include "lanes.h"

typedef struct {
  int64_t *squares;
  int64_t *products;
  int32_t *greys;
  int32_t *samples;
  /// A row of zeros outside the image, or one 32-bit value per column for other uses.
  int16_t *nothing;
} Scratch;

static size_t lay_out(const RTKGuide *guide, Scratch *scratch, uint8_t *base) {
  size_t width = (size_t)rtk_block_count(guide->width) * RTKBlockWidth;
  size_t used = 0;
  scratch->squares = rtk_part(base, &used, width * sizeof(int64_t));
  scratch->products = rtk_part(base, &used, width * sizeof(int64_t));
  scratch->greys = rtk_part(base, &used, width * sizeof(int32_t));
  scratch->samples = rtk_part(base, &used, width * sizeof(int32_t));
  scratch->nothing = rtk_part(base, &used, width * sizeof(int32_t));
  return used;
}

size_t rtk_guide_scratch(const RTKGuide *guide) {
  Scratch scratch;
  return lay_out(guide, &scratch, NULL);
}

void rtk_spread_blocks(
    const uint8_t *blocks, int32_t isWindows, uint8_t *windows, int32_t blockCount, int32_t height, int32_t radius,
    int32_t first, int32_t count) {
  int32_t reach = (radius + RTKBlockWidth - 1) / RTKBlockWidth;
  uint8_t step = isWindows ? 0 : 1;
  for (int32_t y = first; y < first + count; y++) {
    uint8_t *out = windows + (size_t)y * (size_t)blockCount;
    int32_t from = y < radius ? 0 : y - radius, to = y + radius >= height ? height - 1 : y + radius;
    // Merge the blocks of all rows first. Zero 1 | One 2 = Mixed 3, so "or" combines them.
    memset(out, 0, (size_t)blockCount);
    for (int32_t row = from; row <= to; row++) {
      const uint8_t *in = blocks + (size_t)row * (size_t)blockCount;
      for (int32_t b = 0; b < blockCount; b++) out[b] |= (uint8_t)(in[b] + step);
    }
    uint8_t before[4] = {0};
    // Then along the row, in place: `before` holds the original left neighbours, at most two.
    for (int32_t b = 0; b < blockCount; b++) {
      uint8_t own = out[b], joined = own;
      for (int32_t k = 1; k <= reach; k++) {
        joined |= before[k];
        if (b + k < blockCount) joined |= out[b + k];
      }
      for (int32_t k = reach; k > 1; k--) before[k] = before[k - 1];
      before[1] = own;
      out[b] = joined;
    }
  }
}

/// A range of columns, or of blocks; empty if `to` is 0.
typedef struct {
  int32_t from;
  int32_t to;
} Span;

RTK_BODY Span mixed_span(const uint8_t *windows, int32_t blockCount, int32_t first, int32_t count) {
  Span span = {blockCount, 0};
  for (int32_t y = first; y < first + count; y++) {
    const uint8_t *row = windows + (size_t)y * (size_t)blockCount;
    for (int32_t b = 0; b < span.from; b++) {
      if (row[b] == RTKWindowMixed) span.from = b;
    }
    for (int32_t b = blockCount; b > span.to; b--) {
      if (row[b - 1] == RTKWindowMixed) {
        span.to = b;
        break;
      }
    }
  }
  return span;
}

RTK_BODY Span seen(const RTKGuide *guide, Span blocks) {
  int32_t from = blocks.from * RTKBlockWidth - guide->radius, to = blocks.to * RTKBlockWidth + guide->radius;
  return (Span){from < 0 ? 0 : from, to > guide->width ? guide->width : to};
}

RTK_BODY void slide_moments(
    const Scratch *scratch, const int16_t *restrict grey, const int16_t *restrict sample,
    const int16_t *restrict oldGrey, const int16_t *restrict oldSample, Span columns) {
  int64_t *restrict squares = scratch->squares, *restrict products = scratch->products;
  int32_t *restrict greys = scratch->greys, *restrict samples = scratch->samples;
  for (int32_t x = columns.from; x < columns.to; x++) {
    int32_t i = grey[x], p = sample[x], j = oldGrey[x], q = oldSample[x];
    greys[x] += i - j;
    samples[x] += p - q;
    squares[x] += i * i - j * j;
    products[x] += i * p - j * q;
  }
}

/// Division rounded to nearest, halves away from zero.
RTK_BODY int64_t divided(int64_t value, uint64_t by) {
  uint64_t size = value < 0 ? (uint64_t)-value : (uint64_t)value;
  uint64_t quotient = (size + by / 2) / by;
  return value < 0 ? -(int64_t)quotient : (int64_t)quotient;
}

typedef struct {
  int64_t squares;
  int64_t products;
  int64_t greys;
  int64_t samples;
} Moments;

/// Values that depend only on the window's pixel count.
typedef struct {
  int64_t pixels;
  uint64_t epsilon;
  /// Bits dropped so that products with the squared pixel count fit into 64 bits.
  int32_t shift;
  /// 2^48 / (pixels * RTKGreyOne).
  int64_t reciprocal;
} Area;

RTK_BODY Area area_of(int64_t pixels, uint64_t epsilon) {
  int32_t bits = 64 - __builtin_clzll((uint64_t)(pixels * pixels));
  int64_t scale = pixels * RTKGreyOne;
  return (Area){
      pixels, (uint64_t)(pixels * pixels) * epsilon, bits > 20 ? bits - 20 : 0,
      (((int64_t)1 << 48) + scale / 2) / scale};
}

/// a = cov / (var + epsilon) with 14 fractional bits; b = mean p + a * (1/2 - mean I).
RTK_BODY void solve(Moments sum, Area area, int32_t *a, int32_t *b) {
  int64_t covariance = area.pixels * sum.products - sum.greys * sum.samples;
  uint64_t variance = (uint64_t)(area.pixels * sum.squares - sum.greys * sum.greys);
  // Grey samples have twice the scale of matte samples.
  int64_t slope = divided(covariance * ((int64_t)1 << (15 - area.shift)), (variance + area.epsilon) >> area.shift);
  int64_t level = 2 * RTKGuideOne * sum.samples + slope * (area.pixels * (RTKGreyOne / 2) - sum.greys);
  *a = (int32_t)slope;
  *b = (int32_t)(((__int128)level * area.reciprocal + ((int64_t)1 << 47)) >> 48);
}

RTK_BODY void add(Moments *sum, const Scratch *scratch, int32_t x) {
  sum->squares += scratch->squares[x];
  sum->products += scratch->products[x];
  sum->greys += scratch->greys[x];
  sum->samples += scratch->samples[x];
}

RTK_BODY void solve_run(
    const RTKGuide *guide, const Scratch *scratch, int32_t from, int32_t to, int64_t rows, int32_t *a, int32_t *b) {
  int32_t width = guide->width, radius = guide->radius;
  Moments sum = {0, 0, 0, 0};
  Area area = {0, 0, 0, 0};
  int32_t first = from - radius < 0 ? 0 : from - radius, right = from + radius < width ? from + radius : width;
  for (int32_t x = first; x < right; x++) add(&sum, scratch, x);
  for (int32_t x = from; x < to; x++) {
    int32_t next = x + radius, old = next - 2 * radius - 1;
    if (next < width) add(&sum, scratch, next);
    if (old >= first) {
      sum.squares -= scratch->squares[old];
      sum.products -= scratch->products[old];
      sum.greys -= scratch->greys[old];
      sum.samples -= scratch->samples[old];
    }
    int32_t columns = (next < width ? next + 1 : width) - (old < 0 ? 0 : old + 1);
    if (rows * columns != area.pixels) area = area_of(rows * columns, guide->epsilon);
    solve(sum, area, a + x, b + x);
  }
}

RTK_KERNEL(
    guide_coefficients, (guide, grey, samples, windows, a, b, first, count, memory),
    const RTKGuide *guide, const int16_t *grey, const int16_t *samples, const uint8_t *windows, int32_t *a,
    int32_t *b, int32_t first, int32_t count, void *memory) {
  int32_t blockCount = rtk_block_count(guide->width), radius = guide->radius, height = guide->height;
  size_t stride = (size_t)blockCount * RTKBlockWidth;
  Scratch scratch;
  memset(memory, 0, lay_out(guide, &scratch, memory));
  Span columns = seen(guide, mixed_span(windows, blockCount, first, count));
  int32_t next = first - radius < 0 ? 0 : first - radius;
  for (int32_t y = first; y < first + count; y++) {
    int32_t top = y - radius < 0 ? 0 : y - radius, bottom = y + radius >= height ? height : y + radius + 1;
    if (columns.from < columns.to) {
      // The first row adds its whole window; each later row adds one row and removes one.
      int32_t old = y == first ? -1 : y - radius - 1;
      do {
        int isIn = next < bottom, isOut = old >= 0;
        slide_moments(
            &scratch, isIn ? grey + stride * (size_t)next : scratch.nothing,
            isIn ? samples + stride * (size_t)next : scratch.nothing,
            isOut ? grey + stride * (size_t)old : scratch.nothing,
            isOut ? samples + stride * (size_t)old : scratch.nothing, columns);
        next++;
      } while (next < bottom && y == first);
    }
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    int32_t *rowA = a + stride * (size_t)y, *rowB = b + stride * (size_t)y;
    for (int32_t block = 0; block < blockCount; block++) {
      int32_t x = block * RTKBlockWidth;
      if (row[block] != RTKWindowMixed) {
        for (int32_t i = x; i < x + RTKBlockWidth; i++) {
          rowA[i] = 0;
          rowB[i] = row[block] == RTKWindowOne ? RTKGuideOne : 0;
        }
        continue;
      }
      while (block + 1 < blockCount && row[block + 1] == RTKWindowMixed) block++;
      int32_t end = (block + 1) * RTKBlockWidth;
      solve_run(guide, &scratch, x, end > guide->width ? guide->width : end, bottom - top, rowA, rowB);
    }
  }
}

RTK_BODY void slide_sums(
    int32_t *restrict sums, const int32_t *restrict in, const int32_t *restrict out, Span columns) {
  if (in && out) {
    for (int32_t x = columns.from; x < columns.to; x++) sums[x] += in[x] - out[x];
  } else if (in) {
    for (int32_t x = columns.from; x < columns.to; x++) sums[x] += in[x];
  } else if (out) {
    for (int32_t x = columns.from; x < columns.to; x++) sums[x] -= out[x];
  }
}

RTK_BODY void sum_along(
    const RTKGuide *guide, const int32_t *sums, int32_t from, int32_t to, int32_t *restrict out) {
  int32_t width = guide->width, radius = guide->radius, sum = 0;
  int32_t first = from - radius < 0 ? 0 : from - radius, right = from + radius < width ? from + radius : width;
  for (int32_t x = first; x < right; x++) sum += sums[x];
  for (int32_t x = from; x < to; x++) {
    int32_t next = x + radius, old = next - 2 * radius - 1;
    if (next < width) sum += sums[next];
    if (old >= first) sum -= sums[old];
    out[x] = sum;
  }
}

/// 2^30 / area of each column's window.
RTK_BODY void find_reciprocals(const RTKGuide *guide, int32_t rows, int32_t *out) {
  int32_t width = guide->width, radius = guide->radius, area = 0, reciprocal = 0;
  for (int32_t x = 0; x < width; x++) {
    int32_t left = x - radius < 0 ? 0 : x - radius, right = x + radius >= width ? width : x + radius + 1;
    if (rows * (right - left) != area) {
      area = rows * (right - left);
      reciprocal = ((1 << 30) + area / 2) / area;
    }
    out[x] = reciprocal;
  }
}

/// (sum * [2^30 / area] + half) >> (44 - bits): means with `bits` fractional bits, b with one more.
RTK_BODY void put_means(
    const int32_t *restrict a, const int32_t *restrict b, const int32_t *restrict reciprocals, int32_t bits,
    int32_t from, int32_t to, int16_t *restrict pairs) {
  int32_t shift = 44 - bits;
  int64_t half = (int64_t)1 << (shift - 1);
  for (int32_t x = from; x < to; x++) {
    int64_t reciprocal = reciprocals[x];
    pairs[2 * x] = (int16_t)((a[x] * reciprocal + half) >> shift);
    pairs[2 * x + 1] = (int16_t)((2 * (b[x] * reciprocal) + half) >> shift);
  }
}

RTK_KERNEL(
    guide_means, (guide, a, b, windows, pairs, first, count, memory),
    const RTKGuide *guide, const int32_t *a, const int32_t *b, const uint8_t *windows, int16_t *pairs, int32_t first,
    int32_t count, void *memory) {
  int32_t blockCount = rtk_block_count(guide->width), radius = guide->radius, height = guide->height;
  size_t stride = (size_t)blockCount * RTKBlockWidth;
  Scratch scratch;
  memset(memory, 0, lay_out(guide, &scratch, memory));
  int32_t *sumsA = scratch.greys, *sumsB = scratch.samples;
  // Reuses the 64-bit sums, which are not needed here.
  int32_t *alongA = (int32_t *)scratch.squares, *alongB = (int32_t *)scratch.products;
  int32_t *reciprocals = (int32_t *)scratch.nothing, rowCount = 0;
  Span columns = seen(guide, mixed_span(windows, blockCount, first, count));
  int32_t next = first - radius < 0 ? 0 : first - radius;
  for (int32_t y = first; y < first + count; y++) {
    int32_t top = y - radius < 0 ? 0 : y - radius, bottom = y + radius >= height ? height : y + radius + 1;
    if (columns.from < columns.to) {
      int32_t old = y == first ? -1 : y - radius - 1;
      do {
        int isIn = next < bottom, isOut = old >= 0;
        size_t in = stride * (size_t)next, out = stride * (size_t)(isOut ? old : 0);
        slide_sums(sumsA, isIn ? a + in : NULL, isOut ? a + out : NULL, columns);
        slide_sums(sumsB, isIn ? b + in : NULL, isOut ? b + out : NULL, columns);
        next++;
      } while (next < bottom && y == first);
    }
    if (bottom - top != rowCount) {
      rowCount = bottom - top;
      find_reciprocals(guide, rowCount, reciprocals);
    }
    const uint8_t *row = windows + (size_t)blockCount * (size_t)y;
    int16_t *rowPairs = pairs + 2 * (size_t)guide->width * (size_t)y;
    for (int32_t block = 0; block < blockCount; block++) {
      int32_t x = block * RTKBlockWidth, end = x + RTKBlockWidth;
      if (row[block] != RTKWindowMixed) {
        int16_t level = row[block] == RTKWindowOne ? (int16_t)(2 << guide->bits) : 0;
        for (int32_t i = x; i < (end > guide->width ? guide->width : end); i++) {
          rowPairs[2 * i] = 0;
          rowPairs[2 * i + 1] = level;
        }
        continue;
      }
      while (block + 1 < blockCount && row[block + 1] == RTKWindowMixed) block++;
      end = (block + 1) * RTKBlockWidth;
      if (end > guide->width) end = guide->width;
      sum_along(guide, sumsA, x, end, alongA);
      sum_along(guide, sumsB, x, end, alongB);
      put_means(alongA, alongB, reciprocals, guide->bits, x, end, rowPairs);
    }
  }
}
