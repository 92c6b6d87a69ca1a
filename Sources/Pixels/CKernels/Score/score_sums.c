// Sums over the pixels of mattes. They are of integers, so the order of addition does not matter.
//
// Most of a matte is flat: quad after quad is all 0 or all 255. A sum over mattes reads only what can add something,
// in groups of 32 pixels.
#include "groups.h"

enum { MATTES = 4, BEFORE = 1 };

/// What is summed. A kernel leaves out what it does not use.
typedef struct {
  /// A packed matte is in the place BEFORE.
  const RTKMatteFeatures *mattes[MATTES];
  const RTKPackedMatte *before;
  const uint8_t *mask;
} Planes;

/// 32 pixels of each.
typedef struct {
  const uint8_t *mattes[MATTES];
  /// NULL for all pixels.
  const uint8_t *mask;
} Group;

/// The quads of a word that may add something.
typedef uint64_t (*FindQuads)(const Planes *, ptrdiff_t);
/// Adds a group to the sums.
typedef void (*AddGroup)(const Group *, void *);

/// Fewer than 32 pixels: nothing is added for the others.
RTK_BODY void add_row_end(const Group *group, int32_t matteCount, int32_t count, AddGroup addGroup, void *sums) {
  uint8_t rest[MATTES + 1][GROUP] = {{0}};
  Group whole = {{rest[0], rest[1], rest[2], rest[3]}, group->mask ? rest[MATTES] : NULL};
  for (int32_t k = 0; k < matteCount; k++) memcpy(rest[k], group->mattes[k], (size_t)count);
  if (group->mask) memcpy(rest[MATTES], group->mask, (size_t)count);
  addGroup(&whole, sums);
}

static const uint8_t flatGroups[2][GROUP] = {
    {0},
    {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
     255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}};

RTK_BODY void add_groups(
    const Planes *planes, int32_t matteCount, int32_t width, int32_t height, FindQuads findQuads, AddGroup addGroup,
    void *sums) {
  int32_t quads = rtk_quad_count(width);
  ptrdiff_t stride = rtk_bit_stride(quads), words = (quads + 63) / 64;
  const RTKPackedMatte *before = planes->before;
  const uint8_t *packed = before ? before->samples : NULL;
  for (int32_t y = 0; y < height; y++) {
    for (ptrdiff_t w = 0; w < words; w++) {
      ptrdiff_t word = y * stride + w;
      uint64_t found = findQuads(planes, word);
      uint64_t mixed = before ? mixed_groups(before->notZero[word], before->notOne[word]) : 0;
      while (found != 0) {
        int32_t place = __builtin_ctzll(found) / GROUP_QUADS, x = first_pixel(w, place);
        uint64_t quadsOfGroup = (uint64_t)0xFF << GROUP_QUADS * place;
        found &= ~quadsOfGroup;
        size_t i = (size_t)y * (size_t)width + (size_t)x;
        Group group = {{NULL}, planes->mask ? planes->mask + i : NULL};
        for (int32_t k = 0; k < matteCount; k++) {
          if (!before || k != BEFORE) {
            group.mattes[k] = planes->mattes[k]->samples + i;
          } else if (mixed & quadsOfGroup) {
            uint64_t earlier = mixed & (((uint64_t)1 << GROUP_QUADS * place) - 1);
            group.mattes[k] = packed + GROUP * __builtin_popcountll(earlier);
          } else {
            group.mattes[k] = flatGroups[(before->notZero[word] & quadsOfGroup) != 0];
          }
        }
        if (width - x >= GROUP) {
          addGroup(&group, sums);
        } else {
          add_row_end(&group, matteCount, width - x, addGroup, sums);
        }
      }
      packed += GROUP * __builtin_popcountll(mixed);
    }
  }
}

/// Quads of two mattes that are not both all 0, and not both all 255.
RTK_BODY uint64_t unlike(const RTKMatteFeatures *a, const RTKMatteFeatures *b, ptrdiff_t w) {
  return (a->notZero[w] | b->notZero[w]) & (a->notOne[w] | b->notOne[w]);
}

RTK_BODY uint64_t unlike_before(const Planes *planes, ptrdiff_t w) {
  const RTKMatteFeatures *a = planes->mattes[0];
  return (a->notZero[w] | planes->before->notZero[w]) & (a->notOne[w] | planes->before->notOne[w]);
}

RTK_BODY uint64_t not_zero(const Planes *planes, ptrdiff_t w) { return planes->mattes[0]->notZero[w]; }

RTK_BODY uint64_t differing(const Planes *planes, ptrdiff_t w) {
  return unlike(planes->mattes[0], planes->mattes[1], w);
}

RTK_BODY uint64_t changing(const Planes *planes, ptrdiff_t w) {
  return unlike_before(planes, w) | unlike(planes->mattes[2], planes->mattes[3], w);
}

typedef struct {
  int64_t absolute;
  int64_t squared;
} Sums;

RTK_BODY void add_samples(const Group *group, void *memory) {
  Sums *sums = memory;
  for (int32_t i = 0; i < GROUP; i++) sums->absolute += group->mattes[0][i] & group->mask[i];
}

RTK_BODY void add_differences(const Group *group, void *memory) {
  Sums *sums = memory;
  for (int32_t i = 0; i < GROUP; i++) {
    int32_t d = group->mattes[0][i] - group->mattes[1][i];
    sums->absolute += d < 0 ? -d : d;
    sums->squared += d * d;
  }
}

RTK_BODY void add_differences_within(const Group *group, void *memory) {
  Sums *sums = memory;
  for (int32_t i = 0; i < GROUP; i++) {
    int32_t d = group->mattes[0][i] - group->mattes[1][i];
    sums->absolute += group->mask[i] ? (d < 0 ? -d : d) : 0;
  }
}

RTK_BODY void add_changes(const Group *group, void *memory) {
  Sums *sums = memory;
  for (int32_t i = 0; i < GROUP; i++) {
    int32_t d = group->mattes[0][i] - group->mattes[1][i] - (group->mattes[2][i] - group->mattes[3][i]);
    sums->squared += !group->mask || group->mask[i] ? d * d : 0;
  }
}

RTK_BODY Sums sums_of(
    const Planes *planes, int32_t matteCount, int32_t width, int32_t height, FindQuads findQuads, AddGroup addGroup) {
  Sums sums = {0, 0};
  add_groups(planes, matteCount, width, height, findQuads, addGroup, &sums);
  return sums;
}

#if RTK_HAS_AVX2
typedef struct {
  __m256i absolute;
  __m256i squared;
} VectorSums;

RTK_AVX2_BODY __m256i load(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }

/// Sums of 32 bits, added to lanes of 64.
RTK_AVX2_BODY __m256i widened(__m256i sums) {
  __m256i zero = _mm256_setzero_si256();
  return _mm256_add_epi64(_mm256_unpacklo_epi32(sums, zero), _mm256_unpackhi_epi32(sums, zero));
}

RTK_AVX2_BODY __m256i squares(__m256i low, __m256i high) {
  return widened(_mm256_add_epi32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high)));
}

RTK_AVX2_BODY void add_samples_avx2(const Group *group, void *memory) {
  VectorSums *sums = memory;
  __m256i kept = _mm256_and_si256(load(group->mattes[0]), load(group->mask));
  sums->absolute = _mm256_add_epi64(sums->absolute, _mm256_sad_epu8(kept, _mm256_setzero_si256()));
}

RTK_AVX2_BODY void add_differences_avx2(const Group *group, void *memory) {
  VectorSums *sums = memory;
  __m256i zero = _mm256_setzero_si256(), a = load(group->mattes[0]), b = load(group->mattes[1]);
  __m256i d = _mm256_sub_epi8(_mm256_max_epu8(a, b), _mm256_min_epu8(a, b));
  sums->absolute = _mm256_add_epi64(sums->absolute, _mm256_sad_epu8(d, zero));
  sums->squared = _mm256_add_epi64(
      sums->squared, squares(_mm256_unpacklo_epi8(d, zero), _mm256_unpackhi_epi8(d, zero)));
}

RTK_AVX2_BODY void add_differences_within_avx2(const Group *group, void *memory) {
  VectorSums *sums = memory;
  __m256i mask = load(group->mask);
  __m256i a = _mm256_and_si256(load(group->mattes[0]), mask), b = _mm256_and_si256(load(group->mattes[1]), mask);
  sums->absolute = _mm256_add_epi64(sums->absolute, _mm256_sad_epu8(a, b));
}

/// (a + d) - (b + c) of the lower or the higher halves.
#define CHANGE(unpack) \
  _mm256_sub_epi16( \
      _mm256_add_epi16(unpack(a, zero), unpack(d, zero)), _mm256_add_epi16(unpack(b, zero), unpack(c, zero)))

RTK_AVX2_BODY void add_changes_avx2(const Group *group, void *memory) {
  VectorSums *sums = memory;
  __m256i zero = _mm256_setzero_si256(), a = load(group->mattes[0]), b = load(group->mattes[1]);
  __m256i c = load(group->mattes[2]), d = load(group->mattes[3]);
  if (group->mask) {
    __m256i mask = load(group->mask);
    a = _mm256_and_si256(a, mask), b = _mm256_and_si256(b, mask);
    c = _mm256_and_si256(c, mask), d = _mm256_and_si256(d, mask);
  }
  sums->squared =
      _mm256_add_epi64(sums->squared, squares(CHANGE(_mm256_unpacklo_epi8), CHANGE(_mm256_unpackhi_epi8)));
}

RTK_AVX2_BODY Sums sums_of_avx2(
    const Planes *planes, int32_t matteCount, int32_t width, int32_t height, FindQuads findQuads, AddGroup addGroup) {
  VectorSums sums = {_mm256_setzero_si256(), _mm256_setzero_si256()};
  add_groups(planes, matteCount, width, height, findQuads, addGroup, &sums);
  return (Sums){rtk_sum(sums.absolute), rtk_sum(sums.squared)};
}
#endif

#define DIFFERENCES(SUMS, ADD) \
  Sums sums = SUMS(&(Planes){{a, b}, NULL, NULL}, 2, width, height, differing, ADD); \
  *absolute = sums.absolute, *squared = sums.squared

RTK_DISPATCH(
    differences, (a, b, width, height, absolute, squared),
    (const RTKMatteFeatures *a, const RTKMatteFeatures *b, int32_t width, int32_t height, int64_t *absolute,
     int64_t *squared),
    DIFFERENCES(sums_of, add_differences), DIFFERENCES(sums_of_avx2, add_differences_avx2))

#define CHANGES(SUMS, ADD) \
  *squared = SUMS(&(Planes){{a, NULL, b, bBefore}, before, mask}, 4, width, height, changing, ADD).squared

RTK_DISPATCH(
    change_differences, (a, before, b, bBefore, mask, width, height, squared),
    (const RTKMatteFeatures *a, const RTKPackedMatte *before, const RTKMatteFeatures *b,
     const RTKMatteFeatures *bBefore, const uint8_t *mask, int32_t width, int32_t height, int64_t *squared),
    CHANGES(sums_of, add_changes), CHANGES(sums_of_avx2, add_changes_avx2))

#define WITHIN(SUMS, ADD) *sum = SUMS(&(Planes){{matte}, NULL, mask}, 1, width, height, not_zero, ADD).absolute

RTK_DISPATCH(
    sum_within, (matte, mask, width, height, sum),
    (const RTKMatteFeatures *matte, const uint8_t *mask, int32_t width, int32_t height, int64_t *sum),
    WITHIN(sums_of, add_samples), WITHIN(sums_of_avx2, add_samples_avx2))

#define DIFFERENCES_WITHIN(SUMS, ADD) \
  *absolute = SUMS(&(Planes){{a}, before, mask}, 2, width, height, unlike_before, ADD).absolute

RTK_DISPATCH(
    differences_within, (a, before, mask, width, height, absolute),
    (const RTKMatteFeatures *a, const RTKPackedMatte *before, const uint8_t *mask, int32_t width, int32_t height,
     int64_t *absolute),
    DIFFERENCES_WITHIN(sums_of, add_differences_within), DIFFERENCES_WITHIN(sums_of_avx2, add_differences_within_avx2))

RTK_KERNEL(
    absolute_differences, (a, b, count, absolute), const uint8_t *a, const uint8_t *b, ptrdiff_t count,
    int64_t *absolute) {
  enum { PIECE = 1 << 14 };
  int64_t sum = 0;
  for (ptrdiff_t from = 0; from < count; from += PIECE) {
    ptrdiff_t to = count - from < PIECE ? count : from + PIECE;
    uint32_t piece = 0;
    for (ptrdiff_t i = from; i < to; i++) piece += (uint32_t)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
    sum += piece;
  }
  *absolute = sum;
}

RTK_BODY void box_sum(const uint8_t *samples, ptrdiff_t stride, int32_t width, int32_t height, int64_t *sum) {
  *sum = 0;
  for (int32_t y = 0; y < height; y++) {
    uint32_t row = 0;
    for (int32_t x = 0; x < width; x++) row += samples[y * stride + x];
    *sum += row;
  }
}

RTK_DEFINE(
    box_sum, (const uint8_t *samples, ptrdiff_t stride, int32_t width, int32_t height, int64_t *sum),
    (samples, stride, width, height, sum))

RTK_BODY void reduce_by_four(const uint8_t *samples, uint8_t *reduced, int32_t width, int32_t height) {
  int32_t columns = width / 4, rows = height / 4;
  for (int32_t y = 0; y < rows; y++) {
    const uint8_t *in = samples + (size_t)(4 * y) * (size_t)width;
    uint8_t *out = reduced + (size_t)y * (size_t)columns;
    int32_t x = 0;
    // Each 32-bit lane holds four bytes, which are added by masks and shifts.
    for (; x + 8 <= columns; x += 8) {
      Lanes32 sum = {0};
      for (int32_t row = 0; row < 4; row++) {
        Lanes32 quads = RTK_LOAD(Lanes32, in + (size_t)row * (size_t)width + 4 * x);
        Lanes32 pairs = (quads & 0x00FF00FF) + (quads >> 8 & 0x00FF00FF);
        sum += (pairs & 0xFFFF) + (pairs >> 16);
      }
      sum = (sum + 8) >> 4;
      for (int32_t i = 0; i < 8; i++) out[x + i] = (uint8_t)sum[i];
    }
    for (; x < columns; x++) {
      uint32_t sum = 8;
      for (int32_t i = 0; i < 16; i++) sum += in[(size_t)(i / 4) * (size_t)width + 4 * x + i % 4];
      out[x] = (uint8_t)(sum >> 4);
    }
  }
}

RTK_DEFINE(
    reduce_by_four, (const uint8_t *samples, uint8_t *reduced, int32_t width, int32_t height),
    (samples, reduced, width, height))
