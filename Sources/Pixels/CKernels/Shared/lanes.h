// Compiler vector types, and macros that compile a kernel for each processor variant.
#ifndef RETAKE_LANES_H
#define RETAKE_LANES_H

#include <string.h>

#include "CKernels.h"

typedef uint64_t Lanes64 __attribute__((vector_size(32)));
typedef uint32_t Lanes32 __attribute__((vector_size(32)));
typedef uint16_t Lanes16 __attribute__((vector_size(32)));
typedef uint8_t Bytes16 __attribute__((vector_size(16)));

/// A kernel's body, inlined into each variant.
#define RTK_BODY static inline __attribute__((always_inline))

#if defined(__x86_64__)
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
