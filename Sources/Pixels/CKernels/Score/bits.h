// Eight bits of a bit plane, and the eight bytes of the same pixels.
#ifndef RETAKE_BITS_H
#define RETAKE_BITS_H

#include "lanes.h"

/// Makes a byte of 255 of each bit that is set, and 0 of the others; the lowest bit's is the lowest byte.
RTK_BODY uint64_t bytes_of_bits(uint64_t bits) {
  // Byte k keeps bit k only, then carries it to its highest bit.
  uint64_t one = (bits & 0xFF) * 0x0101010101010101 & 0x8040201008040201;
  return ((one + 0x7F7F7F7F7F7F7F7F) >> 7 & 0x0101010101010101) * 0xFF;
}

/// The lowest bit of each of eight bytes; the lowest byte's is the lowest bit.
RTK_BODY uint64_t bits_of_bytes(uint64_t bytes) {
  return (bytes & 0x0101010101010101) * 0x0102040810204080 >> 56;
}

/// The highest bit of each byte that is not 0.
RTK_BODY uint64_t nonzero_bytes(uint64_t bytes) {
  uint64_t low = bytes & 0x7F7F7F7F7F7F7F7F;
  return ((low + 0x7F7F7F7F7F7F7F7F) | bytes) & 0x8080808080808080;
}

#endif
