// Runs kernels on seeded inputs and writes one line for each: its name and the digest of its outputs.
//
//     vectors plain > plain.txt
//     vectors best > best.txt       # the best variant that the processor has
#include "vectors.h"

RTKProcessor processor;
static uint64_t state, digest;
static const char *kernel;
static size_t addedCount;

uint64_t next_random(void) {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

void *zeros(size_t byteCount) {
  uint8_t *memory = aligned_alloc(64, (byteCount + 2 * MARGIN + 63) / 64 * 64);
  if (!memory) abort();
  memset(memory, 0, byteCount + 2 * MARGIN);
  return memory + MARGIN;
}

uint8_t *random_bytes(size_t count) {
  uint8_t *bytes = zeros(count);
  for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)next_random();
  return bytes;
}

uint8_t *random_mask(size_t count, int isSoft) {
  uint8_t *bytes = zeros(count);
  size_t i = 0;
  uint8_t value = 0;
  while (i < count) {
    size_t run = 1 + next_random() % 70;
    for (size_t k = 0; k < run && i < count; k++) bytes[i++] = value;
    for (int k = 0; isSoft && k < 5 && i < count; k++) bytes[i++] = (uint8_t)next_random();
    value = ~value;
  }
  return bytes;
}

uint16_t *random_depth(size_t count) {
  uint16_t *depth = zeros(2 * count);
  size_t i = 0;
  while (i < count) {
    size_t run = 1 + next_random() % 40;
    uint32_t middle = 400 + next_random() % 6000, noise = 1 + next_random() % 90;
    int isHole = next_random() % 4 == 0;
    for (size_t k = 0; k < run && i < count; k++) depth[i++] = isHole ? 0 : (uint16_t)(middle + next_random() % noise);
  }
  if (count > 3) depth[count / 2] = 65535, depth[count / 3] = 1;
  return depth;
}

int16_t *random_samples(size_t count, int32_t least, int32_t most) {
  int16_t *samples = zeros(2 * count);
  for (size_t i = 0; i < count; i++)
    samples[i] = (int16_t)(least + (int32_t)(next_random() % (uint64_t)(most - least + 1)));
  return samples;
}

size_t bits_byte_count(int32_t width, int32_t height) {
  return 8 * (size_t)rtk_bit_stride(width) * (size_t)height;
}

uint64_t *no_bits(int32_t width, int32_t height) { return zeros(bits_byte_count(width, height)); }

uint64_t *random_bits(int32_t width, int32_t height) {
  uint64_t *bits = no_bits(width, height);
  ptrdiff_t stride = rtk_bit_stride(width);
  for (int32_t y = 0; y < height; y++)
    for (int32_t x = 0; x < width; x++)
      if (next_random() % 5 < 2) bits[y * stride + x / 64] |= (uint64_t)1 << x % 64;
  return bits;
}

void add(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) digest = (digest ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3;
  addedCount += count;
}

void begin(const char *name) {
  // Each kernel has inputs of its own, whatever runs before it.
  kernel = name;
  digest = state = 0xCBF29CE484222325;
  for (const char *c = name; *c; c++) state = (state ^ (uint8_t)*c) * 0x100000001B3;
  addedCount = 0;
}

void end(void) {
  if (addedCount == 0) {
    fprintf(stderr, "%s has no output\n", kernel);
    exit(1);
  }
  printf("%s %016llx %zu bytes\n", kernel, (unsigned long long)digest, addedCount);
}

int main(int count, char **arguments) {
  const char *variant = count == 2 ? arguments[1] : "";
  if (strcmp(variant, "plain") && strcmp(variant, "best")) {
    fprintf(stderr, "usage: vectors plain|best\n");
    return 64;
  }
  processor = strcmp(variant, "best") ? RTKProcessorPlain : rtk_processor();
  color_vectors();
  codec_vectors();
  mask_vectors();
  matte_vectors();
  depth_vectors();
  effect_vectors();
  score_vectors();
  refine_vectors();
  resize_vectors();
  return 0;
}
