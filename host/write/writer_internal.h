#ifndef HOST_WRITE_WRITER_INTERNAL_H
#define HOST_WRITE_WRITER_INTERNAL_H

#include "base/files.h"
#include "write/spooled_body.h"
#include "write/writer.h"

/* Tables with a row for each query and a column for each target: matrix and phylip. */
typedef struct pair_table pair_table;

/* True if the format is matrix or phylip. */
bool pair_table_wanted(cla_format format);

/* Opens a table; `columns` are columns of matrix_table. Errors: CLA_ERROR_OPTION (phylip for two files,
 * several columns), CLA_ERROR_MEMORY. */
cla_status pair_table_open(pair_table **out, cla_format format, const cla_write_options *how,
                           const column_list *columns, cla_error *error);

/* Adds the best of a prepared job's alignments; the records' numbers in their files give its row and column.
 * Errors: CLA_ERROR_MEMORY, CLA_ERROR_OPTION (a record is not from a file, or an identity is wanted but the
 * alignment has no path). */
cla_status pair_table_put(pair_table *table, const write_job *job, cla_error *error);

/* Writes the table. CLA_ERROR_MEMORY; CLA_ERROR_INPUT if a pair is missing, which phylip cannot express. */
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
  FILE *packed;        /* `stream`, if it compresses; else NULL */
  char *buffer;        /* buffer of the stream, if the writer opened the file */
  spooled_body *spool; /* records that wait for the head; NULL: the format needs none */
  pair_table *table;   /* NULL: the format is no table */
  target_names *names; /* NULL: targets with the same name may be different records */
  int64_t pairs, numbered;
};

/* Makes the job of one pair among many. */
write_job writer_pair_job(const cla_writer *writer, FILE *file, const cla_results *results);

/* Returns how the writer's next pair uses a target. */
target_use writer_target_use(const cla_writer *writer);

/* Adds the records of a prepared job to the waiting records. Errors as cla_writer_put. */
cla_status writer_put_spooled(cla_writer *writer, write_job *job, const cla_results *results,
                              cla_error *error);

/* Returns CLA_ERROR_OUTPUT if the stream has failed, by errno. */
cla_status writer_check_stream(const cla_writer *writer, cla_error *error);

#endif
