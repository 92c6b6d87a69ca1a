#include "lanes.h"

typedef struct {
  const uint8_t *samples;
  int32_t width;
  int32_t height;
} Plane;

typedef struct {
  int32_t x;
  int32_t y;
  int32_t width;
  int32_t height;
} Block;

typedef struct {
  RTKMotion motion;
  int64_t difference;
} Found;

/// Sum of absolute differences; stops early once it exceeds the limit.
typedef int64_t (*Compare)(Plane, Plane, Block, RTKMotion, int64_t);

RTK_BODY int64_t compare(Plane picture, Plane before, Block block, RTKMotion motion, int64_t limit) {
  int64_t sum = 0;
  for (int32_t y = block.y; y < block.y + block.height; y++) {
    const uint8_t *row = picture.samples + (size_t)y * (size_t)picture.width;
    const uint8_t *rowBefore =
        before.samples + (size_t)rtk_clamped(y + motion.y, before.height - 1) * (size_t)before.width;
    for (int32_t x = block.x; x < block.x + block.width; x++) {
      int32_t d = row[x] - rowBefore[rtk_clamped(x + motion.x, before.width - 1)];
      sum += d < 0 ? -d : d;
    }
    if (sum > limit) return sum;
  }
  return sum;
}

#if RTK_HAS_AVX2
RTK_AVX2_BODY __m256i two_rows(const uint8_t *row, ptrdiff_t width) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)row)),
      _mm_loadu_si128((const __m128i *)(row + width)), 1);
}

RTK_AVX2_BODY int64_t compare_avx2(Plane picture, Plane before, Block block, RTKMotion motion, int64_t limit) {
  int32_t x = block.x + motion.x, y = block.y + motion.y;
  int32_t isInside =
      x >= 0 && y >= 0 && x + block.width <= before.width && y + block.height <= before.height;
  if (!isInside || (block.width != 16 && block.width != 4) || block.height % 4 != 0) {
    return compare(picture, before, block, motion, limit);
  }
  ptrdiff_t width = picture.width;
  const uint8_t *p = picture.samples + block.y * width + block.x, *q = before.samples + y * width + x;
  if (block.width == 4) {
    __m128i sums = _mm_setzero_si128();
    for (int32_t row = 0; row < block.height; row += 4, p += 4 * width, q += 4 * width) {
      __m128i a = _mm_setr_epi32(
          RTK_LOAD(int32_t, p), RTK_LOAD(int32_t, p + width), RTK_LOAD(int32_t, p + 2 * width),
          RTK_LOAD(int32_t, p + 3 * width));
      __m128i b = _mm_setr_epi32(
          RTK_LOAD(int32_t, q), RTK_LOAD(int32_t, q + width), RTK_LOAD(int32_t, q + 2 * width),
          RTK_LOAD(int32_t, q + 3 * width));
      sums = _mm_add_epi64(sums, _mm_sad_epu8(a, b));
    }
    return _mm_cvtsi128_si64(sums) + _mm_extract_epi64(sums, 1);
  }
  int64_t sum = 0;
  for (int32_t row = 0; row < block.height; row += 4, p += 4 * width, q += 4 * width) {
    __m256i sums = _mm256_add_epi64(
        _mm256_sad_epu8(two_rows(p, width), two_rows(q, width)),
        _mm256_sad_epu8(two_rows(p + 2 * width, width), two_rows(q + 2 * width, width)));
    sum += rtk_sum(sums);
    if (sum > limit) return sum;
  }
  return sum;
}
#endif

RTK_BODY int64_t squared_length(RTKMotion motion) {
  return (int64_t)motion.x * motion.x + (int64_t)motion.y * motion.y;
}

/// Motion with the smallest difference within `radius` of `center`; ties prefer the shorter motion,
/// then the first one. If none is within the limit, the result's difference is limit + 1.
RTK_BODY Found best(
    Plane picture, Plane before, Block block, RTKMotion center, int32_t radius, int64_t limit, Compare compare) {
  Found best = {center, limit + 1};
  int64_t length = 0;
  for (int32_t y = center.y - radius; y <= center.y + radius; y++) {
    for (int32_t x = center.x - radius; x <= center.x + radius; x++) {
      RTKMotion motion = {x, y};
      int64_t difference = compare(picture, before, block, motion, best.difference);
      if (difference > limit || difference > best.difference) continue;
      if (difference == best.difference && squared_length(motion) >= length) continue;
      best = (Found){motion, difference};
      length = squared_length(motion);
    }
  }
  return best;
}

RTK_BODY RTKMotion motion_of(Block block, const RTKGreyPicture *now, const RTKGreyPicture *then, Compare compare) {
  Plane picture = {now->samples, now->width, now->height}, before = {then->samples, then->width, then->height};
  RTKMotion none = {0, 0};
  int64_t pixels = block.width * block.height;
  // A block moves only if that saves more than one grey step per pixel.
  int64_t limit = compare(picture, before, block, none, INT64_MAX) - pixels - 1;
  if (limit < 0) return none;
  int32_t by = RTKMotionReduction;
  Plane small = {now->reduced, now->width / by, now->height / by};
  Plane smallBefore = {then->reduced, then->width / by, then->height / by};
  Block smallBlock = {block.x / by, block.y / by, 0, 0};
  smallBlock.width = (block.x + block.width) / by - smallBlock.x;
  smallBlock.height = (block.y + block.height) / by - smallBlock.y;
  RTKMotion start = none;
  if (smallBlock.width > 0 && smallBlock.height > 0) {
    start = best(small, smallBefore, smallBlock, none, RTKMotionCoarseRadius, INT64_MAX - 1, compare).motion;
  }
  RTKMotion around = {start.x * by, start.y * by};
  Found far = best(picture, before, block, around, RTKMotionFineRadius, limit, compare);
  // Fine texture is lost in the reduced picture, so also search near zero motion.
  int64_t nearLimit = far.difference < limit ? far.difference : limit;
  Found near = best(picture, before, block, none, RTKMotionFineRadius, nearLimit, compare);
  Found found = near.difference <= far.difference ? near : far;
  return found.difference <= limit ? found.motion : none;
}

RTK_BODY void block_motion(
    const RTKGreyPicture *picture, const RTKGreyPicture *before, RTKMotion *motions, Compare compare) {
  for (int32_t y = 0; y < picture->height; y += RTKMotionBlock) {
    for (int32_t x = 0; x < picture->width; x += RTKMotionBlock) {
      int32_t right = picture->width - x, below = picture->height - y;
      Block block = {
          x, y, right < RTKMotionBlock ? right : RTKMotionBlock, below < RTKMotionBlock ? below : RTKMotionBlock};
      *motions++ = motion_of(block, picture, before, compare);
    }
  }
}

#if RTK_HAS_AVX2
RTK_AVX2 static void block_motion_avx2(
    const RTKGreyPicture *picture, const RTKGreyPicture *before, RTKMotion *motions) {
  block_motion(picture, before, motions, compare_avx2);
}
#endif

void rtk_block_motion(
    RTKProcessor processor, const RTKGreyPicture *picture, const RTKGreyPicture *before, RTKMotion *motions) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return block_motion_avx2(picture, before, motions);
#else
  (void)processor;
#endif
  block_motion(picture, before, motions, compare);
}
