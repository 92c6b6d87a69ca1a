// Compiler vector types, and macros that compile a kernel for each processor variant.
#ifndef RETAKE_LANES_H
#define RETAKE_LANES_H

#include <string.h>

#include "CKernels.h"

// Functions with vector parameters are always inlined, so their ABI does not matter.
#pragma clang diagnostic ignored "-Wpsabi"

typedef uint64_t Lanes64 __attribute__((vector_size(32)));
typedef uint32_t Lanes32 __attribute__((vector_size(32)));
typedef uint16_t Lanes16 __attribute__((vector_size(32)));
typedef int16_t Words16 __attribute__((vector_size(32)));
typedef uint8_t Bytes16 __attribute__((vector_size(16)));

/// A kernel's body, inlined into each variant.
#define RTK_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
#include <immintrin.h>

#define RTK_HAS_AVX2 1
#define RTK_AVX2 __attribute__((target("avx2")))
#define RTK_AVX2_BODY RTK_AVX2 static inline __attribute__((always_inline))
#endif

#define RTK_LOAD(Type, from) \
  ({                         \
    Type value_;             \
    memcpy(&value_, (from), sizeof value_); \
    value_;                  \
  })

#define RTK_STORE(to, value)                  \
  do {                                        \
    __typeof__(value) value_ = (value);       \
    memcpy((to), &value_, sizeof value_);     \
  } while (0)

/// Rounds up to a multiple of 64 bytes.
RTK_BODY size_t rtk_padded(size_t byteCount) { return (byteCount + 63) & ~(size_t)63; }

/// The next part of scratch memory, aligned to 64 bytes. `used` grows by its size, also where `base` is NULL.
RTK_BODY void *rtk_part(uint8_t *base, size_t *used, size_t byteCount) {
  uint8_t *part = base ? base + *used : NULL;
  *used += rtk_padded(byteCount);
  return part;
}

RTK_BODY int32_t rtk_block_count(int32_t width) { return (width + RTKBlockWidth - 1) / RTKBlockWidth; }

RTK_BODY int32_t rtk_clamped(int32_t value, int32_t last) { return value < 0 ? 0 : value > last ? last : value; }

/// Stores sixteen pixels as packed RGB.
RTK_BODY void rtk_store_rgb(uint8_t *out, Bytes16 r, Bytes16 g, Bytes16 b) {
  Bytes16 rg = __builtin_shufflevector(r, g, 0, 16, -1, 1, 17, -1, 2, 18, -1, 3, 19, -1, 4, 20, -1, 5);
  RTK_STORE(out, __builtin_shufflevector(rg, b, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
  rg = __builtin_shufflevector(r, g, 21, -1, 6, 22, -1, 7, 23, -1, 8, 24, -1, 9, 25, -1, 10, 26);
  RTK_STORE(out + 16, __builtin_shufflevector(rg, b, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15));
  rg = __builtin_shufflevector(r, g, -1, 11, 27, -1, 12, 28, -1, 13, 29, -1, 14, 30, -1, 15, 31, -1);
  RTK_STORE(out + 32, __builtin_shufflevector(rg, b, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31));
}

#if RTK_HAS_AVX2
/// The highest bits of 64 bytes.
RTK_AVX2_BODY uint64_t rtk_byte_masks(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/// The sum of four lanes of 64 bits.
RTK_AVX2_BODY int64_t rtk_sum(__m256i sums) {
  __m128i pair = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  return _mm_cvtsi128_si64(pair) + _mm_extract_epi64(pair, 1);
}
#endif

#define RTK_BARE(...) __VA_ARGS__

/// Defines rtk_<name>, which runs the statement `plain` or `avx2`, by the processor.
#if RTK_HAS_AVX2
#define RTK_DISPATCH(name, arguments, parameters, plain, avx2)        \
  RTK_AVX2 static void name##_avx2(RTK_BARE parameters) { avx2; }     \
  void rtk_##name(RTKProcessor processor, RTK_BARE parameters) {      \
    if (processor == RTKProcessorAVX2) {                              \
      name##_avx2 arguments;                                          \
    } else {                                                          \
      plain;                                                          \
    }                                                                 \
  }
#else
#define RTK_DISPATCH(name, arguments, parameters, plain, avx2)        \
  void rtk_##name(RTKProcessor processor, RTK_BARE parameters) {      \
    (void)processor;                                                  \
    plain;                                                            \
  }
#endif

/// Defines rtk_<body> from a body that stands elsewhere.
#define RTK_DEFINE(body, parameters, arguments) \
  RTK_DISPATCH(body, arguments, parameters, body arguments, body arguments)

/// Begins a kernel, which is compiled for each variant; its body follows.
/// RTK_KERNEL(invert, (bytes, count), uint8_t *bytes, ptrdiff_t count) { ... }
/// defines rtk_invert(processor, bytes, count).
#define RTK_KERNEL(body, arguments, ...)      \
  RTK_BODY void body(__VA_ARGS__);            \
  RTK_DEFINE(body, (__VA_ARGS__), arguments)  \
  RTK_BODY void body(__VA_ARGS__)

#endif
