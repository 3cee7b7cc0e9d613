#ifndef CLALIGN_WORK_H
#define CLALIGN_WORK_H

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
} cla_work;

#ifdef __cplusplus
}
#endif

#endif
