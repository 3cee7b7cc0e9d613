#ifndef CLALIGN_WORK_H
#define CLALIGN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A record of how an alignment's matrix was computed, which plots show (clalign/plot.h). The record depends
 * on device, kernel and budgets, and is not part of the result.
 *
 * Node (i,j) of the matrix is after i letters of the query's range and j letters of the target's range.
 * Letters are counted on the strand and in the rotation that were aligned. */

/* Largest number of elements of each kind. If there are more, evenly distributed elements are left out, or
 * elements are joined. */
#define CLA_WORK_BANDS_MOST 1024       /* bands */
#define CLA_WORK_ROWS_MOST 1024        /* special rows */
#define CLA_WORK_CROSSPOINTS_MOST 4096 /* crosspoints */

/* Largest number of levels of the bounds (docs/internals/bounds.md), including levels that did not run. */
#define CLA_LEVELS_MOST 6

/* The size of a level's chunks and buckets. */
typedef enum cla_level_size { CLA_LEVEL_COARSE, CLA_LEVEL_MIDDLE, CLA_LEVEL_FINE } cla_level_size;

/* How a level ended: it was completed, left out, or given up. */
typedef enum cla_level_end {
  CLA_LEVEL_RAN = 0,
  CLA_LEVEL_UNLIKE = 1, /* the alignment known before is too bad for bounds to exclude anything */
  CLA_LEVEL_TIME = 2,   /* the level would take more time than it saves */
  CLA_LEVEL_MEMORY = 3, /* the level needs more memory than is available */
  CLA_LEVEL_ENOUGH =
      4 /* this level would exclude hardly any of the cells that remain after the previous level */
} cla_level_end;

/* A level of the bounds, within the part of the matrix that remains after the previous levels. */
typedef struct cla_bound_level {
  cla_level_size size; /* size of the level's chunks and buckets */
  bool edits;          /* the costs of places are found by edits; false: by seeds */
  cla_level_end end;   /* how the level ended; `left` is valid only if it was completed */
  double left;         /* approximate fraction of the matrix that remains after the level */
  int64_t cells;       /* cells that the level computed */
  int64_t exact_cells; /* the part of `cells` that is in dissimilar stretches; their costs are exact */
  double seconds;      /* wall time */
} cla_bound_level;

/* The part of the matrix that remains after a level. */
typedef struct cla_work_level {
  cla_level_size size; /* as cla_bound_level.size */
  bool edits;          /* as cla_bound_level.edits */
  int64_t cells;       /* number of remaining cells */
  int64_t
      band_count; /* number of the level's bands in cla_work.level_bands, after the previous level's bands */
} cla_work_level;

/* Consecutive rows of cells, with the first and the last column in which the forward sweep computed any cell
 * of these rows. The sweep may have skipped some cells between these columns. */
typedef struct cla_work_band {
  int64_t row, rows;       /* first row, and number of rows >= 1 */
  int64_t column, columns; /* first column, and number of columns; 0: none */
} cla_work_band;

/* A node at which the traceback joined parts of the path. */
typedef struct cla_crosspoint {
  int64_t row, column; /* row and column of the node */
} cla_crosspoint;

/* The work of an alignment. The first band starts in row `unknown_rows`, and bands follow each other without
 * gaps; below the last band nothing was computed. Special rows and crosspoints ascend. */
typedef struct cla_work {
  int64_t unknown_rows; /* number of upper rows that were computed before a run was resumed; their cells are
                           not known */
  int64_t cells;        /* cells that the sweep computed below unknown_rows */
  cla_work_band *bands; /* bands of computed cells */
  size_t band_count;    /* number of bands */
  int64_t special_rows_kept; /* number of rows that the sweep kept */
  int64_t *special_rows; /* up to CLA_WORK_ROWS_MOST of the kept rows: numbers of the rows of nodes, >= 1 */
  size_t special_row_count;    /* number of elements in special_rows */
  int64_t crosspoints_met;     /* number of nodes at which the traceback joined parts of the path */
  cla_crosspoint *crosspoints; /* up to CLA_WORK_CROSSPOINTS_MOST of these nodes, along the path */
  size_t crosspoint_count;     /* number of elements in crosspoints */
  cla_work_level *levels;      /* levels of the bounds that limited the sweep, in order */
  size_t level_count;          /* number of levels, at most CLA_LEVELS_MOST */
  cla_work_band *level_bands; /* remaining bands of each level, starting in row 0, at most CLA_WORK_BANDS_MOST
                                 per level */
  size_t level_band_count;    /* number of bands of all levels */
} cla_work;

#ifdef __cplusplus
}
#endif

#endif
