// Refinement of a matte's edge by colour, colours of the empty scene, and of the person.
#include "vectors.h"

static const int32_t widths[] = {16, 33, 64, 127, 200};
enum { COUNT = sizeof widths / sizeof *widths, HEIGHT = 41 };

/// The planes that the kernels hand on to each other.
typedef struct {
  int32_t width;
  size_t pixelCount, blockCount, cellCount, paddedCount;
  RTKCells cells;
  RTKColors colors;
  uint8_t *belt, *known, *isWanted, *mask;
  uint16_t *depth;
  int64_t *sums, *wide, *counts;
  RTKCellModel *models;
  int16_t *samples, *gate;
  uint8_t *blocks, *windows;
} Scene;

static int64_t *cell_planes(const Scene *scene, size_t planes) { return zeros(8 * planes * scene->cellCount); }

/// Fills everything with the portable variant up to the kernel at hand.
static Scene scene_of(int32_t width) {
  Scene s = {.width = width, .pixelCount = (size_t)width * HEIGHT, .cells = rtk_cells(width, HEIGHT)};
  s.blockCount = ((size_t)width + 15) / 16;
  s.cellCount = (size_t)s.cells.columns * (size_t)s.cells.rows;
  s.paddedCount = 16 * s.blockCount * HEIGHT;
  s.colors = (RTKColors){
      width, HEIGHT, random_samples(s.paddedCount, 0, RTKColorOne), random_samples(s.paddedCount, 0, RTKColorOne),
      random_samples(s.paddedCount, 0, RTKColorOne)};
  s.mask = random_mask(s.pixelCount, 0);
  s.depth = random_depth(s.pixelCount);
  RTKBelt planes = {random_mask(s.pixelCount, 0), random_mask(s.pixelCount, 0), random_mask(s.pixelCount, 0),
                    random_mask(s.pixelCount, 0), random_mask(s.pixelCount, 0)};
  s.belt = zeros(s.pixelCount), s.known = zeros(s.pixelCount), s.isWanted = zeros(s.cellCount);
  rtk_belt(processor, &planes, s.depth, s.belt, s.known, 0, (ptrdiff_t)s.pixelCount);
  rtk_wanted_cells(processor, s.belt, width, HEIGHT, s.isWanted, 0, s.cells.rows);
  s.sums = cell_planes(&s, 2 * RTKCellSums), s.wide = cell_planes(&s, 2 * RTKCellSums), s.counts = cell_planes(&s, 4);
  rtk_cell_sums(processor, &s.colors, s.known, s.sums, 0, s.cells.rows);
  memcpy(s.wide, s.sums, 8 * 2 * RTKCellSums * s.cellCount);
  for (size_t k = 0; k < 2 * RTKCellSums; k++) {
    rtk_cell_box(processor, s.cells, 1, s.sums + k * s.cellCount, cell_planes(&s, 1));
    rtk_cell_box(processor, s.cells, 3, s.wide + k * s.cellCount, cell_planes(&s, 1));
  }
  s.models = zeros(sizeof *s.models * s.cellCount);
  rtk_cell_models(processor, s.cells, s.sums, s.wide, s.isWanted, s.models, 0, s.cells.rows);
  rtk_cell_errors(processor, &s.colors, s.known, s.models, s.counts, 0, s.cells.rows);
  s.gate = zeros(2 * s.cellCount);
  rtk_cell_gate(processor, s.cells, s.counts, s.models, 20000, s.gate, 0, s.cells.rows);
  s.samples = zeros(2 * s.paddedCount), s.blocks = zeros(s.blockCount * HEIGHT), s.windows = zeros(s.blockCount * HEIGHT);
  rtk_project(processor, &s.colors, s.belt, s.mask, s.models, s.samples, s.blocks, 0, HEIGHT);
  rtk_spread_blocks(s.blocks, 0, s.windows, (int32_t)s.blockCount, HEIGHT, 3, 0, HEIGHT);
  return s;
}

static void add_samples(const Scene *s, const int16_t *samples) {
  for (size_t y = 0; y < HEIGHT; y++) add(samples + 16 * s->blockCount * y, 2 * (size_t)s->width);
}

static void model_vectors(void) {
  static const char *names[] = {
      "rtk_belt", "rtk_wanted_cells", "rtk_cell_sums+rtk_cell_box", "rtk_cell_models", "rtk_cell_errors",
      "rtk_cell_gate", "rtk_project"};
  for (int kernel = 0; kernel < 7; kernel++) {
    begin(names[kernel]);
    for (int i = 0; i < COUNT; i++) {
      Scene s = scene_of(widths[i]);
      switch (kernel) {
        case 0: add(s.belt, s.pixelCount), add(s.known, s.pixelCount); break;
        case 1: add(s.isWanted, s.cellCount); break;
        case 2: add(s.sums, 8 * 2 * RTKCellSums * s.cellCount), add(s.wide, 8 * 2 * RTKCellSums * s.cellCount); break;
        case 3:
          for (size_t k = 0; k < s.cellCount; k++) {
            ADD(s.models[k].trust);
            if (s.models[k].trust == 0) continue;
            ADD(s.models[k].red), ADD(s.models[k].green), ADD(s.models[k].blue), ADD(s.models[k].constant);
          }
          break;
        case 4: add(s.counts, 8 * 4 * s.cellCount); break;
        case 5: add(s.gate, 2 * s.cellCount); break;
        default: add_samples(&s, s.samples), add(s.blocks, s.blockCount * HEIGHT);
      }
    }
    end();
  }
}

static void window_vectors(void) {
  begin("rtk_color_windows+rtk_color_coefficients+rtk_color_samples");
  for (int i = 0; i < COUNT; i++) {
    Scene s = scene_of(widths[i]);
    int32_t *sums = zeros(4 * RTKWindowValues * s.paddedCount);
    int32_t *coefficients = zeros(4 * RTKCoefficients * s.paddedCount);
    uint8_t *needed = zeros(s.pixelCount);
    void *scratch = zeros(rtk_color_window_scratch(widths[i]));
    rtk_color_windows(processor, &s.colors, s.belt, s.windows, (uint64_t)1 << 24, needed, sums, 0, HEIGHT, scratch);
    rtk_color_coefficients(
        processor, &s.colors, s.samples, needed, s.windows, sums, coefficients, 0, HEIGHT, scratch);
    rtk_color_samples(
        processor, &s.colors, coefficients, s.belt, s.blocks, s.windows, 900, s.samples, 0, HEIGHT, scratch);
    add_samples(&s, s.samples);
  }
  end();
}

static void gate_vectors(void) {
  begin("rtk_mean_coefficients+rtk_gated_coefficients");
  for (int i = 0; i < COUNT; i++) {
    Scene s = scene_of(widths[i]);
    RTKCells cells = rtk_cells(widths[i], HEIGHT);
    size_t n = s.paddedCount, cellCount = (size_t)cells.columns * (size_t)cells.rows;
    int32_t *coefficients = zeros(sizeof(int32_t) * RTKCoefficients * n);
    int32_t *out = zeros(sizeof(int32_t) * RTKCoefficients * n);
    for (size_t k = 0; k < RTKCoefficients * n; k++) coefficients[k] = (int32_t)(next_random() % 200000) - 100000;
    RTKGate gate = {
        widths[i], HEIGHT, s.belt, random_samples(cellCount, 0, 256), random_samples(cellCount, 0, 256), s.depth};
    int32_t *constants = zeros(sizeof(int32_t) * n);
    uint16_t *shares = zeros(sizeof(uint16_t) * n);
    uint8_t *unsure = zeros(n / RTKBlockWidth), *kinds = zeros(n / RTKBlockWidth);
    void *scratch = zeros(rtk_color_window_scratch(widths[i]));
    rtk_mean_coefficients(
        processor, &gate, &s.colors, coefficients, s.windows, out, constants, shares, unsure, 0, HEIGHT, scratch);
    rtk_gated_coefficients(processor, &gate, constants, shares, unsure, s.samples, 1, out, kinds, 0, HEIGHT);
    add(unsure, n / RTKBlockWidth), add(kinds, n / RTKBlockWidth);
    for (size_t b = 0; b < n / RTKBlockWidth; b++) {
      for (size_t k = 0; k < RTKCoefficients && kinds[b] == RTKBlockMixed; k++) {
        add(out + n * k + RTKBlockWidth * b, sizeof(int32_t) * RTKBlockWidth);
      }
    }
  }
  end();
}

static uint8_t *random_classes(size_t count) {
  uint8_t *classes = random_bytes(count);
  for (size_t i = 0; i < count; i++) classes[i] %= 3;
  return classes;
}

static void color_scene_vectors(void) {
  begin("rtk_plate_classes");
  for (int i = 0; i < COUNT; i++) {
    Scene s = scene_of(widths[i]);
    RTKPlateColors plate;
    for (int c = 0; c < 3; c++) {
      plate.colors[c] = random_samples(s.paddedCount, 0, RTKColorOne);
      plate.doubts[c] = random_samples(s.paddedCount, 1, 300);
    }
    uint8_t *classes = zeros(s.pixelCount), *isWanted = random_mask(s.pixelCount, 0);
    rtk_plate_classes(processor, &s.colors, &plate, isWanted, classes, 0, HEIGHT);
    for (size_t k = 0; k < s.pixelCount; k++) if (isWanted[k]) ADD(classes[k]);
  }
  end();
  begin("rtk_color_difference");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    int16_t *out = zeros(2 * n);
    rtk_color_difference(
        processor, random_samples(n, 0, RTKColorOne), random_samples(n, 0, RTKColorOne), out, 0, (ptrdiff_t)n);
    add(out, 2 * n);
  }
  end();
  begin("rtk_plate_kinds");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    RTKPlateZone zone = {random_mask(n, 0), random_mask(n, 0), random_mask(n, 0), random_mask(n, 0), random_mask(n, 0), random_mask(n, 0)};
    uint8_t *out = zeros(n);
    rtk_plate_kinds(processor, &zone, random_depth(n), random_depth(n), out, 0, (ptrdiff_t)n);
    add(out, n);
  }
  end();
  begin("rtk_count_alike");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT, cells = ((size_t)widths[i] + RTKPlateCell - 1) / RTKPlateCell;
    uint8_t *kinds = random_mask(n, 0);
    for (size_t k = 0; k < n; k++) kinds[k] &= RTKPlatePerson;
    RTKPlateCount *counts = zeros(cells * sizeof *counts);
    rtk_count_alike(processor, kinds, random_classes(n), widths[i], 0, HEIGHT, counts);
    add(counts, cells * sizeof *counts);
  }
  end();
  begin("rtk_decide_by_color");
  for (int i = 0; i < COUNT; i++) {
    size_t n = (size_t)widths[i] * HEIGHT;
    uint8_t *mask = random_mask(n, 0);
    rtk_decide_by_color(
        processor, random_mask(n, 0), random_classes(n), random_mask(n, 0), random_mask(n, 0), mask, 0, (ptrdiff_t)n);
    add(mask, n);
  }
  end();
}

static void foreground_vectors(void) {
  static uint16_t weights[256];
  static int16_t gains[256];
  for (int i = 0; i < 256; i++) weights[i] = (uint16_t)(i * i / 16), gains[i] = (int16_t)(i * 16);
  begin("rtk_matte_cells+rtk_foreground_sums+rtk_foreground_colors+rtk_show_foreground");
  for (int i = 0; i < COUNT; i++) {
    RTKForeground foreground = {widths[i], HEIGHT, weights, gains};
    RTKCells cells = rtk_foreground_cells(widths[i], HEIGHT);
    size_t n = (size_t)widths[i] * HEIGHT, cellCount = (size_t)cells.columns * (size_t)cells.rows;
    uint8_t *rgb = random_bytes(3 * n), *matte = random_mask(n, 1), *kinds = zeros(cellCount), *out = zeros(3 * n);
    RTKForegroundSums *sums = zeros(sizeof *sums * cellCount);
    RTKForegroundColors *colors = zeros(sizeof *colors * cellCount);
    rtk_matte_cells(processor, matte, widths[i], HEIGHT, kinds, 0, cells.rows);
    rtk_foreground_sums(processor, &foreground, rgb, matte, kinds, sums, 0, cells.rows);
    rtk_foreground_colors(processor, &foreground, sums, kinds, colors, 0, cells.rows);
    rtk_show_foreground(processor, &foreground, colors, kinds, rgb, matte, out, 0, HEIGHT);
    add(kinds, cellCount), add(out, 3 * n);
  }
  end();
}

void refine_vectors(void) {
  model_vectors();
  window_vectors();
  gate_vectors();
  color_scene_vectors();
  foreground_vectors();
}
