#ifndef HOST_WRITE_WRITER_H
#define HOST_WRITE_WRITER_H

#include "clalign/write.h"

/* What every writer gets. Alignments that have a path fit their sequences (path_check_fit); all have one,
 * but for JSON. */
typedef struct write_job {
  FILE *file;
  const cla_alignment *const *alignments;
  size_t count;
  const cla_sequence *query, *target;
  const char *command; /* NULL: none */
} write_job;

/* The writers. Output errors are left in the stream's error flag, which the caller examines. Errors:
 * CLA_ERROR_MEMORY, CLA_ERROR_OPTION (what the format cannot hold; found before the first byte). */
cla_status write_json(const write_job *job, cla_error *error);
cla_status write_pair(const write_job *job, cla_error *error);
cla_status write_paf(const write_job *job, cla_error *error);
cla_status write_sam(const write_job *job, cla_error *error);
cla_status write_cigar(const write_job *job, cla_error *error);

#endif
