// Smooths the matte over time where the picture does not change, at the video's size.
#include "lanes.h"

/// Whether any channel of a pixel changed by more than `noise`.
RTK_BODY uint8_t is_moved(const uint8_t *rgb, const uint8_t *old, uint8_t noise) {
  uint8_t most = 0;
  for (int32_t c = 0; c < 3; c++) {
    uint8_t apart = rgb[c] < old[c] ? old[c] - rgb[c] : rgb[c] - old[c];
    if (apart > most) most = apart;
  }
  return most > noise;
}

RTK_BODY void calm_still(
    const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old, uint8_t *matte,
    int32_t first, int32_t count) {
  int32_t width = still->width, last = still->height - 1;
  for (int32_t y = first; y < first + count; y++) {
    size_t row = (size_t)y * (size_t)width;
    for (int32_t x = 0; x < width; x++) {
      int32_t new = matte[row + (size_t)x], before = old[row + (size_t)x];
      // A large change is movement that the colours do not show, such as dark clothes in front of a dark sofa.
      if (new == before || new - before > still->most || before - new > still->most) continue;
      uint8_t moved = 0;
      for (int32_t dy = -1; dy <= 1; dy++) {
        size_t line = (size_t)rtk_clamped(y + dy, last) * (size_t)width;
        for (int32_t dx = -1; dx <= 1; dx++) {
          size_t place = 3 * (line + (size_t)rtk_clamped(x + dx, width - 1));
          moved |= is_moved(rgb + place, oldRGB + place, (uint8_t)still->noise);
        }
      }
      if (moved) continue;
      // Rounded towards the new value, so that the matte converges to it.
      matte[row + (size_t)x] = (uint8_t)(new + (before - new) * still->weight / 256);
    }
  }
}

RTK_DEFINE(
    calm_still,
    (const RTKStill *still, const uint8_t *rgb, const uint8_t *oldRGB, const uint8_t *old, uint8_t *matte,
     int32_t first, int32_t count),
    (still, rgb, oldRGB, old, matte, first, count))
