// Connected regions of a bit plane, built from the runs of its rows.
#ifndef RETAKE_RUNS_H
#define RETAKE_RUNS_H

#include "lanes.h"

/// Pixels from ..< to of a row.
typedef struct {
  int32_t from;
  int32_t to;
} Run;

/// Union-find over runs. A run's parent is an earlier run of its region; the first is its own.
typedef struct {
  Run *runs;
  int32_t *parents;
  int32_t count;
  /// Index of each row's first run, then the total.
  int32_t *rows;
  int32_t regionCount;
} Regions;

RTK_BODY size_t run_limit(int32_t width, int32_t height) { return (size_t)(width / 2 + 1) * (size_t)height; }

RTK_BODY size_t regions_bytes(int32_t width, int32_t height) {
  size_t limit = run_limit(width, height);
  return rtk_padded(limit * sizeof(Run)) + rtk_padded(limit * sizeof(int32_t)) +
         rtk_padded(((size_t)height + 1) * sizeof(int32_t));
}

RTK_BODY Regions regions_in(uint8_t *memory, int32_t width, int32_t height) {
  size_t limit = run_limit(width, height);
  uint8_t *parents = memory + rtk_padded(limit * sizeof(Run));
  Regions regions = {
      (Run *)memory, (int32_t *)parents, 0, (int32_t *)(parents + rtk_padded(limit * sizeof(int32_t))), 0};
  regions.rows[0] = 0;
  return regions;
}

RTK_BODY int32_t first_of(int32_t *parents, int32_t run) {
  for (int32_t parent = parents[run]; parent != run;) {
    int32_t next = parents[parent];
    if (next == parent) return parent;
    // Path halving.
    parents[run] = next;
    run = next;
    parent = parents[run];
  }
  return run;
}

/// Appends a row's runs at `count` and returns the new count.
/// - places: words of the row in which a run may begin or end; NULL for all.
RTK_BODY int32_t find_runs(
    Run *runs, int32_t count, const uint64_t *words, ptrdiff_t wordCount, const int32_t *places, ptrdiff_t placeCount) {
  // A run is two ends.
  int32_t *ends = (int32_t *)(runs + count), *begin = ends;
  for (ptrdiff_t i = 0; i < placeCount; i++) {
    ptrdiff_t w = places ? places[i] : i;
    // Pixels that differ from their left neighbour: runs begin and end there in turn. The word before the row is 0.
    uint64_t changes = words[w] ^ (words[w] << 1 | words[w - 1] >> 63);
    for (; changes != 0; changes &= changes - 1) *ends++ = (int32_t)(64 * w) + __builtin_ctzll(changes);
  }
  if (words[wordCount - 1] >> 63) *ends++ = (int32_t)(64 * wordCount);
  return count + (int32_t)(ends - begin) / 2;
}

/// Joins the runs of row y, up to `count`, with those of the row above.
/// - reach: 1 for 8-connected regions, 0 for 4-connected ones.
RTK_BODY void join_runs(Regions *regions, int32_t count, int32_t y, int32_t reach) {
  Run *runs = regions->runs;
  int32_t *parents = regions->parents;
  int32_t first = regions->count, above = y == 0 ? first : regions->rows[y - 1], newCount = 0;
  regions->rows[y + 1] = regions->count = count;
  for (int32_t run = first; run < count; run++) {
    int32_t parent = run, from = runs[run].from - reach, to = runs[run].to + reach;
    while (above < first && runs[above].to <= from) above++;
    for (; above < first && runs[above].from < to; above++) {
      int32_t other = first_of(parents, above);
      // Keep the earlier root, so that the first run identifies the region.
      if (parent == run) {
        parent = other;
      } else if (other != parent) {
        int32_t earlier = other < parent ? other : parent;
        parents[other < parent ? parent : other] = earlier;
        parent = earlier;
        newCount--;
      }
      // This run may also touch the next run of the row.
      if (runs[above].to >= to) break;
    }
    newCount += parent == run;
    parents[run] = parent;
  }
  regions->regionCount += newCount;
}

/// Sets every run's parent to the first run of its region.
RTK_BODY void settle(Regions *regions) {
  int32_t *parents = regions->parents;
  for (int32_t run = 0; run < regions->count; run++) parents[run] = parents[parents[run]];
}

#endif
