#ifndef HOST_STORE_ROW_FILE_H
#define HOST_STORE_ROW_FILE_H

#include "store/kept_row.h"
#include "store/sealed_file.h"

/* Special rows as files of a run's folder, one each: "row-NUMBER.clr". */

/* The kind of such a file, as sealed_kind's name: "ROW1", or with F of two pieces of gap costs "ROW2". */
const char *row_file_kind(const row_shape *shape);

/* The path of a row's file; the caller frees it. */
cla_status row_file_path(char **out, const char *folder, int64_t row, cla_error *error);

/* The row that a file of that name holds, or -1 if it is no row's name. */
int64_t row_file_number(const char *name);

/* Writes a row. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status row_file_write(const char *path, const sealed_kind *kind, const kept_row *row,
                          const row_shape *shape, cla_error *error);

/* Reads the row that `row->row` names, all of it, or without `nodes` what it says of itself: the best cell.
 * In both cases the whole file is checked. CLA_ERROR_INPUT says what is wrong with the file
 * (sealed_reader_open), CLA_ERROR_MEMORY. The caller frees the row in every case. */
cla_status row_file_read(kept_row *row, const char *path, const sealed_kind *kind, const row_shape *shape,
                         bool nodes, cla_error *error);

/* Threads that compress and write rows while the sweep goes on: a row each. */
typedef struct row_writer row_writer;

/* `folder` and the scoring of `shape` must outlive it; `threads` >= 1. CLA_ERROR_MEMORY. */
cla_status row_writer_create(row_writer **out, const char *folder, const sealed_kind *kind,
                             const row_shape *shape, int threads, cla_error *error);

/* Takes over the row's memory; *row keeps what it says of itself. As many rows may wait as there are threads,
 * or two; with more of them this waits. Several threads may call it. Returns what went wrong with an earlier
 * row. */
cla_status row_writer_put(row_writer *writer, kept_row *row, cla_error *error);

/* Waits until every row is on disk. Returns what went wrong, once and for all. */
cla_status row_writer_flush(row_writer *writer, cla_error *error);

/* Waits for the rows that are there and ends the threads. NULL is allowed. */
void row_writer_free(row_writer *writer);

#endif
