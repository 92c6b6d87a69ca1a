// Operations on soft planes (see RTKSoftPlane), in vectors of four pixels.
#ifndef RETAKE_SOFT_H
#define RETAKE_SOFT_H

#include "lanes.h"

typedef int32_t Words32 __attribute__((vector_size(64)));

/// The content of sixteen bytes of a matte: RTKBlockZero, RTKBlockOne or RTKBlockMixed.
RTK_BODY uint8_t rtk_matte_kind(const uint8_t *matte) {
  uint64_t low = RTK_LOAD(uint64_t, matte), high = RTK_LOAD(uint64_t, matte + 8);
  return (low & high) == UINT64_MAX ? RTKBlockOne : (low | high) == 0 ? RTKBlockZero : RTKBlockMixed;
}

/// floor(value * weight / 2^15) for |value| < 2^14. Compilers emit a single pmulhw for the product.
#define RTK_SCALED(value, weight)                                                                       \
  ({                                                                                                    \
    Words16 doubled_ = (value) + (value), weight_ = (weight);                                           \
    __builtin_convertvector(                                                                            \
        (__builtin_convertvector(doubled_, Words32) * __builtin_convertvector(weight_, Words32)) >> 16, \
        Words16);                                                                                       \
  })

#define RTK_CLAMPED(value, lowest, highest)                                  \
  __builtin_elementwise_min(                                                 \
      __builtin_elementwise_max((value), (Words16){} + (int16_t)(lowest)),   \
      (Words16){} + (int16_t)(highest))

/// Broadcasts the fourth sample of each of four pixels.
#define RTK_FOURTH(pixels) \
  __builtin_shufflevector(pixels, pixels, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15)

/// Stores four pixels as twelve rounded bytes; also overwrites the four bytes after them.
#define RTK_STORE_PIXELS(to, pixels)                                              \
  do {                                                                            \
    Words16 rounded_ = ((pixels) + 32) >> 6;                                      \
    Bytes16 bytes_ = __builtin_convertvector(rounded_, Bytes16);                  \
    bytes_ = __builtin_shufflevector(                                             \
        bytes_, bytes_, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 7, 11, 15);    \
    RTK_STORE(to, bytes_);                                                        \
  } while (0)

/// Loads four RGB pixels; also reads the four bytes after them.
#define RTK_LOAD_PIXELS(from)                                                                            \
  ({                                                                                                     \
    Bytes16 bytes_ = RTK_LOAD(Bytes16, from);                                                            \
    bytes_ = __builtin_shufflevector(bytes_, bytes_, 0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11); \
    __builtin_convertvector(bytes_, Words16) << 6;                                                       \
  })

/// Broadcasts four matte bytes to the samples of four pixels.
#define RTK_LOAD_MATTE(from)                                                                             \
  ({                                                                                                     \
    uint32_t four_ = RTK_LOAD(uint32_t, from);                                                           \
    Bytes16 bytes_ = (Bytes16)(Words4){four_, four_, four_, four_};                                      \
    bytes_ = __builtin_shufflevector(bytes_, bytes_, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);    \
    __builtin_convertvector(bytes_, Words16);                                                            \
  })
typedef uint32_t Words4 __attribute__((vector_size(16)));

#endif
