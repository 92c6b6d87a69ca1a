#include "lanes.h"

// XXH3 compiled here for AVX2 too: Debian's shared library uses baseline instructions only.

#define XXH_INLINE_ALL
#include <xxhash.h>

#if RTK_HAS_AVX2
void rtk_xxh3_64_avx2(const void *bytes, size_t count, uint64_t *hash);
void rtk_xxh3_128_avx2(const void *bytes, size_t count, RTKHash128 *hash);
#endif

void rtk_xxh3_64(RTKProcessor processor, const void *bytes, size_t count, uint64_t *hash) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return rtk_xxh3_64_avx2(bytes, count, hash);
#endif
  (void)processor;
  *hash = XXH3_64bits(bytes, count);
}

void rtk_xxh3_128(RTKProcessor processor, const void *bytes, size_t count, RTKHash128 *hash) {
#if RTK_HAS_AVX2
  if (processor == RTKProcessorAVX2) return rtk_xxh3_128_avx2(bytes, count, hash);
#endif
  (void)processor;
  const XXH128_hash_t found = XXH3_128bits(bytes, count);
  *hash = (RTKHash128){found.low64, found.high64};
}
