// Colour models of cells of 8 by 8 pixels: sums of inside and outside colours, the direction that
// separates them best, and how often it is wrong.
#include "refine.h"

RTKCells rtk_cells(int32_t width, int32_t height) { return rtk_cells_of(width, height, RTKCellWidth); }

RTK_BODY CellSpan cell_span(const RTKColors *colors, int32_t column, int32_t row) {
  return rtk_cell_span(colors->width, colors->height, RTKCellWidth, column, row);
}

RTK_BODY void cell_sum(
    const RTKColors *colors, const uint8_t *known, int64_t *sums, RTKCells cells, int32_t column, int32_t row) {
  size_t plane = (size_t)cells.columns * (size_t)cells.rows, stride = rtk_stride(colors->width);
  CellSpan span = cell_span(colors, column, row);
  // 16 pixels of 10 bits: the squares add up to less than 2^24.
  int32_t of[2][RTKCellSums] = {{0}};
  for (int32_t y = span.top; y < span.bottom; y += 2) {
    for (int32_t x = span.left; x < span.right; x += 2) {
      uint8_t kind = known[(size_t)y * (size_t)colors->width + (size_t)x];
      if (kind == RTKUnsure) continue;
      int32_t *sum = of[kind == RTKInside];
      size_t place = stride * (size_t)y + (size_t)x;
      int32_t r = colors->red[place] >> 2, g = colors->green[place] >> 2, b = colors->blue[place] >> 2;
      sum[0] += 1;
      sum[1] += r;
      sum[2] += g;
      sum[3] += b;
      sum[4] += r * r;
      sum[5] += r * g;
      sum[6] += r * b;
      sum[7] += g * g;
      sum[8] += g * b;
      sum[9] += b * b;
    }
  }
  int64_t *out = sums + (size_t)row * (size_t)cells.columns + (size_t)column;
  for (int32_t k = 0; k < 2 * RTKCellSums; k++) out[plane * (size_t)k] = of[k / RTKCellSums][k % RTKCellSums];
}

RTK_BODY void cell_sums(
    const RTKColors *colors, const uint8_t *known, int64_t *sums, int32_t firstRow, int32_t rowCount) {
  RTKCells cells = rtk_cells(colors->width, colors->height);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    for (int32_t column = 0; column < cells.columns; column++) cell_sum(colors, known, sums, cells, column, row);
  }
}

#if RTK_HAS_AVX2
/// Adds up a whole cell's sums of one class. Lanes that do not count are 0.
RTK_AVX2_BODY void add_class_avx2(
    __m256i r, __m256i g, __m256i b, __m256i counted, __m256i one, __m256i sums[RTKCellSums]) {
  r = _mm256_and_si256(r, counted);
  g = _mm256_and_si256(g, counted);
  b = _mm256_and_si256(b, counted);
  __m256i of[RTKCellSums] = {
      _mm256_madd_epi16(_mm256_and_si256(one, counted), one), _mm256_madd_epi16(r, one), _mm256_madd_epi16(g, one),
      _mm256_madd_epi16(b, one), _mm256_madd_epi16(r, r), _mm256_madd_epi16(r, g), _mm256_madd_epi16(r, b),
      _mm256_madd_epi16(g, g), _mm256_madd_epi16(g, b), _mm256_madd_epi16(b, b)};
  for (int32_t k = 0; k < RTKCellSums; k++) sums[k] = _mm256_add_epi32(sums[k], of[k]);
}

/// Eight samples of a row and of the row two below it, in 10 bits.
RTK_AVX2_BODY __m256i two_rows_avx2(const int16_t *plane, size_t stride) {
  __m256i rows = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)plane)),
      _mm_loadu_si128((const __m128i *)(plane + 2 * stride)), 1);
  return _mm256_srai_epi16(rows, 2);
}

RTK_AVX2_BODY int32_t sum_lanes_avx2(__m256i sums) {
  __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xB1)));
}

RTK_AVX2_BODY void cell_sums_rows_avx2(
    const RTKColors *colors, const uint8_t *known, int64_t *sums, int32_t firstRow, int32_t rowCount) {
  RTKCells cells = rtk_cells(colors->width, colors->height);
  size_t plane = (size_t)cells.columns * (size_t)cells.rows, stride = rtk_stride(colors->width);
  size_t width = (size_t)colors->width;
  __m256i one = _mm256_set1_epi16(1), even = _mm256_set1_epi32(0xFFFF);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    for (int32_t column = 0; column < cells.columns; column++) {
      CellSpan span = cell_span(colors, column, row);
      if (span.right - span.left < RTKCellWidth || span.bottom - span.top < RTKCellWidth) {
        cell_sum(colors, known, sums, cells, column, row);
        continue;
      }
      __m256i of[2][RTKCellSums];
      for (int32_t k = 0; k < RTKCellSums; k++) of[0][k] = of[1][k] = _mm256_setzero_si256();
      int32_t has[2] = {0, 0};
      for (int32_t y = span.top; y < span.bottom; y += 4) {
        const uint8_t *kinds = known + width * (size_t)y + (size_t)span.left;
        __m256i kind = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)kinds))),
            _mm_cvtepu8_epi16(_mm_loadl_epi64((const __m128i *)(kinds + 2 * width))), 1);
        size_t place = stride * (size_t)y + (size_t)span.left;
        __m256i r = two_rows_avx2(colors->red + place, stride), g = two_rows_avx2(colors->green + place, stride);
        __m256i b = two_rows_avx2(colors->blue + place, stride);
        for (int32_t class = 0; class < 2; class++) {
          __m256i which = _mm256_set1_epi16(class ? RTKInside : RTKOutside);
          __m256i counted = _mm256_and_si256(_mm256_cmpeq_epi16(kind, which), even);
          if (_mm256_testz_si256(counted, counted)) continue;
          has[class] = 1;
          add_class_avx2(r, g, b, counted, one, of[class]);
        }
      }
      int64_t *out = sums + (size_t)row * (size_t)cells.columns + (size_t)column;
      for (int32_t k = 0; k < 2 * RTKCellSums; k++) {
        int32_t class = k / RTKCellSums;
        out[plane * (size_t)k] = has[class] ? sum_lanes_avx2(of[class][k % RTKCellSums]) : 0;
      }
    }
  }
}
#endif

RTK_BODY void cell_box(RTKCells cells, int32_t radius, int64_t *plane, int64_t *scratch) {
  int32_t columns = cells.columns, rows = cells.rows;
  for (int32_t row = 0; row < rows; row++) {
    const int64_t *in = plane + (size_t)row * (size_t)columns;
    int64_t *out = scratch + (size_t)row * (size_t)columns, sum = 0;
    for (int32_t x = 0; x < radius && x < columns; x++) sum += in[x];
    for (int32_t x = 0; x < columns; x++) {
      if (x + radius < columns) sum += in[x + radius];
      if (x - radius > 0) sum -= in[x - radius - 1];
      out[x] = sum;
    }
  }
  memset(plane, 0, (size_t)columns * sizeof(int64_t));
  for (int32_t y = 0; y <= radius && y < rows; y++) {
    const int64_t *in = scratch + (size_t)y * (size_t)columns;
    for (int32_t x = 0; x < columns; x++) plane[x] += in[x];
  }
  for (int32_t y = 1; y < rows; y++) {
    int64_t *restrict out = plane + (size_t)y * (size_t)columns;
    const int64_t *restrict above = out - columns;
    memcpy(out, above, (size_t)columns * sizeof(int64_t));
    if (y + radius < rows) {
      const int64_t *restrict in = scratch + (size_t)(y + radius) * (size_t)columns;
      for (int32_t x = 0; x < columns; x++) out[x] += in[x];
    }
    if (y - radius > 0) {
      const int64_t *restrict old = scratch + (size_t)(y - radius - 1) * (size_t)columns;
      for (int32_t x = 0; x < columns; x++) out[x] -= old[x];
    }
  }
}

/// Below FEW pixels of a class, the wider neighbourhood is added; below LEAST, the cell gets no model.
enum { LEAST = 48, FEW = 400 };

/// Mean colours in 16 bits, and their covariance in 32.
typedef struct {
  int64_t mean[3];
  int64_t covariance[6];
} Class;

RTK_BODY Class class_of(const int64_t sums[RTKCellSums]) {
  Class class;
  int64_t count = sums[0];
  for (int32_t i = 0; i < 3; i++) class.mean[i] = ((sums[1 + i] << 6) + count / 2) / count;
  for (int32_t i = 0, k = 0; i < 3; i++) {
    for (int32_t j = i; j < 3; j++, k++) {
      class.covariance[k] = ((sums[4 + k] << 12) + count / 2) / count - class.mean[i] * class.mean[j];
    }
  }
  return class;
}

/// Added to the variances: 1e-4 of white squared, at 16 bits.
enum { LEAST_SPREAD = 429000 };

RTK_BODY RTKCellModel separated(const Class *outside, const Class *inside) {
  int64_t spread[6], apart[3];
  for (int32_t k = 0; k < 6; k++) spread[k] = (outside->covariance[k] + inside->covariance[k]) / 2;
  spread[0] += LEAST_SPREAD;
  spread[3] += LEAST_SPREAD;
  spread[5] += LEAST_SPREAD;
  for (int32_t i = 0; i < 3; i++) apart[i] = inside->mean[i] - outside->mean[i];
  int32_t shift = normalize(spread);
  Adjugate a = adjugate_of(spread);
  int64_t way[3] = {
      a.of[0] * apart[0] + a.of[1] * apart[1] + a.of[2] * apart[2],
      a.of[1] * apart[0] + a.of[3] * apart[1] + a.of[4] * apart[2],
      a.of[2] * apart[0] + a.of[4] * apart[1] + a.of[5] * apart[2],
  };
  __int128 distance = 0;
  for (int32_t i = 0; i < 3; i++) distance += (__int128)way[i] * apart[i];
  RTKCellModel model = {0, 0, 0, 0, 0};
  if (a.determinant <= 0 || distance <= 0) return model;
  // Fisher's criterion, in 1 / 256. Trust is 0 up to 8 and full from 32.
  __int128 criterion = (distance << 8) / ((__int128)a.determinant << shift);
  if (criterion <= 8 << 8) return model;
  model.trust = criterion >= 32 << 8 ? 256 : (int32_t)((criterion - (8 << 8)) / 24);
  // Maps 12-bit colours to matte samples with 12 fractional bits.
  int32_t *slopes[3] = {&model.red, &model.green, &model.blue};
  __int128 constant = 0;
  for (int32_t i = 0; i < 3; i++) {
    __int128 slope = ((__int128)way[i] * ((int64_t)RTKMatteOne << 16)) / distance;
    if (slope > INT32_MAX || slope < INT32_MIN) return (RTKCellModel){0, 0, 0, 0, 0};
    *slopes[i] = (int32_t)slope;
    constant -= slope * outside->mean[i];
  }
  model.constant = (int64_t)(constant / 16);
  return model;
}

RTK_BODY void cell_models(
    RTKCells cells, const int64_t *near, const int64_t *wide, const uint8_t *isWanted, RTKCellModel *models,
    int32_t firstRow, int32_t rowCount) {
  size_t plane = (size_t)cells.columns * (size_t)cells.rows;
  for (size_t i = (size_t)firstRow * (size_t)cells.columns; i < (size_t)(firstRow + rowCount) * (size_t)cells.columns;
       i++) {
    models[i] = (RTKCellModel){0, 0, 0, 0, 0};
    if (!isWanted[i]) continue;
    Class classes[2];
    int32_t isKnown = 1;
    for (size_t c = 0; c < 2 && isKnown; c++) {
      int64_t sums[RTKCellSums];
      const int64_t *from = near + c * RTKCellSums * plane + i, *more = wide + c * RTKCellSums * plane + i;
      int32_t isFew = from[0] < FEW;
      for (size_t k = 0; k < RTKCellSums; k++) sums[k] = from[k * plane] + (isFew ? more[k * plane] : 0);
      isKnown = sums[0] >= LEAST;
      if (isKnown) classes[c] = class_of(sums);
    }
    if (isKnown) models[i] = separated(&classes[0], &classes[1]);
  }
}

RTK_BODY void cell_errors(
    const RTKColors *colors, const uint8_t *known, const RTKCellModel *models, int64_t *counts, int32_t firstRow,
    int32_t rowCount) {
  RTKCells cells = rtk_cells(colors->width, colors->height);
  size_t plane = (size_t)cells.columns * (size_t)cells.rows, stride = rtk_stride(colors->width);
  for (int32_t row = firstRow; row < firstRow + rowCount; row++) {
    for (int32_t column = 0; column < cells.columns; column++) {
      size_t i = (size_t)row * (size_t)cells.columns + (size_t)column;
      int64_t of[4] = {0};
      if (models[i].trust > 0) {
        CellSpan span = cell_span(colors, column, row);
        for (int32_t y = span.top; y < span.bottom; y += 2) {
          for (int32_t x = span.left; x < span.right; x += 2) {
            uint8_t kind = known[(size_t)y * (size_t)colors->width + (size_t)x];
            if (kind == RTKUnsure) continue;
            int64_t t = model_value(&models[i], colors, stride * (size_t)y + (size_t)x);
            int32_t isInside = kind == RTKInside;
            of[2 * isInside] += 1;
            of[2 * isInside + 1] += isInside ? t < RTKMatteOne * 6 / 10 : t > RTKMatteOne * 4 / 10;
          }
        }
      }
      for (size_t k = 0; k < 4; k++) counts[plane * k + i] = of[k];
    }
  }
}

RTK_BODY void cell_gate(
    RTKCells cells, const int64_t *counts, const RTKCellModel *models, int32_t doubt, int16_t *gate, int32_t firstRow,
    int32_t rowCount) {
  size_t plane = (size_t)cells.columns * (size_t)cells.rows;
  for (size_t i = (size_t)firstRow * (size_t)cells.columns; i < (size_t)(firstRow + rowCount) * (size_t)cells.columns;
       i++) {
    int64_t wrong = 0;
    for (size_t c = 0; c < 2; c++) {
      int64_t all = counts[2 * c * plane + i], of = counts[(2 * c + 1) * plane + i];
      int64_t share = all == 0 ? 65536 : (of << 16) / all;
      if (share > wrong) wrong = share;
    }
    // Fully open up to a quarter of `doubt`, closed from `doubt` on.
    int64_t open = wrong >= doubt ? 0 : (doubt - wrong) * 1024 / (3 * (int64_t)doubt);
    gate[i] = models[i].trust == 0 ? 0 : (int16_t)(open > 256 ? 256 : open);
  }
}

RTK_DISPATCH(
    cell_sums, (colors, known, sums, firstRow, rowCount),
    (const RTKColors *colors, const uint8_t *known, int64_t *sums, int32_t firstRow, int32_t rowCount),
    cell_sums(colors, known, sums, firstRow, rowCount), cell_sums_rows_avx2(colors, known, sums, firstRow, rowCount))

RTK_DEFINE(
    cell_box, (RTKCells cells, int32_t radius, int64_t *plane, int64_t *scratch), (cells, radius, plane, scratch))

RTK_DEFINE(
    cell_models,
    (RTKCells cells, const int64_t *near, const int64_t *wide, const uint8_t *isWanted, RTKCellModel *models,
     int32_t firstRow, int32_t rowCount),
    (cells, near, wide, isWanted, models, firstRow, rowCount))

RTK_DEFINE(
    cell_errors,
    (const RTKColors *colors, const uint8_t *known, const RTKCellModel *models, int64_t *counts, int32_t firstRow,
     int32_t rowCount),
    (colors, known, models, counts, firstRow, rowCount))

RTK_DEFINE(
    cell_gate,
    (RTKCells cells, const int64_t *counts, const RTKCellModel *models, int32_t doubt, int16_t *gate, int32_t firstRow,
     int32_t rowCount),
    (cells, counts, models, doubt, gate, firstRow, rowCount))
