#ifndef HOST_CLI_BATCH_RECORDS_AHEAD_H
#define HOST_CLI_BATCH_RECORDS_AHEAD_H

#include "clalign/sequence_file.h"

/* The records of a file, read by a thread of its own while those before them are worked on. */
typedef struct records_ahead records_ahead;

/* Begins to read, with what is next in the file, which must outlive it and be left alone, about so many
 * letters ahead. NULL where there is no memory or thread for that: the caller reads by itself then. Only for
 * files that never let a reader wait. */
records_ahead *records_ahead_begin(cla_sequence_file *file, const cla_sequence_options *how,
                                   int64_t letters_most);

/* As cla_sequence_file_next. */
cla_status records_ahead_next(cla_sequence **out, records_ahead *ahead, cla_error *error);

/* NULL is allowed. */
void records_ahead_end(records_ahead *ahead);

#endif
