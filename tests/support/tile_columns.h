#ifndef TESTS_SUPPORT_TILE_COLUMNS_H
#define TESTS_SUPPORT_TILE_COLUMNS_H

#include "clalign/device.h"
#include "plan/plan.h"

/* A query that occurs once in a target, at different places. So the path crosses from one part of the sweep
 * into the next in each column of a tile. Lanes that work on one column read the tile before there. */
typedef struct tile_columns {
  cla_device *device;
  cla_device *partner; /* or NULL */
  uint64_t seed;
  int64_t behind; /* letters of the target behind the query's place */
  int step;       /* columns by which the place moves from one alignment to the next */
  void (*adjust)(plan *whole);
} tile_columns;

/* Aligns at all places, for the score only, with the true score minus 1 as lower bound. Expects the true
 * score, and on a CPU, whose strips are narrow, that less than half of the cells are computed. */
void tile_columns_check(const tile_columns *all);

#endif
