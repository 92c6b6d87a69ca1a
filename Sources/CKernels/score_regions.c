// Regions of a picture of yes and no, by runs of a row; and with them what of a matte hangs together.
#include "lanes.h"

#if RTK_HAS_AVX2
#include <immintrin.h>
#endif

/// Pixels of a row, without the one at `to`.
typedef struct {
  int32_t from;
  int32_t to;
} Run;

/// Regions in the making. A run's parent is an earlier run of its region, or itself: the region's first one.
typedef struct {
  Run *runs;
  int32_t *parents;
  int32_t count;
  /// The first run of each row, and the end of the last one's.
  int32_t *rows;
} Regions;

RTK_BODY size_t run_limit(int32_t width, int32_t height) { return (size_t)(width / 2 + 1) * (size_t)height; }

RTK_BODY size_t regions_bytes(int32_t width, int32_t height) {
  size_t limit = run_limit(width, height);
  return rtk_padded(limit * sizeof(Run)) + rtk_padded(limit * sizeof(int32_t)) +
         rtk_padded(((size_t)height + 1) * sizeof(int32_t));
}

RTK_BODY Regions regions_in(uint8_t *memory, int32_t width, int32_t height) {
  size_t limit = run_limit(width, height);
  uint8_t *parents = memory + rtk_padded(limit * sizeof(Run));
  Regions regions = {
      (Run *)memory, (int32_t *)parents, 0, (int32_t *)(parents + rtk_padded(limit * sizeof(int32_t)))};
  regions.rows[0] = 0;
  return regions;
}

RTK_BODY int32_t first_of(int32_t *parents, int32_t run) {
  while (parents[run] != run) {
    // Halving the way keeps all ways short.
    parents[run] = parents[parents[run]];
    run = parents[run];
  }
  return run;
}

/// Words of a row in which a pixel may be unlike the one on its left: all others are flat, and as the word before.
/// - least, most: of several rows that lie in one another, the last and the first.
RTK_BODY ptrdiff_t list_places(const uint64_t *least, const uint64_t *most, ptrdiff_t wordCount, int32_t *places) {
  ptrdiff_t count = 0;
  // What all of the word before was; neither 0 nor 1 for a mixed one.
  uint64_t before = 0;
  for (ptrdiff_t w = 0; w < wordCount; w++) {
    uint64_t kind = most[w] == 0 ? 0 : least[w] == ~(uint64_t)0 ? 1 : 2;
    places[count] = (int32_t)w;
    count += kind == 2 || kind != before;
    before = kind;
  }
  return count;
}

/// A row's runs, behind those that there are; where they end.
/// - places: of the row's words, those where runs may begin or end.
RTK_BODY int32_t find_runs(
    Run *runs, int32_t count, const uint64_t *words, ptrdiff_t wordCount, const int32_t *places, ptrdiff_t placeCount) {
  for (ptrdiff_t i = 0; i < placeCount; i++) {
    ptrdiff_t w = places ? places[i] : i;
    // Where a pixel is not as the one on its left. Before a row's first word there is one that is 0.
    uint64_t word = words[w], changes = word ^ (word << 1 | words[w - 1] >> 63);
    while (changes != 0) {
      int32_t x = (int32_t)(64 * w) + __builtin_ctzll(changes);
      // A run begins with a pixel that is in it.
      if (word >> (x & 63) & 1) {
        runs[count].from = x;
      } else {
        runs[count++].to = x;
      }
      changes &= changes - 1;
    }
  }
  if (words[wordCount - 1] >> 63) runs[count++].to = (int32_t)(64 * wordCount);
  return count;
}

/// Joins a row's runs, up to `count`, with those of the row above.
/// - reach: 1 where pixels that touch at corners hang together, else 0.
RTK_BODY void join_runs(Regions *regions, int32_t count, int32_t y, int32_t reach) {
  Run *runs = regions->runs;
  int32_t *parents = regions->parents;
  int32_t first = regions->count, above = y == 0 ? first : regions->rows[y - 1];
  regions->rows[y + 1] = regions->count = count;
  for (int32_t run = first; run < count; run++) {
    int32_t parent = run, from = runs[run].from - reach, to = runs[run].to + reach;
    while (above < first && runs[above].to <= from) above++;
    for (; above < first && runs[above].from < to; above++) {
      int32_t other = first_of(parents, above);
      // The earlier one stays, so that a region is known by its first run.
      if (parent == run) {
        parent = other;
      } else if (other < parent) {
        parents[parent] = other;
        parent = other;
      } else {
        parents[other] = parent;
      }
      // It may reach further than this run, and touch the next one too.
      if (runs[above].to >= to) break;
    }
    parents[run] = parent;
  }
}

/// Afterwards every run's parent is its region's first one.
RTK_BODY void settle(Regions *regions) {
  int32_t *parents = regions->parents;
  for (int32_t run = 0; run < regions->count; run++) parents[run] = parents[parents[run]];
}

size_t rtk_regions_scratch(int32_t width, int32_t height) {
  return 2 * regions_bytes(width, height) + run_limit(width, height) * sizeof(int64_t);
}

/// What lies between a row's runs, and before and behind them.
RTK_BODY int32_t find_gaps(const Run *runs, int32_t count, int32_t width, Run *gaps, int32_t gapCount) {
  int32_t from = 0;
  for (int32_t i = 0; i < count; i++) {
    if (runs[i].from > from) gaps[gapCount++] = (Run){from, runs[i].from};
    from = runs[i].to;
  }
  if (from < width) gaps[gapCount++] = (Run){from, width};
  return gapCount;
}

RTK_BODY void regions(const uint64_t *person, int32_t width, int32_t height, RTKRegions *found, void *scratch) {
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  Regions pieces = regions_in(scratch, width, height);
  uint8_t *rest = (uint8_t *)scratch + regions_bytes(width, height);
  Regions gaps = regions_in(rest, width, height);
  int64_t *pixels = (int64_t *)(rest + regions_bytes(width, height));
  for (int32_t y = 0; y < height; y++) {
    int32_t first = pieces.count;
    join_runs(&pieces, find_runs(pieces.runs, first, person + y * stride, words, NULL, words), y, 1);
    const Run *runs = pieces.runs + first;
    join_runs(&gaps, find_gaps(runs, pieces.count - first, width, gaps.runs, gaps.count), y, 0);
  }
  *found = (RTKRegions){0, 0, 0};
  for (int32_t run = 0; run < pieces.count; run++) found->pieceCount += pieces.parents[run] == run;
  settle(&gaps);
  // Of a region its pixels; -1 where it touches the border.
  for (int32_t y = 0; y < height; y++) {
    for (int32_t i = gaps.rows[y]; i < gaps.rows[y + 1]; i++) {
      Run run = gaps.runs[i];
      int64_t *sum = &pixels[gaps.parents[i]];
      if (gaps.parents[i] == i) *sum = 0;
      int32_t isAtBorder = y == 0 || y == height - 1 || run.from == 0 || run.to == width;
      *sum = isAtBorder || *sum < 0 ? -1 : *sum + run.to - run.from;
    }
  }
  for (int32_t run = 0; run < gaps.count; run++) {
    if (gaps.parents[run] != run || pixels[run] < 0) continue;
    found->holeCount++;
    found->holePixelCount += pixels[run];
  }
}

RTK_DEFINE(
    regions, (const uint64_t *person, int32_t width, int32_t height, RTKRegions *found, void *scratch),
    (person, width, height, found, scratch))

enum { LEVELS = 10 };

/// The least sample at a level's threshold: 10 * sample >= 255 * level.
RTK_BODY int32_t threshold(int32_t level) { return (255 * level + 9) / 10; }

/// The last level of what is both a and b, if it hangs on as long as it is there.
RTK_BODY int32_t level_of(int32_t least) { return 10 * least / 255; }

/// A sample less a level in 2550ths; 0 where it is below 0.15.
RTK_BODY int32_t excess(int32_t sample, int32_t level) {
  int32_t excess = 10 * sample - 255 * level;
  return 2 * excess >= 765 ? excess : 0;
}

RTK_BODY int32_t error_at(int32_t a, int32_t b, int32_t level) {
  int32_t error = excess(a, level) - excess(b, level);
  return error < 0 ? -error : error;
}

/// 64 pixels at the ten thresholds, of the lesser of two mattes, and the error if all of them hang on as long as they
/// are there: of the lesser one there is no excess then.
typedef int64_t (*LookAt)(const uint8_t *, const uint8_t *, uint64_t *, ptrdiff_t);

RTK_BODY int64_t look_at(const uint8_t *a, const uint8_t *b, uint64_t *levels, ptrdiff_t stride) {
  int64_t error = 0;
  for (int32_t level = 0; level < LEVELS; level++) levels[level * stride] = 0;
  for (int32_t i = 0; i < 64; i++) {
    int32_t least = a[i] < b[i] ? a[i] : b[i], most = a[i] < b[i] ? b[i] : a[i], level = level_of(least);
    for (int32_t k = 0; k < level; k++) levels[k * stride] |= (uint64_t)1 << i;
    error += excess(most, level);
  }
  return error;
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY uint64_t masks(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/// Sixteen excesses of what is most over the level of what is least.
RTK_AVX2_BODY __m256i excesses(__m256i least, __m256i most) {
  // 2571 / 2^16 is 10 / 255 rounded up: for all of 0 ... 255 their product's whole part is that of 10 * least / 255.
  __m256i level = _mm256_mulhi_epu16(least, _mm256_set1_epi16(2571));
  __m256i excess = _mm256_sub_epi16(
      _mm256_mullo_epi16(most, _mm256_set1_epi16(10)), _mm256_mullo_epi16(level, _mm256_set1_epi16(255)));
  return _mm256_and_si256(excess, _mm256_cmpgt_epi16(excess, _mm256_set1_epi16(382)));
}

RTK_AVX2_BODY int64_t look_at_avx2(const uint8_t *a, const uint8_t *b, uint64_t *levels, ptrdiff_t stride) {
  __m256i aLow = _mm256_loadu_si256((const __m256i *)a), aHigh = _mm256_loadu_si256((const __m256i *)(a + 32));
  __m256i bLow = _mm256_loadu_si256((const __m256i *)b), bHigh = _mm256_loadu_si256((const __m256i *)(b + 32));
  __m256i low = _mm256_min_epu8(aLow, bLow), high = _mm256_min_epu8(aHigh, bHigh);
  __m256i any = _mm256_or_si256(low, high), all = _mm256_and_si256(low, high), one = _mm256_set1_epi8(-1);
  if (_mm256_testz_si256(any, any) || _mm256_testc_si256(all, one)) {
    uint64_t word = (uint64_t)0 - (uint64_t)(_mm256_extract_epi8(low, 0) & 1);
    for (int32_t level = 0; level < LEVELS; level++) levels[level * stride] = word;
  } else {
    for (int32_t level = 0; level < LEVELS; level++) {
      __m256i least = _mm256_set1_epi8((char)threshold(level + 1));
      levels[level * stride] = masks(
          _mm256_cmpeq_epi8(_mm256_max_epu8(low, least), low), _mm256_cmpeq_epi8(_mm256_max_epu8(high, least), high));
    }
  }
  __m256i unlike = _mm256_or_si256(_mm256_xor_si256(aLow, bLow), _mm256_xor_si256(aHigh, bHigh));
  // Where both are the same, neither has an excess.
  if (_mm256_testz_si256(unlike, unlike)) return 0;
  __m256i zero = _mm256_setzero_si256(), sum = zero, ones = _mm256_set1_epi16(1);
  __m256i mostLow = _mm256_max_epu8(aLow, bLow), mostHigh = _mm256_max_epu8(aHigh, bHigh);
  sum = _mm256_madd_epi16(excesses(_mm256_unpacklo_epi8(low, zero), _mm256_unpacklo_epi8(mostLow, zero)), ones);
  sum = _mm256_add_epi32(
      sum,
      _mm256_madd_epi16(excesses(_mm256_unpackhi_epi8(low, zero), _mm256_unpackhi_epi8(mostLow, zero)), ones));
  sum = _mm256_add_epi32(
      sum,
      _mm256_madd_epi16(excesses(_mm256_unpacklo_epi8(high, zero), _mm256_unpacklo_epi8(mostHigh, zero)), ones));
  sum = _mm256_add_epi32(
      sum,
      _mm256_madd_epi16(excesses(_mm256_unpackhi_epi8(high, zero), _mm256_unpackhi_epi8(mostHigh, zero)), ones));
  __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  four = _mm_add_epi32(four, _mm_srli_si128(four, 8));
  four = _mm_add_epi32(four, _mm_srli_si128(four, 4));
  return _mm_cvtsi128_si32(four);
}
#endif

/// What all of the levels need.
typedef struct {
  Regions regions[LEVELS];
  /// Of each run how many pixels its region has, for one level at a time.
  int64_t *pixels;
  /// Pixels that hang on no longer.
  uint64_t *lost;
  /// A row at each threshold.
  uint64_t *levels;
  int32_t *places;
} Scratch;

static size_t lay_out(int32_t width, int32_t height, Scratch *scratch, uint8_t *base) {
  size_t each = regions_bytes(width, height), pixels = rtk_padded(run_limit(width, height) * sizeof(int64_t));
  // And before the first row a word that is 0.
  size_t row = rtk_padded(((size_t)rtk_bit_stride(width) + 1) * sizeof(uint64_t));
  if (base) {
    for (int32_t level = 0; level < LEVELS; level++) {
      scratch->regions[level] = regions_in(base + (size_t)level * each, width, height);
    }
    scratch->pixels = (int64_t *)(base + LEVELS * each);
    scratch->lost = (uint64_t *)(base + LEVELS * each + pixels);
    scratch->levels = (uint64_t *)(base + LEVELS * each + pixels + row * (size_t)height) + 1;
    scratch->places = (int32_t *)(base + LEVELS * each + pixels + row * (size_t)height + LEVELS * row);
  }
  return LEVELS * each + pixels + row * (size_t)height + LEVELS * row + row;
}

size_t rtk_connectivity_scratch(int32_t width, int32_t height) { return lay_out(width, height, NULL, NULL); }

/// The region with most pixels, of equals the first, by its first run; -1 for none.
RTK_BODY int32_t largest(const Regions *regions, int64_t *pixels) {
  int32_t best = -1;
  for (int32_t i = 0; i < regions->count; i++) {
    int32_t first = regions->parents[i];
    if (first == i) pixels[i] = 0;
    pixels[first] += regions->runs[i].to - regions->runs[i].from;
  }
  for (int32_t i = 0; i < regions->count; i++) {
    if (regions->parents[i] == i && (best < 0 || pixels[i] > pixels[best])) best = i;
  }
  return best;
}

/// Pixels of a run that hang on no longer from this level on: how much larger the error is by them.
RTK_BODY int64_t lose(
    uint64_t *lost, Run run, const uint8_t *a, const uint8_t *b, int32_t level) {
  int64_t error = 0;
  for (int32_t w = run.from / 64; w <= (run.to - 1) / 64; w++) {
    uint64_t bits = ~lost[w];
    if (w == run.from / 64) bits &= ~(uint64_t)0 << run.from % 64;
    if (w == (run.to - 1) / 64) bits &= ~(uint64_t)0 >> (63 - (run.to - 1) % 64);
    lost[w] |= bits;
    for (; bits != 0; bits &= bits - 1) {
      int32_t x = 64 * w + __builtin_ctzll(bits);
      if (a[x] == b[x]) continue;
      int32_t least = a[x] < b[x] ? a[x] : b[x];
      error += error_at(a[x], b[x], level - 1) - error_at(a[x], b[x], level_of(least));
    }
  }
  return error;
}

RTK_BODY void connectivity(
    const uint8_t *matte, const uint8_t *truth, int32_t width, int32_t height, int64_t *error, void *memory,
    LookAt lookAt) {
  Scratch scratch;
  lay_out(width, height, &scratch, memory);
  ptrdiff_t stride = rtk_bit_stride(width), words = (width + 63) / 64;
  memset(scratch.lost, 0, (size_t)stride * (size_t)height * sizeof(uint64_t));
  memset(scratch.levels - 1, 0, ((size_t)stride * LEVELS + 1) * sizeof(uint64_t));
  int64_t sum = 0;
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *a = matte + (size_t)y * (size_t)width, *b = truth + (size_t)y * (size_t)width;
    for (int32_t x = 0, w = 0; x < width; x += 64, w++) {
      if (width - x >= 64) {
        sum += lookAt(a + x, b + x, scratch.levels + w, stride);
      } else {
        uint8_t restA[64] = {0}, restB[64] = {0};
        memcpy(restA, a + x, (size_t)(width - x));
        memcpy(restB, b + x, (size_t)(width - x));
        sum += lookAt(restA, restB, scratch.levels + w, stride);
      }
    }
    ptrdiff_t placeCount =
        list_places(scratch.levels + (LEVELS - 1) * stride, scratch.levels, words, scratch.places);
    for (int32_t level = 0; level < LEVELS; level++) {
      Regions *regions = &scratch.regions[level];
      const uint64_t *row = scratch.levels + level * stride;
      join_runs(
          regions, find_runs(regions->runs, regions->count, row, words, scratch.places, placeCount), y, 0);
    }
  }
  for (int32_t level = 0; level < LEVELS; level++) {
    Regions *regions = &scratch.regions[level];
    settle(regions);
    int32_t best = largest(regions, scratch.pixels);
    for (int32_t i = 0, y = 0; i < regions->count; i++) {
      if (regions->parents[i] == best) continue;
      while (regions->rows[y + 1] <= i) y++;
      size_t row = (size_t)y * (size_t)width;
      sum += lose(scratch.lost + y * stride, regions->runs[i], matte + row, truth + row, level + 1);
    }
  }
  *error = sum;
}

#if RTK_HAS_AVX2
RTK_AVX2 static void connectivity_avx2(
    const uint8_t *matte, const uint8_t *truth, int32_t width, int32_t height, int64_t *error, void *scratch) {
  connectivity(matte, truth, width, height, error, scratch, look_at_avx2);
}
#endif

void rtk_connectivity(
    RTKProcessor processor, const uint8_t *matte, const uint8_t *truth, int32_t width, int32_t height, int64_t *error,
    void *scratch) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return connectivity_avx2(matte, truth, width, height, error, scratch);
#else
  (void)processor;
#endif
  connectivity(matte, truth, width, height, error, scratch, look_at);
}
