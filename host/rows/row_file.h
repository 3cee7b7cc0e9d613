#ifndef HOST_ROWS_ROW_FILE_H
#define HOST_ROWS_ROW_FILE_H

#include "rows/kept_row.h"
#include "runs/sealed_file.h"

/* Special rows as files of a run's folder, one each: "row-NUMBER.clr". */

/* The name of the kind of a row's file (sealed_kind): "ROW1", or "ROW2" with two pieces of gap costs. */
const char *row_file_kind(const row_shape *shape);

/* The path of a row's file; the caller frees it. */
cla_status row_file_path(char **out, const char *folder, int64_t row, cla_error *error);

/* The number of the row in a file of that name; -1: no row's file has such a name. */
int64_t row_file_number(const char *name);

/* Writes a row. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status row_file_write(const char *path, const sealed_kind *kind, const kept_row *row,
                          const row_shape *shape, cla_error *error);

/* Reads row `row->row`: all of it, or without `nodes` its best cell only. The whole file is checked in both
 * cases. CLA_ERROR_INPUT describes the file's fault (sealed_reader_open), CLA_ERROR_MEMORY. The caller frees
 * the row in every case. */
cla_status row_file_read(kept_row *row, const char *path, const sealed_kind *kind, const row_shape *shape,
                         bool nodes, cla_error *error);

/* Threads that compress and write rows while the sweep goes on: a row each. */
typedef struct row_writer row_writer;

/* `folder` and the scoring of `shape` must outlive it; `threads` >= 1. CLA_ERROR_MEMORY. */
cla_status row_writer_create(row_writer **out, const char *folder, const sealed_kind *kind,
                             const row_shape *shape, int threads, cla_error *error);

/* Takes over the row's memory; *row keeps its number and best cell. As many rows may wait as there are
 * threads, at least two. If more would, the call waits. Several threads may call it. Returns the error of an
 * earlier row. */
cla_status row_writer_put(row_writer *writer, kept_row *row, cla_error *error);

/* Waits until every row is on disk. Returns the error of a row, at every call. */
cla_status row_writer_flush(row_writer *writer, cla_error *error);

/* Waits until the waiting rows are written, and ends the threads. NULL is allowed. */
void row_writer_free(row_writer *writer);

#endif
