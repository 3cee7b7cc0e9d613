#ifndef HOST_WRITE_WRITER_INTERNAL_H
#define HOST_WRITE_WRITER_INTERNAL_H

#include "base/files.h"
#include "write/spooled_body.h"
#include "write/writer.h"

/* Tables with a row for each query and a column for each target: matrix and phylip. */
typedef struct pair_table pair_table;

/* Whether the format is matrix or phylip. */
bool pair_table_wanted(cla_format format);

/* `columns` are of matrix_table. CLA_ERROR_OPTION: phylip of two files, several columns. CLA_ERROR_MEMORY. */
cla_status pair_table_open(pair_table **out, cla_format format, const cla_write_options *how,
                           const column_list *columns, cla_error *error);

/* Adds the best of a prepared job's alignments, at the place that the numbers of the records in their files
 * say. CLA_ERROR_MEMORY; CLA_ERROR_OPTION: a record is of no file, or there is no path to tell from. */
cla_status pair_table_put(pair_table *table, const write_job *job, cla_error *error);

/* Writes the table. CLA_ERROR_MEMORY; CLA_ERROR_INPUT: a pair is missing, which phylip cannot say. */
cla_status pair_table_write(pair_table *table, FILE *file, cla_error *error);

/* NULL is allowed. */
void pair_table_free(pair_table *table);

/* An output of many pairs, for many_pairs.c and block_text.c. */
struct cla_writer {
  cla_format format;
  const format_entry *entry;
  char *command; /* on one line, or NULL */
  cla_write_options how;
  column_list columns; /* chosen columns, if the format has columns */
  atomic_file *file;   /* NULL: the stream is the caller's */
  FILE *stream;        /* what the output goes to */
  FILE *packed;        /* `stream`, if it compresses; else NULL */
  char *buffer;        /* buffer of the stream, if the writer opened the file */
  spooled_body *spool; /* NULL: nothing waits */
  pair_table *table;   /* NULL: the format is no table */
  target_names *names; /* NULL: targets of one name may be different records */
  int64_t pairs, numbered;
};

/* The job of one pair among many. */
write_job writer_pair_job(const cla_writer *writer, FILE *file, const cla_results *results);

/* How the writer's next pair uses a target. */
target_use writer_target_use(const cla_writer *writer);

/* Adds the records of a prepared job to those that wait. Errors as cla_writer_put. */
cla_status writer_put_spooled(cla_writer *writer, write_job *job, const cla_results *results,
                              cla_error *error);

/* CLA_ERROR_OUTPUT if the stream has failed, with errno as it was set. */
cla_status writer_check_stream(const cla_writer *writer, cla_error *error);

#endif
