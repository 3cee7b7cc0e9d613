/* Reads files with alignments of other programs. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "compare/records/records_internal.h"
#include "seq/sequence_input.h"
#include "seq/sequence_internal.h"

cla_status cla_aligned_records_open(cla_aligned_records **out, const char *path, cla_error *error) {
  cla_aligned_records *file = NULL;
  const bool standard_input = strcmp(path, "-") == 0;
  cla_status status = ALLOCATE_ZEROS(&file, 1, "a file of alignments", error);
  *out = NULL;
  if (status != CLA_OK) return status;
  shown_text(file->shown, sizeof file->shown, standard_input ? "standard input" : path);
  quiet_htslib_begin();
  if (!standard_input && path_is_sam(path)) file->format = RECORDS_SAM;
  if (file->format == RECORDS_SAM) status = path_sam_open(&file->sam, path, file->shown, error);
  quiet_htslib_end();
  if (file->format != RECORDS_SAM) {
    status = cla_lines_open(&file->lines, path, error);
    if (status == CLA_OK) status = records_find_format(file, error);
  }
  if (status == CLA_OK)
    *out = file;
  else
    cla_aligned_records_close(file);
  return status;
}

void cla_aligned_records_close(cla_aligned_records *file) {
  if (!file) return;
  if (file->format == RECORDS_SAM) path_sam_close(&file->sam);
  cla_lines_close(file->lines);
  free(file->operations.path.runs);
  for (int side = 0; side < 2; side++) free(file->delta_name[side]);
  free(file);
}

int64_t cla_aligned_records_passed(const cla_aligned_records *file) {
  return file->passed;
}

int64_t cla_aligned_records_comments(const cla_aligned_records *file) {
  return file->comments;
}

bool cla_aligned_records_are_sam(const cla_aligned_records *file) {
  return file->format == RECORDS_SAM;
}

void cla_aligned_record_free(cla_aligned_record *record) {
  if (!record) return;
  for (int side = 0; side < 2; side++) free(record->name[side]);
  cla_path_free(&record->path);
  free(record->cigar);
  free(record->difference);
  free(record->letters);
  free(record);
}

cla_status cla_aligned_records_next(cla_aligned_record **out, cla_aligned_records *file, cla_error *error) {
  cla_status (*const next[])(cla_aligned_record *, bool *, cla_aligned_records *, cla_error *) = {
      [RECORDS_PAF] = records_next_paf,
      [RECORDS_SAM] = records_next_sam,
      [RECORDS_CHAIN] = records_next_chain,
      [RECORDS_MAF] = records_next_maf,
      [RECORDS_DELTA] = records_next_delta};
  cla_aligned_record *record = NULL;
  bool found = false;
  cla_status status = ALLOCATE_ZEROS(&record, 1, "an alignment", error);
  *out = NULL;
  if (status != CLA_OK) return status;
  status = next[file->format](record, &found, file, error);
  record->number = file->number;
  if (found)
    *out = record;
  else
    cla_aligned_record_free(record);
  return status;
}
