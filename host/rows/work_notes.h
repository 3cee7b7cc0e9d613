#ifndef HOST_ROWS_WORK_NOTES_H
#define HOST_ROWS_WORK_NOTES_H

#include "clalign/work.h"
#include "region/region.h"
#include "rows/special_rows.h"

/* A run's notes of its work (cla_align_options.keep_work). Their size is bounded, whatever the matrix. Calls
 * with NULL do nothing. */
typedef struct work_notes work_notes;

/* Makes notes for a matrix of that size. CLA_ERROR_MEMORY. */
cla_status work_notes_create(work_notes **out, int64_t rows, int64_t columns, cla_error *error);

/* NULL is allowed. */
void work_notes_free(work_notes *notes);

/* Notes that the sweep begins below row `row`, so the cells computed above are not known. */
void work_notes_begin(work_notes *notes, int64_t row);

/* The strip was computed, in a region below row `above` of the matrix with all of its columns. */
void work_notes_strip(work_notes *notes, const region_strip *strip, int64_t above);

/* Cells (i,j) with low <= j - i <= high were computed. */
void work_notes_diagonals(work_notes *notes, int64_t low, int64_t high);

/* A part of the cells that a level of the bounds has left: in some rows, the cells (i,j) with
 * low <= j - i <= high. */
typedef struct work_level_part {
  const cla_bound_level *level;
  int number; /* among the levels that ran, from 0 */
  int64_t row, rows, low, high;
} work_level_part;

void work_notes_level(work_notes *notes, const work_level_part *part);

/* The sweep does not go by the levels that were noted. */
void work_notes_drop_levels(work_notes *notes);

/* The rows that the sweep has kept, where it computed something; NULL: none. After the strips. */
void work_notes_rows(work_notes *notes, const special_rows *kept);

/* The path goes through this node, from its end upwards. */
void work_notes_crosspoint(work_notes *notes, int64_t row, int64_t column);

/* All that was noted, to be freed with free(); NULL without notes. CLA_ERROR_MEMORY. */
cla_status work_notes_finish(cla_work **out, const work_notes *notes, cla_error *error);

#endif
