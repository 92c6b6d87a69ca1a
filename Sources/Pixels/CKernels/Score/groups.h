// Groups of 32 pixels of a row, whose quads are a byte of the quad planes.
#ifndef RETAKE_GROUPS_H
#define RETAKE_GROUPS_H

#include "bits.h"

enum { GROUP = 32, GROUP_QUADS = GROUP / 4, WORD_GROUPS = 64 / GROUP_QUADS };

RTK_BODY int32_t first_pixel(ptrdiff_t word, int32_t group) { return GROUP * (WORD_GROUPS * (int32_t)word + group); }

/// The groups of a word of quads that are neither all 0 nor all 255, as the highest bits of their bytes.
RTK_BODY uint64_t mixed_groups(uint64_t notZero, uint64_t notOne) {
  return nonzero_bytes(notZero) & nonzero_bytes(notOne);
}

#endif
