#include "lanes.h"

// XXH3 compiled here for AVX2 too: Debian's shared library uses baseline instructions only.

#define XXH_INLINE_ALL
#include <xxhash.h>

#if RTK_HAS_AVX2
void rtk_xxh3_64_avx2(const void *bytes, size_t count, uint64_t *hash);
void rtk_xxh3_128_avx2(const void *bytes, size_t count, RTKHash128 *hash);
#endif

RTK_BODY void hash_128(const void *bytes, size_t count, RTKHash128 *hash) {
  const XXH128_hash_t found = XXH3_128bits(bytes, count);
  *hash = (RTKHash128){found.low64, found.high64};
}

RTK_DISPATCH(
    xxh3_64, (bytes, count, hash), (const void *bytes, size_t count, uint64_t *hash),
    *hash = XXH3_64bits(bytes, count), rtk_xxh3_64_avx2(bytes, count, hash))

RTK_DISPATCH(
    xxh3_128, (bytes, count, hash), (const void *bytes, size_t count, RTKHash128 *hash),
    hash_128(bytes, count, hash), rtk_xxh3_128_avx2(bytes, count, hash))
