// A blur that grows as the matte fades. Levels are upscaled only where a pixel needs them.
#include "upscale.h"

size_t rtk_variable_blur_scratch(const RTKVariableBlur *blur) {
  size_t size = 0;
  for (int32_t k = 0; k < blur->levelCount; k++) size += rtk_line_scratch(&blur->levels[k].soft);
  return size;
}

/// Sixteen pixels: from the sharp picture on, each level replaces the last as the matte fades.
RTK_BODY void blur_block(
    const RTKVariableBlur *blur, int16_t *const *lines, int32_t first, const uint8_t *in, const uint8_t *m, int32_t x,
    uint8_t *out) {
  int16_t pixels[64], next[64];
  for (int32_t g = 0; g < 4; g++) RTK_STORE(pixels + 16 * g, RTK_LOAD_PIXELS(in + 12 * g));
  int16_t before[64];
  memcpy(before, pixels, sizeof before);
  for (int32_t k = blur->levelCount - 1; k >= first; k--) {
    const RTKBlurLevel *level = &blur->levels[k];
    rtk_upscale_block(level->soft.scale, lines[k], x, next);
    for (int32_t g = 0; g < 4; g++) {
      Words16 m4 = RTK_LOAD_MATTE(m + 4 * g), faded = RTK_CLAMPED(level->from - m4, 0, level->length);
      // The largest product is 32768, one too large for a 15-bit share.
      Lanes16 share = (Lanes16)faded * (uint16_t)level->gain;
      share -= share >> 15;
      Words16 old = RTK_LOAD(Words16, before + 16 * g), new = RTK_LOAD(Words16, next + 16 * g);
      Words16 sum = RTK_LOAD(Words16, pixels + 16 * g) + RTK_SCALED(new - old, (Words16)share);
      // Where the matte is 0, use the last level exactly, as all-background blocks do.
      Words16 isClear = k == 0 ? (Words16)(m4 == 0) : (Words16){};
      RTK_STORE(pixels + 16 * g, (new & isClear) | (sum & ~isClear));
    }
    memcpy(before, next, sizeof before);
  }
  for (int32_t g = 0; g < 4; g++) RTK_STORE_PIXELS(out + 12 * g, RTK_LOAD(Words16, pixels + 16 * g));
}

RTK_KERNEL(
    variable_blur, (blur, picture, matte, out, first, count, scratch),
    const RTKVariableBlur *blur, const uint8_t *picture, const uint8_t *matte, uint8_t *out, int32_t first,
    int32_t count, void *scratch) {
  int16_t *lines[RTKMaximumLevels];
  uint8_t *memory = scratch;
  for (int32_t k = 0; k < blur->levelCount; k++) {
    lines[k] = rtk_line(memory);
    memory += rtk_line_scratch(&blur->levels[k].soft);
  }
  for (int32_t y = first; y < first + count; y++) {
    uint32_t made = 0;
    size_t rowStart = (size_t)blur->width * (size_t)y;
    for (int32_t x = 0; x < blur->width; x += RTKBlockWidth) {
      int32_t left = blur->width - x, length = left < RTKBlockWidth ? left : RTKBlockWidth;
      const uint8_t *m = matte + rowStart + x, *source = picture + 3 * (rowStart + (size_t)x);
      uint8_t *target = out + 3 * (rowStart + (size_t)x), *result = target;
      uint8_t lastMatte[RTKBlockWidth], lastIn[3 * RTKBlockWidth + 4] = {0}, last[3 * RTKBlockWidth + 4];
      // Vectors access four bytes beyond a block, so blocks at the row's end are copied.
      if (left < RTKBlockWidth + 2) {
        memset(lastMatte, m[0], sizeof lastMatte);
        memcpy(lastMatte, m, (size_t)length);
        memcpy(lastIn, source, 3 * (size_t)length);
        m = lastMatte;
        source = lastIn;
        result = last;
      }
      uint8_t kind = rtk_matte_kind(m);
      if (kind == RTKBlockOne) {
        memcpy(result, source, 3 * RTKBlockWidth);
      } else if (kind == RTKBlockZero) {
        if (!(made & 1)) rtk_make_line(&blur->levels[0].soft, y, lines[0]);
        made |= 1;
        int16_t pixels[64];
        rtk_upscale_block(blur->levels[0].soft.scale, lines[0], x, pixels);
        for (int32_t g = 0; g < 4; g++) RTK_STORE_PIXELS(result + 12 * g, RTK_LOAD(Words16, pixels + 16 * g));
      } else {
        // Skip the levels that no pixel has faded to.
        uint8_t least = __builtin_reduce_min(RTK_LOAD(Bytes16, m));
        int32_t needed = blur->levelCount - 1;
        while (needed > 0 && blur->levels[needed - 1].from > least) needed--;
        for (int32_t k = needed; k < blur->levelCount; k++) {
          if (!(made & 1u << k)) rtk_make_line(&blur->levels[k].soft, y, lines[k]);
          made |= 1u << k;
        }
        blur_block(blur, lines, needed, source, m, x, result);
      }
      if (result == last) memcpy(target, last, 3 * (size_t)length);
    }
  }
}
