#ifndef HOST_ROWS_SPECIAL_ROWS_H
#define HOST_ROWS_SPECIAL_ROWS_H

#include "rows/kept_row.h"
#include "runs/sealed_file.h"

/* Special rows, which are the kept rows of a matrix (CUDAlign 2.1, section 4.2): H, and F entering the row
 * below (rows/kept_row.h). They are in memory or in files of a folder. */

typedef struct special_rows special_rows;

/* The folder of rows that are kept as files. */
typedef struct row_folder {
  const char *path; /* must outlive the rows */
  sealed_kind kind;
  int threads;                                /* threads that write rows; 0 means 1 */
  void (*note)(const char *text, void *user); /* takes notes about files that cannot be used; or NULL */
  void *note_user;
} row_folder;

/* Makes a store in RAM for rows of that shape, whose scoring must outlive them. */
cla_status special_rows_create(special_rows **out, const row_shape *shape, cla_error *error);

/* Makes a store on disk, with the sound rows of the folder. Threads write rows while the region goes on. */
cla_status special_rows_open(special_rows **out, const row_shape *shape, const row_folder *folder,
                             cla_error *error);
void special_rows_free(special_rows *rows);

/* Adds a part of a row as the engine hands it out, but with rows and columns of the matrix. Parts of a row
 * come from left to right. Threads may add parts of different rows at once. */
cla_status special_rows_put(special_rows *rows, const region_row_part *part, cla_error *error);

/* Waits until all rows that were put are on disk. CLA_ERROR_OUTPUT if one is not. */
cla_status special_rows_flush(special_rows *rows, cla_error *error);

/* The last kept matrix row above `row` that can be read, or -1. What lies on disk is brought into memory,
 * where it stays until the row is dropped or stowed; a file that cannot be used is noted and passed over. */
int64_t special_rows_above(special_rows *rows, int64_t row);

/* special_rows_above, or -1 if a row would have to be brought into memory for it. */
int64_t special_rows_loaded_above(const special_rows *rows, int64_t row);

/* Whether rows are in memory only while they are used. */
bool special_rows_on_disk(const special_rows *rows);

/* Kept row `row`. Its number and best cell are always there, its values perhaps not. */
const kept_row *special_rows_find(const special_rows *rows, int64_t row);

/* From when rows on disk count the run's seconds: machine_seconds. */
void special_rows_set_begin(special_rows *rows, double began);

/* Frees the memory of a row that is on disk. */
void special_rows_stow(special_rows *rows, int64_t row);

/* The kept rows, ascending: how many, and the matrix row of one, from 0 on. */
int64_t special_rows_count(const special_rows *rows);
int64_t special_rows_at(const special_rows *rows, int64_t index);

/* Once nothing is put any more: the last of the kept rows that are whole from the first one on, or -1.
 * CLA_ERROR_OUTPUT as for special_rows_flush. */
cla_status special_rows_last_whole(int64_t *row, special_rows *rows, cla_error *error);

/* The matrix column of the first node of every row. */
int64_t special_rows_column(const special_rows *rows);

/* Reads `count` nodes of kept row `row` from matrix column `column` on into the lines that are wanted. Nodes
 * that were not computed get substitutes (kept_row_substitute), which are never above the true values. */
void special_rows_read(const special_rows *rows, int64_t row, int64_t column, int64_t count, row_values out);

/* Finds the first computed nodes of kept row `row` from matrix column `column` on: *first to *last. False if
 * there are none. */
bool special_rows_computed(const special_rows *rows, int64_t row, int64_t column, int64_t *first,
                           int64_t *last);

/* The matrix columns from the first to the last computed node of kept row `row`, the left border's node left
 * out where it stands alone and others follow. */
void special_rows_hull(const special_rows *rows, int64_t row, int64_t *first, int64_t *last);

/* Frees the kept rows from `row` on, unless they are pinned. Their files stay. */
void special_rows_drop_from(special_rows *rows, int64_t row);

/* Keeps rows in RAM that are read more than once: from now on only special_rows_free frees them. */
void special_rows_pin(special_rows *rows);

/* Replaces rows `first` to `last` by those of `from`, which has the same shape and is in RAM, too. The rows
 * must be whole. Other rows may be put meanwhile. CLA_ERROR_MEMORY: some rows are replaced, the others are
 * not. */
cla_status special_rows_take(special_rows *rows, special_rows *from, int64_t first, int64_t last,
                             cla_error *error);

/* Whether row `row`, which both keep, has the same values in both. */
bool special_rows_same(const special_rows *rows, const special_rows *others, int64_t row);

/* Bytes that the kept rows take in RAM. */
int64_t special_rows_bytes(const special_rows *rows);

#endif
