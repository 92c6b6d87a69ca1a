// Seeded inputs and digests for kernels, the same on every processor.
#ifndef RETAKE_ARM_VECTORS_H
#define RETAKE_ARM_VECTORS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CKernels.h"

/// Zeroed bytes around every buffer: kernels may read some of them.
enum { MARGIN = 4096 };

extern RTKProcessor processor;

/// SplitMix64.
uint64_t next_random(void);

/// Zeroed memory, aligned to 64 bytes. Never freed: the process is short.
void *zeros(size_t byteCount);
uint8_t *random_bytes(size_t count);
/// Bytes that are 0 or 255 in runs, with soft edges if `isSoft`.
uint8_t *random_mask(size_t count, int isSoft);
/// Millimetres of surfaces with noise and holes.
uint16_t *random_depth(size_t count);
int16_t *random_samples(size_t count, int32_t least, int32_t most);
/// A bit plane as CKernelsScores.h describes it, with one word in `oneIn` of the words empty.
uint64_t *random_bits(int32_t width, int32_t height);
uint64_t *no_bits(int32_t width, int32_t height);
size_t bits_byte_count(int32_t width, int32_t height);

/// Adds bytes to the digest (FNV-1a, 64 bits) of the kernel at hand.
void add(const void *bytes, size_t count);
#define ADD(value) add(&(value), sizeof(value))
/// Begins a kernel's digest.
void begin(const char *name);
/// Writes "name digest" for the kernel at hand.
void end(void);

void color_vectors(void);
void codec_vectors(void);
void mask_vectors(void);
void matte_vectors(void);
void depth_vectors(void);
void effect_vectors(void);
void score_vectors(void);
void refine_vectors(void);
void resize_vectors(void);

#endif
