// Connectivity error of a matte against the truth, from the regions at each of ten thresholds.
#include "runs.h"

enum { LEVELS = 10 };

/// Highest level that min(a, b) reaches.
RTK_BODY int32_t level_of(int32_t least) { return 10 * least / 255; }

/// Sample minus level, unit 1/2550; 0 if below 0.15.
RTK_BODY int32_t excess(int32_t sample, int32_t level) {
  int32_t excess = 10 * sample - 255 * level;
  return 2 * excess >= 765 ? excess : 0;
}

RTK_BODY int32_t error_at(int32_t a, int32_t b, int32_t level) {
  int32_t error = excess(a, level) - excess(b, level);
  return error < 0 ? -error : error;
}

/// Thresholds 64 pixels of min(a, b) at the ten levels. Returns their error for the case that no
/// pixel is disconnected below its own level; then only the larger sample has an excess.
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
/// Smallest sample at or above level / 10.
RTK_BODY int32_t threshold(int32_t level) { return (255 * level + 9) / 10; }

RTK_AVX2_BODY __m256i excesses(__m256i least, __m256i most) {
  // 2571 / 2^16 is 10 / 255 rounded up; for 0 ... 255 the result equals 10 * least / 255.
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
      levels[level * stride] = rtk_byte_masks(
          _mm256_cmpeq_epi8(_mm256_max_epu8(low, least), low), _mm256_cmpeq_epi8(_mm256_max_epu8(high, least), high));
    }
  }
  __m256i unlike = _mm256_or_si256(_mm256_xor_si256(aLow, bLow), _mm256_xor_si256(aHigh, bHigh));
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

/// Lists the words of a row in which a pixel may differ from its left neighbour.
/// - least, most: the same row at the highest and the lowest threshold; the others lie in between.
RTK_BODY ptrdiff_t list_places(const uint64_t *least, const uint64_t *most, ptrdiff_t wordCount, int32_t *places) {
  ptrdiff_t count = 0;
  // Content of the previous word: all 0, all 1, or 2 for mixed.
  uint64_t before = 0;
  for (ptrdiff_t w = 0; w < wordCount; w++) {
    uint64_t kind = most[w] == 0 ? 0 : least[w] == ~(uint64_t)0 ? 1 : 2;
    places[count] = (int32_t)w;
    count += kind == 2 || kind != before;
    before = kind;
  }
  return count;
}

typedef struct {
  Regions regions[LEVELS];
  /// Region sizes by first run, for one level at a time.
  int64_t *pixels;
  /// Pixels already disconnected at a lower level.
  uint64_t *lost;
  uint64_t *levels;
  int32_t *places;
} Scratch;

static size_t lay_out(int32_t width, int32_t height, Scratch *scratch, uint8_t *base) {
  size_t each = regions_bytes(width, height), pixels = rtk_padded(run_limit(width, height) * sizeof(int64_t));
  // One word of 0 precedes the first row.
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

/// Index of the first run of the largest region (the first of equals), or -1.
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

/// Marks a run's pixels as disconnected from `level` on. Returns the resulting change of the error.
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
    // A single region is fully connected.
    if (regions->regionCount <= 1) continue;
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
