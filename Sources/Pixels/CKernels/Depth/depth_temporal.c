#include "lanes.h"

typedef int32_t Integers __attribute__((vector_size(32)));
typedef uint16_t Halves __attribute__((vector_size(16)));
typedef uint8_t Bytes8 __attribute__((vector_size(8)));
typedef int8_t Signs8 __attribute__((vector_size(8)));

enum { HALF_MILLIMETER = 1 << (RTKDepthFraction - 1) };

RTK_BODY Bytes8 shows_last(const RTKDepthFollowing *f, Bytes8 history) {
  Bytes8 seen = history & f->window;
  switch (f->atLeast) {
    case 0: return ~(Bytes8){0};
    case 1: return (Bytes8)(seen != 0);
    case 2: return (Bytes8)((seen & (seen - 1)) != 0);
    case 8: return (Bytes8)(seen == 255);
    default: return (Bytes8){0};
  }
}

RTK_BODY void follow8(const RTKDepthFollowing *f, uint16_t *depth, uint32_t *last, uint8_t *history) {
  Integers now = __builtin_convertvector(RTK_LOAD(Halves, depth), Integers) << RTKDepthFraction;
  Integers before = RTK_LOAD(Integers, last);
  Bytes8 frames = RTK_LOAD(Bytes8, history);
  Integers isMeasured = now != 0;
  Integers difference = now - before;
  int32_t delta = f->delta * (1 << RTKDepthFraction);
  Integers isNear = (difference <= delta) & (difference >= -delta) & (before != 0);
  // Unsigned, because lanes that are masked out afterwards may overflow.
  Integers step = (Integers)((Lanes32)difference * (uint32_t)f->share + RTKDepthOne / 2) >> 12;
  Integers followed = (isNear & (before + step)) | (~isNear & now);
  Integers value = (isMeasured & followed) | (~isMeasured & before);
  Integers isShown = isMeasured | __builtin_convertvector((Signs8)shows_last(f, frames), Integers);
  Integers millimeters = isShown & ((value + HALF_MILLIMETER) >> RTKDepthFraction);
  RTK_STORE(last, value);
  RTK_STORE(depth, __builtin_convertvector(millimeters, Halves));
  RTK_STORE(history, (frames << 1) - __builtin_convertvector(isMeasured, Bytes8));
}

RTK_KERNEL(
    depth_follow, (f, depth, last, history, count),
    const RTKDepthFollowing *f, uint16_t *depth, uint32_t *last, uint8_t *history, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 8 <= count; i += 8) follow8(f, depth + i, last + i, history + i);
  if (i == count) return;
  uint16_t restDepth[8] = {0};
  uint32_t restLast[8] = {0};
  uint8_t restHistory[8] = {0};
  size_t rest = (size_t)(count - i);
  memcpy(restDepth, depth + i, rest * sizeof *depth);
  memcpy(restLast, last + i, rest * sizeof *last);
  memcpy(restHistory, history + i, rest);
  follow8(f, restDepth, restLast, restHistory);
  memcpy(depth + i, restDepth, rest * sizeof *depth);
  memcpy(last + i, restLast, rest * sizeof *last);
  memcpy(history + i, restHistory, rest);
}

/// Difference to the previous or next frame; 0 if that is a hole or farther than `delta`.
RTK_BODY Words16 pull(Lanes16 neighbor, Lanes16 depth, uint16_t delta) {
  Lanes16 distance = __builtin_elementwise_max(neighbor, depth) - __builtin_elementwise_min(neighbor, depth);
  Lanes16 isNear = (Lanes16)(distance <= delta) & (Lanes16)(neighbor != 0);
  return (Words16)((neighbor - depth) & isNear);
}

RTK_BODY Lanes16 interpolate16(Lanes16 before, Lanes16 depth, Lanes16 after, uint16_t delta) {
  Lanes16 smoothed = depth + (Lanes16)((pull(before, depth, delta) + pull(after, depth, delta) + 2) >> 2);
  Lanes16 high = __builtin_elementwise_max(before, after), low = __builtin_elementwise_min(before, after);
  Lanes16 isOneSurface = (Lanes16)(high - low <= delta) & (Lanes16)(low != 0);
  Lanes16 filled = (isOneSurface & (low + ((high - low + 1) >> 1))) | (~isOneSurface & high);
  Lanes16 isMeasured = (Lanes16)(depth != 0);
  return (isMeasured & smoothed) | (~isMeasured & filled);
}

RTK_KERNEL(
    depth_interpolate, (before, depth, after, delta, out, count),
    const uint16_t *before, const uint16_t *depth, const uint16_t *after, uint16_t delta, uint16_t *out,
    ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    RTK_STORE(
        out + i, interpolate16(
            RTK_LOAD(Lanes16, before + i), RTK_LOAD(Lanes16, depth + i), RTK_LOAD(Lanes16, after + i), delta));
  }
  if (i == count) return;
  uint16_t rest[3][16] = {{0}};
  size_t bytes = (size_t)(count - i) * sizeof *out;
  memcpy(rest[0], before + i, bytes);
  memcpy(rest[1], depth + i, bytes);
  memcpy(rest[2], after + i, bytes);
  Lanes16 result = interpolate16(
      RTK_LOAD(Lanes16, rest[0]), RTK_LOAD(Lanes16, rest[1]), RTK_LOAD(Lanes16, rest[2]), delta);
  memcpy(out + i, &result, bytes);
}
