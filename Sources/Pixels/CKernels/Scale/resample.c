#include "soft.h"

typedef uint32_t Pixel32 __attribute__((vector_size(16)));
typedef uint16_t Pixel16 __attribute__((vector_size(8)));
typedef uint32_t Sums __attribute__((vector_size(64)));
typedef uint8_t Bytes4 __attribute__((vector_size(4)));

/// Bytes of a row scaled along x, plus what vectors read beyond its end.
RTK_BODY size_t row_bytes(const RTKResample *resample) {
  return rtk_padded(3 * (size_t)resample->width * sizeof(uint16_t) + 32);
}

size_t rtk_resample_scratch(const RTKResample *resample) {
  return row_bytes(resample) * (size_t)resample->rowTaps + rtk_padded(3 * (size_t)resample->sourceWidth + 4);
}

/// Scales one source row along x, to eight fractional bits.
/// - source: one byte after the row must be readable; its value is ignored.
RTK_BODY void resample_row(const RTKResample *resample, const uint8_t *source, uint16_t *out) {
  const RTKResampling *columns = &resample->columns;
  for (int32_t x = 0; x < resample->width; x++) {
    const uint8_t *in = source + 3 * (size_t)columns->first[x];
    const uint32_t *weights = columns->weights + columns->offsets[x];
    Pixel32 sum = {128, 128, 128, 128};
    for (int32_t k = 0; k < columns->counts[x]; k++) {
      sum += __builtin_convertvector(RTK_LOAD(Bytes4, in + 3 * k), Pixel32) * weights[k];
    }
    // The fourth sample belongs to the next pixel, which overwrites it.
    Pixel16 pixel = __builtin_convertvector(sum >> 8, Pixel16);
    RTK_STORE(out + 3 * x, pixel);
  }
}

RTK_KERNEL(
    resample_rgb, (resample, source, out, outStride, first, count, scratch),
    const RTKResample *resample, const uint8_t *source, uint8_t *out, ptrdiff_t outStride, int32_t first,
    int32_t count, void *scratch) {
  size_t length = 3 * (size_t)resample->width, rowBytes = row_bytes(resample);
  size_t sourceLength = 3 * (size_t)resample->sourceWidth;
  int32_t taps = resample->rowTaps;
  uint8_t *memory = scratch, *line = memory + rowBytes * (size_t)taps;
  const RTKResampling *rows = &resample->rows;
  // End of the source rows already scaled along x; row r is in slot r % taps.
  int32_t done = -1;
  for (int32_t y = first; y < first + count; y++) {
    int32_t from = rows->first[y], end = from + rows->counts[y];
    for (int32_t row = done < from ? from : done; row < end; row++) {
      // Copied, because the last row of the picture has no readable byte behind it.
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
