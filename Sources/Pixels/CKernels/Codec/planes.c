#include "lanes.h"

/// Computes floor((u + v) / 4) without exceeding 8 bits.
RTK_BODY void undo_average(Bytes16 *r, Bytes16 *g, Bytes16 *b) {
  const Bytes16 y = *r, u = *g, v = *b;
  const Bytes16 green = y - (((u & v) + ((u ^ v) >> 1)) >> 1) + 64;
  *r = u + green - 128;
  *g = green;
  *b = v + green - 128;
}

RTK_BODY void undo_lift(Bytes16 *r, Bytes16 *g, Bytes16 *b) {
  const Bytes16 h = *r, d = *g, e = *b;
  const Bytes16 green = h - (d >> 1) + 64;
  *r = d + green - 128;
  *g = green;
  *b = e + h - 128;
}

#define INTERLEAVED(part, r, g, b)                                                                               \
  (part == 0   ? __builtin_shufflevector(                                                                        \
                     __builtin_shufflevector(r, g, 0, 16, -1, 1, 17, -1, 2, 18, -1, 3, 19, -1, 4, 20, -1, 5), b, \
                     0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15)                                    \
   : part == 1 ? __builtin_shufflevector(                                                                        \
                     __builtin_shufflevector(r, g, 21, -1, 6, 22, -1, 7, 23, -1, 8, 24, -1, 9, 25, -1, 10, 26), b, \
                     0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15)                                    \
               : __builtin_shufflevector(                                                                        \
                     __builtin_shufflevector(r, g, -1, 11, 27, -1, 12, 28, -1, 13, 29, -1, 14, 30, -1, 15, 31, -1), b, \
                     26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31))

RTK_BODY void join_sixteen(
    RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third, uint8_t *rgb) {
  Bytes16 r = RTK_LOAD(Bytes16, first), g = RTK_LOAD(Bytes16, second), b = RTK_LOAD(Bytes16, third);
  if (kind == RTKPlanesAverage) undo_average(&r, &g, &b);
  if (kind == RTKPlanesLifted) undo_lift(&r, &g, &b);
  RTK_STORE(rgb, INTERLEAVED(0, r, g, b));
  RTK_STORE(rgb + 16, INTERLEAVED(1, r, g, b));
  RTK_STORE(rgb + 32, INTERLEAVED(2, r, g, b));
}

RTK_BODY void join_row(
    RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third, ptrdiff_t count,
    uint8_t *rgb) {
  ptrdiff_t x = 0;
  for (; x + 16 <= count; x += 16) join_sixteen(kind, first + x, second + x, third + x, rgb + 3 * x);
  if (x == count) return;
  uint8_t rest[48];
  join_sixteen(kind, first + x, second + x, third + x, rest);
  memcpy(rgb + 3 * x, rest, (size_t)(3 * (count - x)));
}

RTK_BODY void planes_join(
    RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third, ptrdiff_t count,
    uint8_t *rgb) {
  // A constant `kind` compiles to a separate loop for each.
  switch (kind) {
    case RTKPlanesAverage: join_row(RTKPlanesAverage, first, second, third, count, rgb); break;
    case RTKPlanesLifted: join_row(RTKPlanesLifted, first, second, third, count, rgb); break;
    case RTKPlanesPlain: join_row(RTKPlanesPlain, first, second, third, count, rgb); break;
  }
}

RTK_DEFINE(
    planes_join,
    (RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third, ptrdiff_t count,
     uint8_t *rgb),
    (kind, first, second, third, count, rgb))
