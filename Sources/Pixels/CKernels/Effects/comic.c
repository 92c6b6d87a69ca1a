#include "upscale.h"

RTK_KERNEL(soft_luma, (plane, first, count), const RTKSoftPlane *plane, int32_t first, int32_t count) {
  const Words16 weights = {9856, 19200, 3712, 0, 9856, 19200, 3712, 0, 9856, 19200, 3712, 0, 9856, 19200, 3712, 0};
  const Words16 isFourth = {0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1};
  for (int32_t y = first; y < first + count; y++) {
    int16_t *row = plane->samples + (size_t)plane->stride * (size_t)y;
    for (int32_t i = 0; i < plane->stride; i += 16) {
      Words16 pixels = RTK_LOAD(Words16, row + i), parts = RTK_SCALED(pixels, weights);
      // Adds the three products of each pixel into its fourth sample.
      parts += __builtin_shufflevector(parts, parts, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
      parts += __builtin_shufflevector(parts, parts, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
      RTK_STORE(row + i, (pixels & ~isFourth) | (parts & isFourth));
    }
  }
}

RTK_KERNEL(
    comic_tone, (tone, fine, smooth, target, first, count),
    const RTKComicTone *tone, const RTKSoftPlane *fine, const RTKSoftPlane *smooth, const RTKSoftPlane *target,
    int32_t first, int32_t count) {
  const Words16 isFourth = {0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0, -1};
  int16_t step = tone->step, half = (int16_t)(step / 2), reach = (int16_t)((half + tone->steepness - 1) / tone->steepness);
  int16_t stairs = (int16_t)(32768 / step);
  int16_t inkReach = (int16_t)(16383 / tone->inkGain);
  Words16 saturation = (Words16){} + tone->saturation;
  for (int32_t y = first; y < first + count; y++) {
    const int16_t *fineRow = fine->samples + (size_t)fine->stride * (size_t)y;
    const int16_t *smoothRow = smooth->samples + (size_t)smooth->stride * (size_t)y;
    int16_t *out = target->samples + (size_t)target->stride * (size_t)y;
    for (int32_t i = 0; i < target->stride; i += 16) {
      Words16 color = RTK_LOAD(Words16, smoothRow + i), luma = RTK_FOURTH(color);
      // May be one step too low just above an edge, where both steps give the same level.
      Words16 stair = RTK_SCALED(luma, (Words16){} + stairs) * step;
      Words16 place = RTK_CLAMPED(luma - stair - half, -reach, reach) * tone->steepness;
      Words16 level = stair + half + RTK_CLAMPED(place, -half, half);
      Words16 distance = color - luma;
      Words16 result = RTK_CLAMPED(level + distance + RTK_SCALED(distance, saturation), 0, 16320);
      Words16 dark = luma - RTK_FOURTH(RTK_LOAD(Words16, fineRow + i)) - tone->inkThreshold;
      Words16 light = 16383 - RTK_CLAMPED(dark, 0, inkReach) * tone->inkGain;
      RTK_STORE(out + i, (result & ~isFourth) | (light & isFourth));
    }
  }
}

size_t rtk_comic_print_scratch(const RTKComicPrint *print) { return rtk_line_scratch(&print->paper); }

RTK_KERNEL(
    comic_print, (print, matte, out, first, count, scratch),
    const RTKComicPrint *print, const uint8_t *matte, uint8_t *out, int32_t first, int32_t count, void *scratch) {
  int16_t *line = rtk_line(scratch);
  int16_t reach = (int16_t)(8160 / print->dotGain);
  Words16 share = (Words16){} + print->dotShare;
  for (int32_t y = first; y < first + count; y++) {
    rtk_make_line(&print->paper, y, line);
    const int16_t *screen = print->screen + 4 * (size_t)(print->period + RTKBlockWidth) * (size_t)(y % print->period);
    size_t rowStart = (size_t)print->width * (size_t)y;
    for (int32_t x = 0, column = 0; x < print->width; x += RTKBlockWidth) {
      int32_t left = print->width - x, length = left < RTKBlockWidth ? left : RTKBlockWidth;
      uint8_t bytes[3 * RTKBlockWidth + 4];
      if (matte && length == RTKBlockWidth && rtk_matte_kind(matte + rowStart + x) == RTKBlockOne) {
        column = (column + RTKBlockWidth) % print->period;
        continue;
      }
      int16_t colors[64];
      rtk_upscale_block(print->paper.scale, line, x, colors);
      for (int32_t g = 0; g < 4; g++) {
        Words16 color = RTK_LOAD(Words16, colors + 16 * g);
        Words16 threshold = RTK_LOAD(Words16, screen + 4 * (column + 4 * g));
        Words16 dot = RTK_CLAMPED(color - threshold, -reach, reach) * print->dotGain + 8160;
        Words16 printed = color + RTK_SCALED(dot - color, share);
        RTK_STORE_PIXELS(bytes + 12 * g, RTK_SCALED(printed, 2 * RTK_FOURTH(color)));
      }
      column = (column + RTKBlockWidth) % print->period;
      memcpy(out + 3 * (rowStart + (size_t)x), bytes, 3 * (size_t)length);
    }
  }
}
