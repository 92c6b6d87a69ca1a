#include "upscale.h"

size_t rtk_light_wrap_scratch(const RTKSoftLevel *level) { return rtk_line_scratch(level); }

RTK_KERNEL(
    light_wrap, (level, amount, matte, picture, width, first, count, scratch),
    const RTKSoftLevel *level, int32_t amount, const uint8_t *matte, uint8_t *picture, int32_t width, int32_t first,
    int32_t count, void *scratch) {
  int16_t *line = rtk_line(scratch);
  Words16 amounts = (Words16){} + (int16_t)amount;
  for (int32_t y = first; y < first + count; y++) {
    int hasLine = 0;
    size_t rowStart = (size_t)width * (size_t)y;
    for (int32_t x = 0; x < width; x += RTKBlockWidth) {
      int32_t left = width - x, length = left < RTKBlockWidth ? left : RTKBlockWidth;
      uint8_t m[RTKBlockWidth] = {0}, bytes[3 * RTKBlockWidth + 4];
      memcpy(m, matte + rowStart + x, (size_t)length);
      if (rtk_matte_kind(m) == RTKBlockZero) continue;
      if (!hasLine) rtk_make_line(level, y, line);
      hasLine = 1;
      uint8_t *target = picture + 3 * (rowStart + (size_t)x);
      memset(bytes, 0, sizeof bytes);
      memcpy(bytes, target, 3 * (size_t)length);
      int16_t lights[64];
      rtk_upscale_block(level->scale, line, x, lights);
      uint8_t result[3 * RTKBlockWidth + 4];
      for (int32_t g = 0; g < 4; g++) {
        // Rescales 0 ... 255 to 0 ... 32767; `room` below likewise.
        Words16 near = RTK_LOAD_MATTE(m + 4 * g), share = (near << 7) + (near >> 1);
        Words16 light = RTK_SCALED(RTK_SCALED(RTK_LOAD(Words16, lights + 16 * g), share), amounts);
        Words16 color = RTK_LOAD_PIXELS(bytes + 12 * g);
        Words16 room = 255 - (color >> 6);
        room = (room << 7) + (room >> 1);
        RTK_STORE_PIXELS(result + 12 * g, color + RTK_SCALED(light, room));
      }
      memcpy(target, result, 3 * (size_t)length);
    }
  }
}

RTK_KERNEL(
    fade_rgb, (picture, matte, out, count),
    const uint8_t *picture, const uint8_t *matte, uint8_t *out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i += 16) {
    uint8_t kind = i + 16 <= count ? rtk_matte_kind(matte + i) : RTKBlockMixed;
    if (kind == RTKBlockOne) {
      memset(out + 3 * i, 0, 48);
    } else if (kind == RTKBlockZero) {
      memcpy(out + 3 * i, picture + 3 * i, 48);
    } else {
      ptrdiff_t end = i + 16 < count ? i + 16 : count;
      for (ptrdiff_t x = i; x < end; x++) {
        uint32_t share = 255u - matte[x];
        for (ptrdiff_t k = 3 * x; k < 3 * x + 3; k++) out[k] = (uint8_t)((share * picture[k] + 127) / 255);
      }
    }
  }
}
