#ifndef HOST_WRITE_WRITER_INTERNAL_H
#define HOST_WRITE_WRITER_INTERNAL_H

#include "base/files.h"
#include "write/spooled_body.h"
#include "write/writer.h"

/* A table with a row for each query and a column for each target, for the formats matrix and phylip. */
typedef struct pair_table pair_table;

/* True if the format is matrix or phylip. */
bool pair_table_wanted(cla_format format);

/* Opens a table; `columns` are columns of matrix_table. Errors: CLA_ERROR_MEMORY; CLA_ERROR_OPTION for phylip
 * with two files, or for several columns. */
cla_status pair_table_open(pair_table **out, cla_format format, const cla_write_options *how,
                           const column_list *columns, cla_error *error);

/* Adds the best of a prepared job's alignments to the table, in the row and column of the records' numbers in
 * their files. Errors: CLA_ERROR_MEMORY; CLA_ERROR_OPTION if a record is not from a file, or if identities
 * are requested but the alignment has no path. */
cla_status pair_table_put(pair_table *table, const write_job *job, cla_error *error);

/* Writes the table. CLA_ERROR_MEMORY; CLA_ERROR_INPUT if a pair is missing in phylip, which has no missing
 * values. */
cla_status pair_table_write(pair_table *table, FILE *file, cla_error *error);

/* Frees the table; NULL is allowed. */
void pair_table_free(pair_table *table);

/* An output of many pairs, for many_pairs.c and block_text.c. */
struct cla_writer {
  cla_format format;
  const format_entry *entry;
  char *command; /* the command line without line ends, or NULL */
  cla_write_options how;
  column_list columns; /* chosen columns, if the format has columns */
  atomic_file *file;   /* NULL: the caller owns the stream */
  FILE *stream;        /* stream of the output */
  FILE *packed;        /* the same as `stream` if it compresses, else NULL */
  char *buffer;        /* buffer of the stream, if the writer opened the file */
  spooled_body *spool; /* records that wait for the head; NULL: records need not wait */
  pair_table *table;   /* NULL: the format is not a table */
  target_names *names; /* NULL: targets with the same name may be different records */
  int64_t pairs, numbered;
};

/* Makes the job for one pair of many. */
write_job writer_pair_job(const cla_writer *writer, FILE *file, const cla_results *results);

/* Returns the target_use for the writer's next pair. */
target_use writer_target_use(const cla_writer *writer);

/* Adds the records of a prepared job to the waiting records. Errors: those of cla_writer_put. */
cla_status writer_put_spooled(cla_writer *writer, write_job *job, const cla_results *results,
                              cla_error *error);

/* Returns CLA_ERROR_OUTPUT, with the reason from errno, if the stream has failed. */
cla_status writer_check_stream(const cla_writer *writer, cla_error *error);

#endif
