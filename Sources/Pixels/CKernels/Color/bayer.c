#include "lanes.h"

typedef struct {
  const uint8_t *up;
  const uint8_t *row;
  const uint8_t *down;
  int32_t width;
  int32_t isOwnOdd;
  /// Channel of the row's own colour and of the other one: 0 = red, 2 = blue.
  int32_t own;
  int32_t other;
} Rows;

/// Reflects about the edge sample, which preserves the Bayer pattern.
RTK_BODY int32_t mirrored(int32_t x, int32_t width) {
  return width == 1 ? 0 : x < 0 ? -x : x >= width ? 2 * width - 2 - x : x;
}

RTK_BODY void convert_pixel(const Rows *rows, int32_t x, uint8_t *out) {
  int32_t left = mirrored(x - 1, rows->width), right = mirrored(x + 1, rows->width);
  int32_t sides = rows->row[left] + rows->row[right], ends = rows->up[x] + rows->down[x];
  int32_t corners = rows->up[left] + rows->up[right] + rows->down[left] + rows->down[right];
  int isOwn = (x & 1) == rows->isOwnOdd;
  out[rows->own] = isOwn ? rows->row[x] : (uint8_t)((sides + 1) >> 1);
  out[1] = isOwn ? (uint8_t)((sides + ends + 2) >> 2) : rows->row[x];
  out[rows->other] = isOwn ? (uint8_t)((corners + 2) >> 2) : (uint8_t)((ends + 1) >> 1);
}

#define WIDENED(from) __builtin_convertvector(RTK_LOAD(Bytes16, from), Lanes16)

/// Sixteen pixels, starting at an odd column and not touching an edge.
RTK_BODY void convert_block(const Rows *rows, int32_t x, uint8_t *out) {
  const uint8_t *up = rows->up + x, *row = rows->row + x, *down = rows->down + x;
  Lanes16 here = WIDENED(row), ends = WIDENED(up) + WIDENED(down);
  Lanes16 sides = WIDENED(row - 1) + WIDENED(row + 1);
  Lanes16 corners = WIDENED(up - 1) + WIDENED(up + 1) + WIDENED(down - 1) + WIDENED(down + 1);
  Lanes16 even = {0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0};
  Lanes16 isOwn = rows->isOwnOdd ? even : ~even;
  Lanes16 ownLanes = (here & isOwn) | (((sides + 1) >> 1) & ~isOwn);
  Lanes16 greenLanes = (((sides + ends + 2) >> 2) & isOwn) | (here & ~isOwn);
  Lanes16 otherLanes = (((corners + 2) >> 2) & isOwn) | (((ends + 1) >> 1) & ~isOwn);
  Bytes16 own = __builtin_convertvector(ownLanes, Bytes16), green = __builtin_convertvector(greenLanes, Bytes16);
  Bytes16 other = __builtin_convertvector(otherLanes, Bytes16);
  Bytes16 red = rows->own == 0 ? own : other, blue = rows->own == 0 ? other : own;
  rtk_store_rgb(out, red, green, blue);
}

RTK_KERNEL(
    rgb_of_bayer, (up, row, down, out, width, isRedRow, isOwnOdd),
    const uint8_t *up, const uint8_t *row, const uint8_t *down, uint8_t *out, int32_t width, int32_t isRedRow,
    int32_t isOwnOdd) {
  const Rows rows = {up, row, down, width, isOwnOdd, isRedRow ? 0 : 2, isRedRow ? 2 : 0};
  convert_pixel(&rows, 0, out);
  int32_t x = 1;
  for (; x + RTKBlockWidth < width; x += RTKBlockWidth) convert_block(&rows, x, out + 3 * x);
  for (; x < width; x++) convert_pixel(&rows, x, out + 3 * x);
}
