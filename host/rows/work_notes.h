#ifndef HOST_ROWS_WORK_NOTES_H
#define HOST_ROWS_WORK_NOTES_H

#include "clalign/work.h"
#include "region/region.h"
#include "rows/special_rows.h"

/* Notes of the work that a run does (cla_align_options.keep_work). Their size has a limit that does not
 * depend on the matrix. Functions that get NULL as notes do nothing. */
typedef struct work_notes work_notes;

/* Makes notes for a matrix of that size. CLA_ERROR_MEMORY. */
cla_status work_notes_create(work_notes **out, int64_t rows, int64_t columns, cla_error *error);

/* NULL is allowed. */
void work_notes_free(work_notes *notes);

/* Notes that the sweep begins below row `row`, so that the cells computed above are not known. */
void work_notes_begin(work_notes *notes, int64_t row);

/* Notes that the strip was computed, in a region that has all columns and lies below row `above` of the
 * matrix. */
void work_notes_strip(work_notes *notes, const region_strip *strip, int64_t above);

/* Notes that the cells (i,j) with low <= j - i <= high were computed. */
void work_notes_diagonals(work_notes *notes, int64_t low, int64_t high);

/* A part of the cells that a level of the bounds has not excluded: in some rows, the cells (i,j) with low <=
 * j - i <= high. */
typedef struct work_level_part {
  const cla_bound_level *level;
  int number; /* index of the level among the levels that ran */
  int64_t row, rows, low, high;
} work_level_part;

void work_notes_level(work_notes *notes, const work_level_part *part);

/* Drops the noted levels, because the sweep does not use them. */
void work_notes_drop_levels(work_notes *notes);

/* Notes the kept rows of the sweep in which something was computed; NULL: no rows. Call it after all strips
 * are noted. */
void work_notes_rows(work_notes *notes, const special_rows *kept);

/* Notes that the path goes through the node. Nodes come in order from the path's end upwards. */
void work_notes_crosspoint(work_notes *notes, int64_t row, int64_t column);

/* Sets *out to all that was noted; NULL without notes. The caller frees *out with free(). CLA_ERROR_MEMORY.
 */
cla_status work_notes_finish(cla_work **out, const work_notes *notes, cla_error *error);

#endif
