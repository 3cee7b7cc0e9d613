#ifndef TESTS_SUPPORT_TILE_COLUMNS_H
#define TESTS_SUPPORT_TILE_COLUMNS_H

#include "clalign/device.h"
#include "plan/plan.h"

/* A query that occurs once in a target. The path crosses from one part of the sweep into the next in each
 * column of a tile, where lanes that work on one column look into the tile before. */
typedef struct tile_columns {
  cla_device *device;
  cla_device *partner; /* or NULL */
  uint64_t seed;
  int64_t behind; /* letters of the target behind the query */
  int step;       /* columns from one alignment to the next */
  void (*adjust)(plan *whole);
} tile_columns;

/* Each alignment, score only and pruned by its own score less 1, has that score; on a CPU, whose strips are
 * narrow, fewer than half of the cells are computed. */
void tile_columns_check(const tile_columns *all);

#endif
