#ifndef HOST_WRITE_WRITER_INTERNAL_H
#define HOST_WRITE_WRITER_INTERNAL_H

#include "base/files.h"
#include "write/pair_table.h"
#include "write/spooled_body.h"
#include "write/writer.h"

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
