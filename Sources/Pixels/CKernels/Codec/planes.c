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

RTK_BODY void join_sixteen(
    RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third, uint8_t *rgb) {
  Bytes16 r = RTK_LOAD(Bytes16, first), g = RTK_LOAD(Bytes16, second), b = RTK_LOAD(Bytes16, third);
  if (kind == RTKPlanesAverage) undo_average(&r, &g, &b);
  if (kind == RTKPlanesLifted) undo_lift(&r, &g, &b);
  rtk_store_rgb(rgb, r, g, b);
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

RTK_KERNEL(
    planes_join, (kind, first, second, third, count, rgb),
    RTKPlanesKind kind, const uint8_t *first, const uint8_t *second, const uint8_t *third, ptrdiff_t count,
    uint8_t *rgb) {
  // A constant `kind` compiles to a separate loop for each.
  switch (kind) {
    case RTKPlanesAverage: join_row(RTKPlanesAverage, first, second, third, count, rgb); break;
    case RTKPlanesLifted: join_row(RTKPlanesLifted, first, second, third, count, rgb); break;
    case RTKPlanesPlain: join_row(RTKPlanesPlain, first, second, third, count, rgb); break;
  }
}
