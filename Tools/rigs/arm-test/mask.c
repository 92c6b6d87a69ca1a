// Masks from depth, and their cleaning.
#include "vectors.h"

static const int32_t widths[] = {1, 5, 16, 33, 64, 127, 320};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 9 };

void mask_vectors(void) {
  begin("rtk_mask_nearer");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *mask = zeros(n);
    rtk_mask_nearer(processor, random_depth(n), mask, widths[i], 1500);
    add(mask, n);
    rtk_mask_nearer(processor, random_depth(n), mask, widths[i], 65535);
    add(mask, n);
  }
  end();
  begin("rtk_mask_up_to");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *mask = zeros(n);
    rtk_mask_up_to(processor, random_depth(n), mask, widths[i], 2500);
    add(mask, n);
  }
  end();
  begin("rtk_mask_nearer_each");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *mask = zeros(n);
    rtk_mask_nearer_each(processor, random_depth(n), random_depth(n), mask, widths[i], 255);
    add(mask, n);
  }
  end();
  begin("rtk_mask_add_kind");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i];
    uint8_t *kinds = random_bytes(n), *mask = random_mask(n, 0);
    for (size_t k = 0; k < n; k++) kinds[k] &= 3;
    rtk_mask_add_kind(processor, kinds, mask, widths[i], 2);
    add(mask, n);
  }
  end();
  begin("rtk_look_up");
  uint16_t *table = zeros(2 * 65537);
  for (int i = 0; i < 65536; i++) table[i] = (uint16_t)(i < 8000 ? RTKMatteOne : i > 40000 ? 0 : RTKMatteOne * (40000 - i) / 32000);
  for (int i = 0; i < COUNT; i++) {
    size_t blocks = ((size_t)widths[i] + 15) / 16, n = (size_t)widths[i] * HEIGHT;
    RTKLookUp lookUp = {widths[i], table, i % 2 ? -1 : 0};
    int16_t *samples = zeros(2 * 16 * blocks * HEIGHT);
    uint8_t *kinds = zeros(blocks * HEIGHT), *mask = zeros(n);
    uint16_t *keys = random_depth(n);
    rtk_look_up(processor, &lookUp, keys, keys, samples, kinds, mask, 0, HEIGHT);
    add(samples, 2 * 16 * blocks * HEIGHT), add(kinds, blocks * HEIGHT), add(mask, n);
  }
  end();
  begin("rtk_mark_blocks");
  for (int i = 0; i < COUNT; i++) {
    size_t blocks = ((size_t)widths[i] + 15) / 16;
    int16_t *samples = zeros(2 * 16 * blocks * HEIGHT);
    uint8_t *kinds = zeros(blocks * HEIGHT), *mask = random_mask(16 * blocks * HEIGHT, 1);
    for (size_t k = 0; k < 16 * blocks * HEIGHT; k++) samples[k] = (int16_t)(64 * mask[k]);
    rtk_mark_blocks(processor, samples, kinds, widths[i], 0, HEIGHT);
    add(samples, 2 * 16 * blocks * HEIGHT), add(kinds, blocks * HEIGHT);
  }
  end();
  begin("rtk_keep_pieces");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKPieces pieces = {widths[i], HEIGHT, 30, 6, 40};
    uint8_t *mask = random_mask(n, 0);
    int32_t box[4] = {0, 0, widths[i] / 2 + 1, 3};
    void *scratch = zeros(rtk_pieces_scratch(widths[i], HEIGHT));
    rtk_keep_pieces(&pieces, mask, i % 2 ? random_depth(n) : NULL, NULL, box, i % 3 ? 1 : 0, scratch);
    add(mask, n);
  }
  end();
  begin("rtk_settled_pieces");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKPieces pieces = {widths[i], HEIGHT, 30, 6, 40};
    uint8_t *mask = random_mask(n, 0), *still = zeros(n), *settled = zeros(n);
    for (size_t k = 0; k < n; k++) still[k] = k % 13 ? mask[k] : 0;
    int32_t box[4] = {0, 0, widths[i] / 2 + 1, 3};
    rtk_settled_pieces(&pieces, mask, still, box, i % 3 ? 1 : 0, settled, zeros(rtk_pieces_scratch(widths[i], HEIGHT)));
    add(settled, n);
  }
  end();
  begin("rtk_fill_gaps");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKPieces pieces = {widths[i], HEIGHT, 30, 6, 40};
    uint8_t *mask = random_mask(n, 0);
    rtk_fill_gaps(&pieces, mask, random_depth(n), zeros(rtk_pieces_scratch(widths[i], HEIGHT)));
    add(mask, n);
  }
  end();
  begin("rtk_disc_extreme+rtk_disc_bits");
  int32_t reach[4] = {3, 2, 2, 0};
  for (int i = 0; i < COUNT; i++)
    for (int flip = 0; flip < 256; flip += 255) {
      size_t n = (size_t)widths[i] * HEIGHT;
      RTKDisc disc = {widths[i], HEIGHT, 3, reach};
      uint8_t *out = zeros(n);
      rtk_disc_extreme(
          processor, &disc, (uint8_t)flip, random_mask(n, 1), out, 0, HEIGHT, zeros(rtk_disc_scratch(&disc)));
      add(out, n);
      rtk_disc_bits(
          processor, &disc, (uint8_t)flip, random_mask(n, 1), out, 0, HEIGHT, zeros(rtk_disc_bits_scratch(&disc)));
      add(out, n);
    }
  end();
  begin("rtk_sort_samples");
  for (int i = 0; i < COUNT; i++)
    for (int planes = 1; planes <= RTKMostSamples; planes += 1 + planes / 3) {
      size_t n = (size_t)widths[i], all = n * (size_t)planes;
      uint16_t *samples = random_depth(all);
      rtk_sort_samples(processor, samples, (ptrdiff_t)n, planes, 0, (ptrdiff_t)n);
      add(samples, 2 * all);
    }
  end();
}
