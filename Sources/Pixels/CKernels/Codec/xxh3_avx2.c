#include "lanes.h"

#if RTK_HAS_AVX2
#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define XXH_INLINE_ALL
#define XXH_VECTOR 2  // XXH_AVX2
#include <xxhash.h>

void rtk_xxh3_64_avx2(const void *bytes, size_t count, uint64_t *hash) { *hash = XXH3_64bits(bytes, count); }

void rtk_xxh3_128_avx2(const void *bytes, size_t count, RTKHash128 *hash) {
  const XXH128_hash_t found = XXH3_128bits(bytes, count);
  *hash = (RTKHash128){found.low64, found.high64};
}
#pragma clang attribute pop
#endif
