#include "soft.h"

RTK_KERNEL(rosy, (source, out, count), const uint8_t *source, uint8_t *out, ptrdiff_t count) {
  ptrdiff_t i = 0;
  // Sixteen pixels fill three vectors, each with green at other offsets.
  const Bytes16 keep[3] = {
      {255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255},
      {0, 255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 0},
      {255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 0, 255, 255, 0, 255}};
  for (; i + 16 <= count; i += 16) {
    for (ptrdiff_t k = 0; k < 3; k++) {
      RTK_STORE(out + 3 * i + 16 * k, RTK_LOAD(Bytes16, source + 3 * i + 16 * k) & keep[k]);
    }
  }
  for (; i < count; i++) {
    out[3 * i] = source[3 * i];
    out[3 * i + 1] = 0;
    out[3 * i + 2] = source[3 * i + 2];
  }
}

RTK_KERNEL(
    color_matrix, (matrix, source, out, count),
    const RTKColorTransform *matrix, const uint8_t *source, uint8_t *out, ptrdiff_t count) {
  const RTKColorTransform m = *matrix;
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t r = source[3 * i], g = source[3 * i + 1], b = source[3 * i + 2];
    for (int k = 0; k < 3; k++) {
      int32_t sum = (m.weights[k][0] * r + m.weights[k][1] * g + m.weights[k][2] * b + m.bias[k] + 2048) >> 12;
      out[3 * i + k] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
  }
}

RTK_BODY void despill_channel(const uint8_t *source, uint8_t *out, ptrdiff_t count, int32_t channel, int32_t amount) {
  int32_t other = 3 - channel;
  for (ptrdiff_t i = 0; i < count; i++) {
    int32_t c = source[3 * i + channel], first = source[3 * i], second = source[3 * i + other];
    int32_t most = first > second ? first : second, excess = c > most ? c - most : 0;
    out[3 * i] = (uint8_t)first;
    out[3 * i + other] = (uint8_t)second;
    out[3 * i + channel] = (uint8_t)(c - ((excess * amount + (1 << 14)) >> 15));
  }
}

RTK_KERNEL(
    despill, (source, out, count, channel, amount),
    const uint8_t *source, uint8_t *out, ptrdiff_t count, int32_t channel, int32_t amount) {
  // A constant channel lets the compiler vectorize.
  if (channel == 1) {
    despill_channel(source, out, count, 1, amount);
  } else {
    despill_channel(source, out, count, 2, amount);
  }
}

RTK_KERNEL(
    mix_grey, (picture, grey, share, count),
    uint8_t *picture, const uint8_t *grey, int32_t share, ptrdiff_t count) {
  int16_t near = (int16_t)((1 << 14) - share), far = (int16_t)share;
  for (ptrdiff_t i = 0; i < count; i++) {
    for (int k = 0; k < 3; k++) {
      uint8_t *byte = picture + 3 * i + k;
      *byte = (uint8_t)((*byte * near + grey[i] * far + (1 << 13)) >> 14);
    }
  }
}
