#include "clalign/sequence_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/files.h"

#define LINES_BETWEEN_QUESTIONS 1024

static cla_status check_name(const char *name, cla_error *error) {
  for (const char *letter = name; *letter; letter++)
    if (iscntrl((unsigned char)*letter))
      return error_set(error, CLA_ERROR_OPTION,
                       "the name of a FASTA record has a control character; leave it out");
  return CLA_OK;
}

/* Ends early where a write fails: committing the file then says why. */
static cla_status write_record(FILE *file, const cla_fasta_record *record, bool (*interrupted)(void),
                               cla_error *error) {
  errno = 0;
  bool written = fprintf(file, ">%s\n", record->name) >= 0;
  for (int64_t at = 0, line = 0; at < record->length && written; at += CLA_FASTA_LINE_LETTERS, line++) {
    const size_t count = (size_t)smaller(CLA_FASTA_LINE_LETTERS, record->length - at);
    if (interrupted && line % LINES_BETWEEN_QUESTIONS == 0 && interrupted())
      return error_set(error, CLA_ERROR_INTERRUPTED, "interrupted while %s was written", record->path);
    written = fwrite(record->letters + at, 1, count, file) == count && fputc('\n', file) != EOF;
  }
  return CLA_OK;
}

cla_status cla_fasta_write(const cla_fasta_record *records, size_t count, bool (*interrupted)(void),
                           cla_error *error) {
  atomic_file **files = NULL;
  cla_status status = allocate_zeros((void **)&files, (int64_t)count, sizeof *files, "output files", error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    status = check_name(records[i].name, error);
    if (status == CLA_OK) status = atomic_file_open(&files[i], records[i].path, error);
    if (status == CLA_OK)
      status = write_record(atomic_file_stream(files[i]), records + i, interrupted, error);
  }
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    status = atomic_file_commit(files[i], error);
    files[i] = NULL;
  }
  for (size_t i = 0; files && i < count; i++) atomic_file_discard(files[i]);
  free(files);
  return status;
}
