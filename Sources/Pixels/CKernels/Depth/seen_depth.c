// The farthest depth that a camera that stands still has seen, and what comes nearer than that.
#include "lanes.h"

/// Remembers a distance farther than any seen so far, once it was measured often enough in a row.
RTK_BODY void sight(const RTKSeenDepth *seen, uint16_t distance, ptrdiff_t i) {
  uint16_t *candidate = seen->candidate + i;
  uint8_t *sightings = seen->sightings + i;
  int32_t apart = distance < *candidate ? *candidate - distance : distance - *candidate;
  if (*sightings > 0 && apart <= RTKSeenFarther + seen->noise[*candidate]) {
    if (distance < *candidate) *candidate = distance;
    *sightings += 1;
  } else {
    *candidate = distance;
    *sightings = 1;
  }
  if (*sightings < RTKSeenConfirmations) return;
  int32_t doubt = seen->noise[*candidate];
  seen->near[i] = (uint16_t)rtk_clamped(*candidate - RTKSeenNearer - doubt, UINT16_MAX);
  seen->far[i] = (uint16_t)rtk_clamped(*candidate + RTKSeenFarther + doubt, UINT16_MAX);
  *sightings = 0;
}

RTK_BODY int32_t any_farther(const uint16_t *restrict depth, const uint16_t *restrict far) {
  uint16_t any = 0;
  for (int32_t i = 0; i < RTKBlockWidth; i++) any |= depth[i] > far[i];
  return any;
}

/// How many of sixteen bytes are 255; the others are 0.
RTK_BODY int32_t count_set(Bytes16 bytes) {
  typedef uint64_t Pair __attribute__((vector_size(16)));
  Pair both = (Pair)bytes;
  return (__builtin_popcountll(both[0]) + __builtin_popcountll(both[1])) / 8;
}

RTK_BODY void add_pixel(const RTKSeenDepth *seen, uint16_t distance, ptrdiff_t i, RTKSeenTally *tally) {
  tally->known += seen->far[i] != 0 && distance != 0;
  if (distance > seen->far[i]) {
    tally->farther += seen->far[i] != 0;
    sight(seen, distance, i);
  } else if (distance != 0) {
    seen->sightings[i] = 0;
  }
  seen->isNearer[i] = distance != 0 && distance < seen->near[i] ? 255 : 0;
  tally->nearer += seen->isNearer[i] != 0;
}

RTK_KERNEL(
    add_seen_depth, (seen, depth, from, count, tally),
    const RTKSeenDepth *seen, const uint16_t *depth, ptrdiff_t from, ptrdiff_t count, RTKSeenTally *tally) {
  *tally = (RTKSeenTally){0, 0, 0};
  ptrdiff_t i = from, end = from + count;
  for (; i + RTKBlockWidth <= end; i += RTKBlockWidth) {
    if (any_farther(depth + i, seen->far + i)) {
      for (ptrdiff_t k = i; k < i + RTKBlockWidth; k++) add_pixel(seen, depth[k], k, tally);
      continue;
    }
    // Most blocks show nothing farther.
    Lanes16 distance = RTK_LOAD(Lanes16, depth + i), isMeasured = (Lanes16)(distance != 0);
    Lanes16 hasMoved = isMeasured & (Lanes16)(distance < RTK_LOAD(Lanes16, seen->near + i));
    Bytes16 measured = __builtin_convertvector(isMeasured, Bytes16), moved = __builtin_convertvector(hasMoved, Bytes16);
    RTK_STORE(seen->sightings + i, RTK_LOAD(Bytes16, seen->sightings + i) & ~measured);
    RTK_STORE(seen->isNearer + i, moved);
    tally->known += count_set(measured);
    tally->nearer += count_set(moved);
  }
  for (; i < end; i++) add_pixel(seen, depth[i], i, tally);
}
