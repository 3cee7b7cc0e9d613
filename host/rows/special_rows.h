#ifndef HOST_ROWS_SPECIAL_ROWS_H
#define HOST_ROWS_SPECIAL_ROWS_H

#include "rows/kept_row.h"
#include "runs/sealed_file.h"

/* A store of special rows, the kept rows of a matrix (CUDAlign 2.1, section 4.2). A row contains H, and the F
 * that enters the row below (rows/kept_row.h). Rows are in memory or in files of a folder. */

typedef struct special_rows special_rows;

/* The folder in which rows are kept as files. */
typedef struct row_folder {
  const char *path; /* must outlive the store */
  sealed_kind kind;
  int threads;                                /* number of threads that write rows; 0 means 1 */
  void (*note)(const char *text, void *user); /* receives notes about files that cannot be used; or NULL */
  void *note_user;
} row_folder;

/* Makes a store in memory for rows of that shape. shape->scoring must outlive the store. */
cla_status special_rows_create(special_rows **out, const row_shape *shape, cla_error *error);

/* Makes a store on disk. It contains the folder's rows whose files are sound. Threads write rows while the
 * region continues. */
cla_status special_rows_open(special_rows **out, const row_shape *shape, const row_folder *folder,
                             cla_error *error);
void special_rows_free(special_rows *rows);

/* Adds a part of a row, as the engine hands it out, but with rows and columns of the matrix. The parts of a
 * row come from left to right. Several threads may add parts of different rows simultaneously. */
cla_status special_rows_put(special_rows *rows, const region_row_part *part, cla_error *error);

/* Waits until all rows put so far are on disk. CLA_ERROR_OUTPUT if a row could not be written. */
cla_status special_rows_flush(special_rows *rows, cla_error *error);

/* Returns the last kept row above `row` that can be read, or -1. If the row is on disk, loads it into memory,
 * where it stays until it is dropped or stowed. A file that cannot be used is noted and skipped. */
int64_t special_rows_above(special_rows *rows, int64_t row);

/* Like special_rows_above, but returns -1 instead of loading a row. */
int64_t special_rows_loaded_above(const special_rows *rows, int64_t row);

/* True if rows are in memory only while they are used. */
bool special_rows_on_disk(const special_rows *rows);

/* Returns kept row `row`. Its number and best cell are always in memory; its values may be on disk only. */
const kept_row *special_rows_find(const special_rows *rows, int64_t row);

/* Sets the time (machine_seconds) from which kept_row.seconds counts. */
void special_rows_set_begin(special_rows *rows, double began);

/* Frees the memory of a row's values if the row is on disk. */
void special_rows_stow(special_rows *rows, int64_t row);

/* special_rows_count returns how many rows are kept. special_rows_at returns the matrix row of kept row
 * `index`; indices count from 0, from top to bottom. */
int64_t special_rows_count(const special_rows *rows);
int64_t special_rows_at(const special_rows *rows, int64_t index);

/* Sets *row to the last kept row such that this row and all earlier ones are complete, or to -1. Must be
 * called after the last row was put. CLA_ERROR_OUTPUT as special_rows_flush. */
cla_status special_rows_last_whole(int64_t *row, special_rows *rows, cla_error *error);

/* Returns the matrix column of the first node of every row. */
int64_t special_rows_column(const special_rows *rows);

/* Reads `count` nodes of kept row `row` from matrix column `column` on. Lines of `out` that are NULL are not
 * read. Nodes that were not computed get substitutes (kept_row_substitute), which are never above the true
 * values. */
void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, row_values out);

/* Finds the first run of computed nodes of kept row `row` from matrix column `column` on: *first to *last.
 * Returns false if there are none. */
bool special_rows_computed(const special_rows *rows, int64_t row, int64_t column, int64_t *first,
                           int64_t *last);

/* Sets *first and *last to the matrix columns of the first and the last computed node of kept row `row`. A
 * single node on the left border is ignored if other nodes follow. */
void special_rows_hull(const special_rows *rows, int64_t row, int64_t *first, int64_t *last);

/* Frees the kept rows from `row` on, unless rows are pinned. Files are not deleted. */
void special_rows_drop_from(special_rows *rows, int64_t row);

/* Pins the rows in memory, because they are read more than once. After this call, only special_rows_free
 * frees them. */
void special_rows_pin(special_rows *rows);

/* Replaces the rows `first` to `last` by those of `from`. Both stores must have the same shape and be in
 * memory, and the rows must be complete. Other rows may be put meanwhile. After CLA_ERROR_MEMORY, only some
 * of the rows are replaced. */
cla_status special_rows_take(special_rows *rows, special_rows *from, int64_t first, int64_t last,
                             cla_error *error);

/* True if row `row`, which both stores keep, has the same values in both. */
bool special_rows_same(const special_rows *rows, const special_rows *others, int64_t row);

/* Returns the bytes of memory that the kept rows take. */
int64_t special_rows_bytes(const special_rows *rows);

#endif
