// Temporal smoothing. The state has four times finer steps than matte samples and rounds towards
// the new value. So a static matte is reached exactly, and its blocks become flat again.
#include "lanes.h"

typedef uint32_t Products __attribute__((vector_size(64)));

RTK_BODY void smooth_block(
    const int16_t *samples, const uint16_t *weights, uint16_t *old, int16_t *out, uint8_t *block) {
  Lanes16 weight = RTK_LOAD(Lanes16, weights);
  Lanes16 new = RTK_LOAD(Lanes16, samples) << 2, before = RTK_LOAD(Lanes16, old);
  Lanes16 isLower = (Lanes16)(before < new);
  // Negated in lanes where the old value is lower: (x ^ -1) - -1.
  Lanes16 distance = ((before - new) ^ isLower) - isLower;
  Products product = __builtin_convertvector(distance, Products) * __builtin_convertvector(weight, Products);
  Lanes16 part = __builtin_convertvector(product >> 16, Lanes16);
  Lanes16 mixed = new + ((part ^ isLower) - isLower), finished = (mixed + 2) >> 2;
  RTK_STORE(old, mixed);
  RTK_STORE(out, finished);
  uint64_t first = finished[0] * 0x0001000100010001ull;
  Lanes64 differs = (Lanes64)finished ^ first;
  *block = (differs[0] | differs[1] | differs[2] | differs[3]) != 0 ? RTKBlockMixed
           : finished[0] == 0                                      ? RTKBlockZero
           : finished[0] == RTKMatteOne                            ? RTKBlockOne
                                                                   : RTKBlockMixed;
}

RTK_KERNEL(
    smooth_samples, (samples, weight, old, out, blocks, blockCount),
    const int16_t *samples, uint32_t weight, uint16_t *old, int16_t *out, uint8_t *blocks, ptrdiff_t blockCount) {
  uint16_t weights[RTKBlockWidth];
  for (int32_t i = 0; i < RTKBlockWidth; i++) weights[i] = (uint16_t)weight;
  for (ptrdiff_t b = 0; b < blockCount; b++) {
    ptrdiff_t i = b * RTKBlockWidth;
    smooth_block(samples + i, weights, old + i, out + i, blocks + b);
  }
}

RTK_KERNEL(
    smooth_unsure_samples, (samples, sampleBlocks, weights, old, out, blocks, blockCount),
    const int16_t *samples, const uint8_t *sampleBlocks, const uint16_t *weights, uint16_t *old, int16_t *out,
    uint8_t *blocks, ptrdiff_t blockCount) {
  for (ptrdiff_t b = 0; b < blockCount; b++) {
    ptrdiff_t i = b * RTKBlockWidth;
    if (sampleBlocks[b] != RTKBlockMixed) {
      // Flat blocks have weight 0.
      int16_t value = sampleBlocks[b] == RTKBlockOne ? RTKMatteOne : 0;
      for (int32_t k = 0; k < RTKBlockWidth; k++) {
        out[i + k] = value;
        old[i + k] = (uint16_t)(value << 2);
      }
      blocks[b] = sampleBlocks[b];
      continue;
    }
    uint16_t own[RTKBlockWidth];
    for (int32_t k = 0; k < RTKBlockWidth; k++) own[k] = weights[samples[i + k]];
    smooth_block(samples + i, own, old + i, out + i, blocks + b);
  }
}
