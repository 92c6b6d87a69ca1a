// Pictures at another size: each place is the weighted mean of so many sources.
#include "soft.h"

typedef uint32_t Pixel32 __attribute__((vector_size(16)));
typedef uint16_t Pixel16 __attribute__((vector_size(8)));
typedef uint32_t Sums __attribute__((vector_size(64)));
typedef uint8_t Bytes4 __attribute__((vector_size(4)));

/// Of a row that was scaled along x; vectors reach beyond its end.
RTK_BODY size_t row_bytes(const RTKResample *resample) {
  return rtk_padded(3 * (size_t)resample->width * sizeof(uint16_t) + 32);
}

size_t rtk_resample_scratch(const RTKResample *resample) {
  return row_bytes(resample) * (size_t)resample->rowTaps + rtk_padded(3 * (size_t)resample->sourceWidth + 4);
}

/// One source row along x, with eight fractional bits.
/// - source: the row, and a byte more that is read but does not count.
RTK_BODY void resample_row(const RTKResample *resample, const uint8_t *source, uint16_t *out) {
  const RTKResampling *columns = &resample->columns;
  for (int32_t x = 0; x < resample->width; x++) {
    const uint8_t *in = source + 3 * (size_t)columns->first[x];
    const uint32_t *weights = columns->weights + columns->offsets[x];
    Pixel32 sum = {128, 128, 128, 128};
    for (int32_t k = 0; k < columns->counts[x]; k++) {
      sum += __builtin_convertvector(RTK_LOAD(Bytes4, in + 3 * k), Pixel32) * weights[k];
    }
    // The fourth is of the next pixel, which is written later.
    Pixel16 pixel = __builtin_convertvector(sum >> 8, Pixel16);
    RTK_STORE(out + 3 * x, pixel);
  }
}

RTK_BODY void resample_rgb(
    const RTKResample *resample, const uint8_t *source, uint8_t *out, ptrdiff_t outStride, int32_t first,
    int32_t count, void *scratch) {
  size_t length = 3 * (size_t)resample->width, rowBytes = row_bytes(resample);
  size_t sourceLength = 3 * (size_t)resample->sourceWidth;
  int32_t taps = resample->rowTaps;
  uint8_t *memory = scratch, *line = memory + rowBytes * (size_t)taps;
  const RTKResampling *rows = &resample->rows;
  // Source rows up to here have been scaled along x; row r lies in slot r % taps.
  int32_t done = -1;
  for (int32_t y = first; y < first + count; y++) {
    int32_t from = rows->first[y], end = from + rows->counts[y];
    for (int32_t row = done < from ? from : done; row < end; row++) {
      // The last pixel of a row is read with the byte behind it, which the picture's last row does not have.
      memcpy(line, source + sourceLength * (size_t)row, sourceLength);
      resample_row(resample, line, (uint16_t *)(memory + rowBytes * (size_t)(row % taps)));
    }
    if (end > done) done = end;
    const uint32_t *weights = rows->weights + rows->offsets[y];
    uint8_t *target = out + outStride * y;
    for (size_t i = 0; i < length; i += 16) {
      Sums sums = (Sums){} + (1 << 23);
      for (int32_t k = 0; k < rows->counts[y]; k++) {
        const uint8_t *row = memory + rowBytes * (size_t)((from + k) % taps);
        sums += __builtin_convertvector(RTK_LOAD(Lanes16, row + 2 * i), Sums) * weights[k];
      }
      Bytes16 bytes = __builtin_convertvector(sums >> 24, Bytes16);
      memcpy(target + i, &bytes, length - i < 16 ? length - i : 16);
    }
  }
}
RTK_DEFINE(
    resample_rgb,
    (const RTKResample *resample, const uint8_t *source, uint8_t *out, ptrdiff_t outStride, int32_t first,
     int32_t count, void *scratch),
    (resample, source, out, outStride, first, count, scratch))
