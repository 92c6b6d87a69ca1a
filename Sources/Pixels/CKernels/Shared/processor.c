#include "lanes.h"

RTKProcessor rtk_processor(void) {
#if RTK_HAS_AVX2
  if (__builtin_cpu_supports("avx2")) return RTKProcessorAVX2;
#endif
  return RTKProcessorPlain;
}
