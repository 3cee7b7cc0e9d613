#ifndef HOST_ROWS_ROW_FILE_H
#define HOST_ROWS_ROW_FILE_H

#include "rows/kept_row.h"
#include "runs/sealed_file.h"

/* Special rows as files in a run's folder. Each row has a file "row-NUMBER.clr". */

/* Returns the name of the kind of a row's file (sealed_kind): "ROW1", or "ROW2" with two pieces of gap costs.
 */
const char *row_file_kind(const row_shape *shape);

/* Sets *out to the path of a row's file; the caller frees it. */
cla_status row_file_path(char **out, const char *folder, int64_t row, cla_error *error);

/* Returns the number of the row in a file with that name; -1: no row's file has such a name. */
int64_t row_file_number(const char *name);

/* Writes a row. CLA_ERROR_OUTPUT, CLA_ERROR_MEMORY. */
cla_status row_file_write(const char *path, const sealed_kind *kind, const kept_row *row,
                          const row_shape *shape, cla_error *error);

/* Reads row `row->row`: all of it or, without `nodes`, everything but its nodes. In both cases, the whole
 * file is checked. Errors: CLA_ERROR_INPUT, with a message that says what is wrong with the file
 * (sealed_reader_open); CLA_ERROR_MEMORY. The caller frees the row, also after an error. */
cla_status row_file_read(kept_row *row, const char *path, const sealed_kind *kind, const row_shape *shape,
                         bool nodes, cla_error *error);

/* Threads that compress and write rows while the sweep continues. Each thread writes one row at a time. */
typedef struct row_writer row_writer;

/* Starts `threads` >= 1 threads. `folder` and shape->scoring must outlive the writer. CLA_ERROR_MEMORY. */
cla_status row_writer_create(row_writer **out, const char *folder, const sealed_kind *kind,
                             const row_shape *shape, int threads, cla_error *error);

/* Queues a row to be written, and takes over the memory of its nodes. *row keeps its number and best cell.
 * As many rows may wait as there are threads, and at least two. If the queue is full, the call waits.
 * Several threads may call the function simultaneously. Returns the error of an earlier row, if any. */
cla_status row_writer_put(row_writer *writer, kept_row *row, cla_error *error);

/* Waits until every row is on disk. If a row could not be written, every call returns that row's error. */
cla_status row_writer_flush(row_writer *writer, cla_error *error);

/* Waits until the queued rows are written, then ends the threads. NULL is allowed. */
void row_writer_free(row_writer *writer);

#endif
