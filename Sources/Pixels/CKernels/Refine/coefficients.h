// Sums of the models' coefficients over windows of 7 by 7 pixels.
#ifndef RETAKE_COEFFICIENTS_H
#define RETAKE_COEFFICIENTS_H

#include "windows.h"

RTK_BODY void add_coefficient(const int32_t *restrict in, uint32_t *restrict sums, Run run) {
  for (int32_t x = run.from; x < run.to; x += RTKBlockWidth) {
    for (int32_t i = x; i < x + RTKBlockWidth; i++) sums[i] += (uint32_t)in[i];
  }
}

RTK_BODY void move_coefficient(
    const int32_t *restrict in, const int32_t *restrict old, uint32_t *restrict sums, Run run) {
  for (int32_t x = run.from; x < run.to; x += RTKBlockWidth) {
    for (int32_t i = x; i < x + RTKBlockWidth; i++) sums[i] += (uint32_t)in[i] - (uint32_t)old[i];
  }
}

/// Updates the column sums that a row needs to the seven rows of coefficients round `y`. Where no model was needed, the
/// rows hold arbitrary values and the sums may wrap; no unsure pixel reads them.
/// - windows: of row `y`.
RTK_BODY void hold_coefficients(
    const RTKColors *colors, const int32_t *coefficients, int32_t y, const uint8_t *windows, int32_t *held,
    uint32_t *const sums[RTKCoefficients]) {
  int32_t width = colors->width, last = colors->height - 1;
  size_t stride = rtk_stride(width), plane = stride * (size_t)colors->height;
  const int32_t *next = coefficients + stride * (size_t)rtk_clamped(y + REACH, last);
  const int32_t *old = coefficients + stride * (size_t)rtk_clamped(y - REACH - 1, last);
  Run run;
  for (int32_t b = 0; next_run(windows, rtk_block_count(width), y, held, &b, &run);) {
    for (size_t k = 0; k < RTKCoefficients; k++) {
      if (run.isHeld) {
        move_coefficient(next + plane * k, old + plane * k, sums[k], run);
        continue;
      }
      clear_sums(sums[k], run);
      for (int32_t i = -REACH; i <= REACH; i++) {
        add_coefficient(coefficients + plane * k + stride * (size_t)rtk_clamped(y + i, last), sums[k], run);
      }
    }
  }
  for (int32_t k = 0; k < RTKCoefficients; k++) REPEAT_EDGES(sums[k], width);
}

#endif
