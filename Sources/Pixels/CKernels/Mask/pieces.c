// Connected components of a mask (pieces), and of its background where the mask encloses it (gaps).
// Each row is cut into runs; runs that touch those of the row above are joined by union-find.
#include "lanes.h"

typedef struct {
  int32_t row;
  int32_t from;
  int32_t to;
  /// Whether a gap reaches the plane's edge, or a piece contains a face.
  int32_t isMarked;
  /// Whether a small piece lies near one that stays.
  int32_t isNear;
  int32_t parent;
  int32_t area;
  /// Gaps: pixels with depth farther than the mask beside the gap. Pieces: pixels that have moved.
  int32_t seenCount;
  /// Gaps: number and sum of the mask's distances at both ends of the runs. Pieces of what has not moved: the number
  /// is that of their borders with pixels that have, on the same surface.
  int32_t sideCount;
  int64_t sides;
} Run;

/// Width and height of the cells in which small pieces lie near large ones, in pixels.
enum { NEAR_CELL = 8 };

/// In a row or a column, with one beyond each edge.
RTK_BODY size_t near_cells(int32_t length) { return (size_t)(length - 1) / NEAR_CELL + 3; }

/// Runs, a mask, a row of steps, then cells.
size_t rtk_pieces_scratch(int32_t width, int32_t height) {
  return ((size_t)width * (size_t)height + 1) * sizeof(Run) + (size_t)width * ((size_t)height + 1) +
         near_cells(width) * near_cells(height);
}

RTK_BODY uint8_t *mask_in(const RTKPieces *pieces, Run *scratch) {
  return (uint8_t *)(scratch + (size_t)pieces->width * (size_t)pieces->height + 1);
}

RTK_BODY uint8_t *steps_in(const RTKPieces *pieces, Run *scratch) {
  return mask_in(pieces, scratch) + (size_t)pieces->width * (size_t)pieces->height;
}

RTK_BODY int32_t root_of(Run *runs, int32_t run) {
  while (runs[run].parent != run) {
    // Path halving.
    runs[run].parent = runs[runs[run].parent].parent;
    run = runs[run].parent;
  }
  return run;
}

/// The earlier root stays, so that the result does not depend on the order of joins.
RTK_BODY void join(Run *runs, int32_t one, int32_t other) {
  int32_t a = root_of(runs, one), b = root_of(runs, other);
  if (a == b) return;
  int32_t first = a < b ? a : b, second = a < b ? b : a;
  runs[second].parent = first;
  runs[first].area += runs[second].area;
  runs[first].isMarked |= runs[second].isMarked;
  runs[first].sideCount += runs[second].sideCount;
  runs[first].sides += runs[second].sides;
}

/// Whether two depths may belong to one surface. Missing depth may belong to any.
RTK_BODY int32_t are_near(int32_t a, int32_t b, int32_t step) {
  int32_t apart = a < b ? b - a : a - b, nearer = a < b ? a : b;
  return nearer == 0 || apart <= RTKPieceMillimeters + nearer * step / 1024;
}

/// Sets 1 where a pixel from `from` on cannot belong to the surface of the pixel before it, else 0: `are_near`, in 16
/// bits and without branches, so that it becomes vectors.
RTK_BODY void find_steps(
    const uint16_t *depth, int32_t step, int32_t from, int32_t width, uint8_t *restrict steps) {
  for (int32_t x = from; x < width; x++) {
    uint16_t a = depth[x - 1], b = depth[x], nearer = a < b ? a : b, farther = a < b ? b : a;
    uint16_t most = (uint16_t)(RTKPieceMillimeters + ((uint32_t)nearer * (uint16_t)(step << 6) >> 16));
    steps[x] = (nearer != 0) & ((uint16_t)(farther - nearer) > most);
  }
}

/// Appends the runs of one row.
/// - depth: runs are also cut at steps of depth; NULL to ignore depth.
/// - steps: scratch of `width` bytes.
RTK_BODY int32_t runs_of_row(
    Run *runs, int32_t count, const uint8_t *mask, const uint16_t *depth, int32_t step, int32_t width, int32_t y,
    int32_t isGap, uint8_t *steps) {
  // Eight pixels at once: those between runs, and those within.
  uint64_t between = isGap ? UINT64_MAX : 0;
  int32_t hasSteps = 0;
  for (int32_t x = 0; x < width;) {
    while (x + 8 <= width && RTK_LOAD(uint64_t, mask + x) == between) x += 8;
    if (x >= width) break;
    if ((mask[x] != 0) == isGap) {
      x++;
      continue;
    }
    int32_t from = x++;
    if (depth && !hasSteps) {
      find_steps(depth, step, x, width, steps);
      hasSteps = 1;
    }
    while (x < width) {
      int32_t isWithin = x + 8 <= width && RTK_LOAD(uint64_t, mask + x) == ~between;
      if (isWithin && (!depth || RTK_LOAD(uint64_t, steps + x) == 0)) {
        x += 8;
        continue;
      }
      if ((mask[x] != 0) == isGap || (depth && steps[x])) break;
      x++;
    }
    runs[count] = (Run){y, from, x, 0, 0, count, x - from, 0, 0, 0};
    count++;
  }
  return count;
}

/// Whether two runs in adjacent rows touch in pixels that may belong to one surface.
RTK_BODY int32_t touch(
    const Run *above, const Run *below, const uint16_t *upper, const uint16_t *lower, int32_t step, int32_t reach) {
  int32_t from = above->from > below->from ? above->from : below->from;
  int32_t to = above->to < below->to ? above->to : below->to;
  if (!upper) return from < to + reach;
  for (int32_t x = below->from; x < below->to; x++) {
    for (int32_t other = x - reach; other <= x + reach; other++) {
      if (other >= above->from && other < above->to && are_near(upper[other], lower[x], step)) return 1;
    }
  }
  return 0;
}

/// Finds the connected components and returns the number of runs.
/// - reach: 1 also joins runs that touch only at a corner, 0 does not.
RTK_BODY int32_t find_pieces(
    const RTKPieces *pieces, Run *runs, const uint8_t *mask, const uint16_t *depth, int32_t isGap, int32_t reach) {
  int32_t width = pieces->width, count = 0, aboveFirst = 0;
  uint8_t *steps = steps_in(pieces, runs);
  for (int32_t y = 0; y < pieces->height; y++) {
    size_t row = (size_t)y * (size_t)width;
    int32_t first = count;
    const uint16_t *lower = depth ? depth + row : NULL, *upper = depth && y > 0 ? lower - width : NULL;
    count = runs_of_row(runs, count, mask + row, lower, pieces->step, width, y, isGap, steps);
    int32_t above = aboveFirst;
    for (int32_t run = first; run < count; run++) {
      while (above < first && runs[above].to + reach <= runs[run].from) above++;
      for (int32_t other = above; other < first && runs[other].from < runs[run].to + reach; other++) {
        if (touch(runs + other, runs + run, upper, lower, pieces->step, reach)) join(runs, other, run);
      }
    }
    aboveFirst = first;
  }
  return count;
}

RTK_BODY void mark_faces(Run *runs, int32_t count, const int32_t *boxes, int32_t boxCount) {
  for (int32_t run = 0; run < count; run++) {
    for (int32_t i = 0; i < boxCount; i++) {
      const int32_t *box = boxes + 4 * i;
      if (runs[run].row >= box[1] && runs[run].row < box[3] && runs[run].from < box[2] && runs[run].to > box[0]) {
        runs[root_of(runs, run)].isMarked = 1;
      }
    }
  }
}

RTK_BODY size_t start_of(const RTKPieces *pieces, const Run *run) {
  return (size_t)run->row * (size_t)pieces->width + (size_t)run->from;
}

RTK_BODY void fill_run(const RTKPieces *pieces, const Run *run, uint8_t *mask, uint8_t value) {
  memset(mask + start_of(pieces, run), value, (size_t)(run->to - run->from));
}

RTK_BODY int32_t has_moved(const RTKPieces *pieces, const Run *root) {
  return (int64_t)RTKPiecesMoved * root->seenCount >= root->area && 2 * root->seenCount > pieces->least;
}

/// Whether a piece stays for its own sake.
RTK_BODY int32_t is_kept(const RTKPieces *pieces, const Run *root, int32_t hasPerson) {
  return root->area >= pieces->least && (!hasPerson || root->isMarked || has_moved(pieces, root));
}

/// Marks small pieces in a cell beside those of pieces that stay: curls have no depth between them and the head.
RTK_BODY void mark_near(const RTKPieces *pieces, Run *runs, int32_t count, int32_t hasPerson) {
  size_t columns = near_cells(pieces->width);
  uint8_t *cells = steps_in(pieces, runs) + pieces->width;
  memset(cells, 0, columns * near_cells(pieces->height));
  for (int32_t run = 0; run < count; run++) {
    if (!is_kept(pieces, runs + root_of(runs, run), hasPerson)) continue;
    // The cell and its eight neighbours.
    size_t from = (size_t)runs[run].from / NEAR_CELL, to = (size_t)(runs[run].to - 1) / NEAR_CELL + 2;
    uint8_t *row = cells + (size_t)runs[run].row / NEAR_CELL * columns;
    for (int32_t y = 0; y < 3; y++) memset(row + (size_t)y * columns + from, 1, to + 1 - from);
  }
  for (int32_t run = 0; run < count; run++) {
    Run *root = runs + root_of(runs, run);
    if (root->area >= pieces->least || root->isNear) continue;
    const uint8_t *row = cells + ((size_t)runs[run].row / NEAR_CELL + 1) * columns + 1;
    size_t from = (size_t)runs[run].from / NEAR_CELL, to = (size_t)(runs[run].to - 1) / NEAR_CELL;
    for (size_t cell = from; cell <= to; cell++) root->isNear |= row[cell];
  }
}

/// Clears pieces; writes those pixels of pieces that have moved which have not themselves to `still`, else 0.
RTK_BODY void keep_people(
    const RTKPieces *pieces, Run *runs, int32_t count, uint8_t *mask, const uint8_t *moved, uint8_t *still) {
  int32_t hasPerson = 0;
  for (int32_t run = 0; run < count && moved; run++) {
    Run *root = runs + root_of(runs, run);
    const uint8_t *pixels = moved + start_of(pieces, runs + run);
    for (int32_t x = 0; x < runs[run].to - runs[run].from; x++) root->seenCount += pixels[x] != 0;
  }
  for (int32_t run = 0; run < count; run++) {
    hasPerson |= runs[run].parent == run && is_kept(pieces, runs + run, 1);
  }
  mark_near(pieces, runs, count, hasPerson);
  for (int32_t run = 0; run < count; run++) {
    const Run *root = runs + root_of(runs, run);
    if (!root->isNear && !is_kept(pieces, root, hasPerson)) {
      fill_run(pieces, runs + run, mask, 0);
    } else if (has_moved(pieces, root)) {
      size_t start = start_of(pieces, runs + run), end = start + (size_t)(runs[run].to - runs[run].from);
      for (size_t i = start; i < end; i++) still[i] = mask[i] & ~moved[i];
    }
  }
}

/// Whether two distances differ by no more than 3 σ of a Kinect's noise: 3.6 + 5.7 (z − 0.4)² mm.
RTK_BODY int32_t are_one_surface(int32_t a, int32_t b) {
  int64_t far = a - 400, apart = a < b ? b - a : a - b;
  return a != 0 && b != 0 && apart <= 4 + far * far * 57 / 10000000;
}

/// Clears pieces of `still` from the mask, unless a face is in them or they go on in what has moved without a step.
RTK_BODY void drop_still(
    const RTKPieces *pieces, Run *runs, uint8_t *mask, const uint16_t *depth, const uint8_t *still,
    const int32_t *boxes, int32_t boxCount) {
  int32_t count = find_pieces(pieces, runs, still, depth, 0, 1), width = pieces->width;
  mark_faces(runs, count, boxes, boxCount);
  for (int32_t run = 0; run < count && depth; run++) {
    Run *root = runs + root_of(runs, run);
    for (int32_t x = runs[run].from; x < runs[run].to; x++) {
      size_t i = (size_t)runs[run].row * (size_t)width + (size_t)x, rows = (size_t)width;
      size_t beside[4] = {x > 0 ? i - 1 : i, x + 1 < width ? i + 1 : i, runs[run].row > 0 ? i - rows : i,
          runs[run].row + 1 < pieces->height ? i + rows : i};
      for (int32_t side = 0; side < 4; side++) {
        size_t other = beside[side];
        root->sideCount += mask[other] && !still[other] && are_one_surface(depth[i], depth[other]);
      }
    }
  }
  for (int32_t run = 0; run < count; run++) {
    const Run *root = runs + root_of(runs, run);
    int64_t borders = root->sideCount;
    if (root->isMarked || 4 * root->area < pieces->least || borders * borders >= root->area) continue;
    fill_run(pieces, runs + run, mask, 0);
  }
}

void rtk_keep_pieces(
    const RTKPieces *pieces, uint8_t *mask, const uint16_t *depth, const uint8_t *moved, const int32_t *boxes,
    int32_t boxCount, void *scratch) {
  Run *runs = scratch;
  size_t pixels = (size_t)pieces->width * (size_t)pieces->height;
  uint8_t *still = mask_in(pieces, runs);
  if (moved) memset(still, 0, pixels);
  int32_t count = find_pieces(pieces, runs, mask, boxCount > 0 || moved ? depth : NULL, 0, 1);
  mark_faces(runs, count, boxes, boxCount);
  keep_people(pieces, runs, count, mask, moved, still);
  if (moved) drop_still(pieces, runs, mask, depth, still, boxes, boxCount);
}

void rtk_settled_pieces(
    const RTKPieces *pieces, const uint8_t *mask, const uint8_t *still, const int32_t *boxes, int32_t boxCount,
    uint8_t *settled, void *scratch) {
  Run *runs = scratch;
  int32_t count = find_pieces(pieces, runs, mask, NULL, 0, 1);
  mark_faces(runs, count, boxes, boxCount);
  memset(settled, 0, (size_t)pieces->width * (size_t)pieces->height);
  for (int32_t run = 0; run < count; run++) {
    Run *root = runs + root_of(runs, run);
    const uint8_t *pixels = still + start_of(pieces, runs + run);
    for (int32_t x = 0; x < runs[run].to - runs[run].from; x++) root->seenCount += pixels[x] != 0;
  }
  for (int32_t run = 0; run < count; run++) {
    const Run *root = runs + root_of(runs, run);
    int64_t stillCount = root->seenCount, area = root->area;
    if (!root->isMarked && 8 * stillCount >= 7 * area) fill_run(pieces, runs + run, settled, 255);
  }
}

/// Collects the mask's distances beside each gap, and marks gaps that reach the plane's edge.
RTK_BODY void look_round(const RTKPieces *pieces, Run *runs, int32_t count, const uint16_t *depth) {
  int32_t width = pieces->width;
  for (int32_t run = 0; run < count; run++) {
    Run *root = runs + root_of(runs, run);
    int32_t from = runs[run].from, to = runs[run].to, y = runs[run].row;
    if (from == 0 || to == width || y == 0 || y == pieces->height - 1) root->isMarked = 1;
    if (!depth) continue;
    const uint16_t *row = depth + (size_t)y * (size_t)width;
    int32_t sides[2] = {from > 0 ? row[from - 1] : 0, to < width ? row[to] : 0};
    for (int32_t i = 0; i < 2; i++) {
      root->sideCount += sides[i] != 0;
      root->sides += sides[i];
    }
  }
}

void rtk_fill_gaps(const RTKPieces *pieces, uint8_t *mask, const uint16_t *depth, void *scratch) {
  Run *runs = scratch;
  int32_t count = find_pieces(pieces, runs, mask, NULL, 1, 0), width = pieces->width;
  look_round(pieces, runs, count, depth);
  for (int32_t run = 0; run < count && depth; run++) {
    Run *root = runs + root_of(runs, run);
    if (root->isMarked || root->area > pieces->largest || root->sideCount == 0) continue;
    int32_t around = (int32_t)(root->sides / root->sideCount);
    int32_t limit = around + RTKPieceMillimeters + around * pieces->step / 1024;
    const uint16_t *row = depth + (size_t)runs[run].row * (size_t)width;
    for (int32_t x = runs[run].from; x < runs[run].to; x++) root->seenCount += row[x] > limit;
  }
  for (int32_t run = 0; run < count; run++) {
    const Run *root = runs + root_of(runs, run);
    // Depth farther than the person shows that the gap is real: the room is seen through it.
    if (root->isMarked || root->area > pieces->largest || 4 * root->seenCount > root->area) continue;
    fill_run(pieces, runs + run, mask, 255);
  }
}
