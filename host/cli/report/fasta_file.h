#ifndef HOST_CLI_REPORT_FASTA_FILE_H
#define HOST_CLI_REPORT_FASTA_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "clalign/status.h"

/* A FASTA file that appears under its name when it is complete: written to a temporary file beside it. */
typedef struct fasta_file {
  const char *path; /* not owned */
  char *temporary;  /* NULL when `path` is no regular file and is written directly */
  FILE *file;
} fasta_file;

/* Writes one record with lines of 60 letters into a zeroed `out`; nothing stands under `path` yet.
 * CLA_ERROR_OUTPUT names the path; CLA_ERROR_INTERRUPTED after a signal. */
cla_status fasta_file_write(fasta_file *out, const char *path, const char *name, const char *letters,
                            int64_t length, cla_error *error);

/* Puts the complete file under its name. */
cla_status fasta_file_commit(fasta_file *out, cla_error *error);

/* Removes what was not committed; a zeroed one is allowed. */
void fasta_file_discard(fasta_file *out);

#endif
