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

RTK_BODY int32_t rtk_block_count(int32_t width) { return (width + RTKBlockWidth - 1) / RTKBlockWidth; }

RTK_BODY int32_t rtk_clamped(int32_t value, int32_t last) { return value < 0 ? 0 : value > last ? last : value; }

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

/// Defines rtk_<body>, which calls the variant for the processor.
#if RTK_HAS_AVX2
#define RTK_DEFINE(body, parameters, arguments)                             \
  RTK_AVX2 static void body##_avx2(RTK_BARE parameters) { body arguments; } \
  void rtk_##body(RTKProcessor processor, RTK_BARE parameters) {            \
    if (processor == RTKProcessorAVX2) {                                    \
      body##_avx2 arguments;                                                \
    } else {                                                                \
      body arguments;                                                       \
    }                                                                       \
  }
#else
#define RTK_DEFINE(body, parameters, arguments)                             \
  void rtk_##body(RTKProcessor processor, RTK_BARE parameters) {            \
    (void)processor;                                                        \
    body arguments;                                                         \
  }
#endif

#endif
