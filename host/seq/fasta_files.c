#include "clalign/sequence_file.h"

#include <ctype.h>
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

/* Writes one record. Returns false if a write failed; errno then contains the reason. *goes_on is false if
 * the user interrupted. */
static bool write_record(bool *goes_on, FILE *file, const cla_fasta_record *record,
                         bool (*interrupted)(void)) {
  bool written = fprintf(file, ">%s\n", record->name) >= 0;
  *goes_on = true;
  for (int64_t at = 0, line = 0; at < record->length && written && *goes_on; line++) {
    const size_t count = (size_t)smaller(CLA_FASTA_LINE_LETTERS, record->length - at);
    written = fwrite(record->letters + at, 1, count, file) == count && fputc('\n', file) != EOF;
    at += (int64_t)count;
    if (line % LINES_BETWEEN_QUESTIONS == 0) *goes_on = !interrupted || !interrupted();
  }
  return written && fflush(file) == 0;
}

/* Writes a record to a temporary file. The file gets its final name when the caller commits it. */
static cla_status write_file(atomic_file **out, const cla_fasta_record *record, bool (*interrupted)(void),
                             cla_error *error) {
  atomic_file *file = NULL;
  bool goes_on = true;
  cla_status status = check_name(record->name, error);
  if (status == CLA_OK) status = atomic_file_open(&file, record->path, error);
  if (status != CLA_OK) return status;
  if (!write_record(&goes_on, atomic_file_stream(file), record, interrupted))
    return atomic_file_commit(file, error); /* the commit reports the failure */
  *out = file;
  return goes_on ? CLA_OK
                 : error_set(error, CLA_ERROR_INTERRUPTED, "interrupted while %s was written", record->path);
}

cla_status cla_fasta_write(const cla_fasta_record *records, size_t count, bool (*interrupted)(void),
                           cla_error *error) {
  atomic_file **files = NULL;
  cla_status status = ALLOCATE_ZEROS(&files, (int64_t)count, "output files", error);
  for (size_t i = 0; i < count && status == CLA_OK; i++)
    status = write_file(&files[i], records + i, interrupted, error);
  for (size_t i = 0; i < count && status == CLA_OK; i++) {
    status = atomic_file_commit(files[i], error);
    files[i] = NULL;
  }
  for (size_t i = 0; files && i < count; i++) atomic_file_discard(files[i]);
  free(files);
  return status;
}
