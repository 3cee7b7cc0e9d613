#ifndef CLALIGN_WORK_H
#define CLALIGN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How an alignment's matrix was computed: what a picture of it shows (clalign/plot.h). It says nothing of the
 * result, and depends on device, kernel and budgets.
 *
 * Node (i,j) of the matrix stands after i letters of the query's range and j of the target's, on the strand
 * that was aligned and, of a circular record, in the rotation that was aligned. */

/* The most that is kept of each kind; what is more is left out evenly, or joined. */
#define CLA_WORK_BANDS_MOST 1024       /* bands */
#define CLA_WORK_ROWS_MOST 1024        /* special rows */
#define CLA_WORK_CROSSPOINTS_MOST 4096 /* crosspoints */

/* Levels of the bounds (docs/internals/bounds.md), those that were left out included. */
#define CLA_LEVELS_MOST 6

/* How large a level's chunks and buckets are. */
typedef enum cla_level_size { CLA_LEVEL_COARSE, CLA_LEVEL_MIDDLE, CLA_LEVEL_FINE } cla_level_size;

/* Whether a level ran, or why it was left out or given up. */
typedef enum cla_level_end {
  CLA_LEVEL_RAN = 0,
  CLA_LEVEL_UNLIKE = 1, /* the alignment found beforehand costs too much for bounds to say anything */
  CLA_LEVEL_TIME = 2,   /* it takes longer than it spares */
  CLA_LEVEL_MEMORY = 3, /* it takes more memory than there is */
  CLA_LEVEL_ENOUGH = 4  /* the level before has left hardly more than this one would */
} cla_level_end;

/* A level of the bounds, in which all levels before it have narrowed the matrix. */
typedef struct cla_bound_level {
  cla_level_size size; /* of its chunks and buckets */
  bool edits;          /* it finds cheap places by edits, not by seeds */
  cla_level_end end;   /* unless it ran, `left` means nothing */
  double left;         /* of the matrix, the part that it leaves, about */
  int64_t cells;       /* that it computed of optimal alignments, */
  int64_t exact_cells; /* of these in unlike stretches, which it passed exactly */
  double seconds;      /* wall time */
} cla_bound_level;

/* What a level left, of an alignment's work. */
typedef struct cla_work_level {
  cla_level_size size; /* as cla_bound_level */
  bool edits;          /* likewise */
  int64_t cells;       /* that it left */
  int64_t band_count;  /* of its bands in cla_work.level_bands, behind those of the level before */
} cla_work_level;

/* Consecutive rows of cells, and from the first to the last of their columns that the forward sweep computed:
 * it may have passed over some of these in some of the rows. */
typedef struct cla_work_band {
  int64_t row, rows;       /* the first one, and how many; at least 1 */
  int64_t column, columns; /* likewise; 0 columns: none */
} cla_work_band;

/* A node at which the path was put together from parts. */
typedef struct cla_crosspoint {
  int64_t row, column; /* of the node */
} cla_crosspoint;

/* Bands follow each other from row `unknown_rows` on; below the last one nothing was computed. Special rows
 * and crosspoints ascend. */
typedef struct cla_work {
  int64_t unknown_rows;        /* of the matrix' first rows, that a resumed run had computed before: it is not
                                * known which of their cells */
  int64_t cells;               /* that the sweep computed below these, at most those of the bands */
  cla_work_band *bands;        /* what it computed */
  size_t band_count;           /* how many bands there are */
  int64_t special_rows_kept;   /* rows that the sweep kept; of these: */
  int64_t *special_rows;       /* rows of nodes, at least 1 */
  size_t special_row_count;    /* how many there are */
  int64_t crosspoints_met;     /* nodes at which the traceback joined parts; of these: */
  cla_crosspoint *crosspoints; /* along the path */
  size_t crosspoint_count;     /* how many there are */
  cla_work_level *levels;      /* of the bounds that the sweep went by, in their order */
  size_t level_count;          /* how many there are, at most CLA_LEVELS_MOST */
  cla_work_band *level_bands;  /* what each of them left, from row 0 on, at most CLA_WORK_BANDS_MOST */
  size_t level_band_count;     /* of all levels */
} cla_work;

#ifdef __cplusplus
}
#endif

#endif
