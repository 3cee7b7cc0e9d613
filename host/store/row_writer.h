#ifndef HOST_STORE_ROW_WRITER_H
#define HOST_STORE_ROW_WRITER_H

#include "store/row_file.h"

/* A thread that compresses and writes rows while the sweep goes on. */
typedef struct row_writer row_writer;

/* Rows that may wait; the sweep waits only when there are more. */
#define ROW_WRITER_QUEUE 2

/* `folder` and the scoring of `shape` must outlive it. CLA_ERROR_MEMORY. */
cla_status row_writer_create(row_writer **out, const char *folder, const sealed_kind *kind,
                             const row_shape *shape, cla_error *error);

/* Takes over the row's memory; *row keeps what it says of itself. Returns what went wrong with an earlier
 * row. */
cla_status row_writer_put(row_writer *writer, kept_row *row, cla_error *error);

/* Waits until every row is on disk. Returns what went wrong, once and for all. */
cla_status row_writer_flush(row_writer *writer, cla_error *error);

/* Waits for the rows that are there and ends the thread. NULL is allowed. */
void row_writer_free(row_writer *writer);

#endif
