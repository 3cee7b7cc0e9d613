/* Reads records of PAF. */

#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "compare/records/records_internal.h"
#include "path/paf_line.h"

static cla_status take_line(cla_aligned_record *record, cla_aligned_records *file, const paf_line *line,
                            cla_error *error) {
  path_operations *operations = &file->operations;
  cla_status status = paf_line_read_path(operations, record->length, line, error);
  if (status != CLA_OK) return status;
  record->secondary = line->secondary;
  record->path = (cla_path){.strand = operations->path.strand,
                            .query_start = operations->path.query_start,
                            .target_start = operations->path.target_start};
  if (line->cigar && strpbrk(line->cigar, "=X")) status = allocate_text(&record->cigar, line->cigar, error);
  if (status == CLA_OK && line->difference)
    status = allocate_text(&record->difference, line->difference, error);
  return status == CLA_OK ? records_take_path(record, file, error) : status;
}

/* Reads the columns of the next line that has a place. *found is false at the end. */
static cla_status next_columns(paf_line *out, bool *found, bool *complete, cla_aligned_records *file,
                               cla_error *error) {
  char *line = NULL;
  size_t letters = 0;
  *found = false;
  for (;;) {
    cla_status status = records_line(&line, &letters, file, error);
    if (status != CLA_OK || !line) return status;
    file->number = file->line;
    if (file->number == 1 && (*line == '>' || *line == '@'))
      return error_set(error, CLA_ERROR_INPUT,
                       "%s is %s; give the file of alignments first, then the queries and the targets",
                       file->shown, *line == '>' ? "FASTA" : "neither PAF nor a whole SAM file");
    file->comments += *line == '#' && paf_line_is_comment(line);
    if ((*line || letters == 0) && paf_line_is_comment(line)) continue;
    *complete = strlen(line) == letters && paf_line_split(out, line);
    *found = !*complete || strcmp(out->target, "*") != 0;
    if (*found) return CLA_OK;
    file->passed++;
  }
}

cla_status records_next_paf(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error) {
  paf_line line;
  bool complete = false;
  cla_status status = next_columns(&line, found, &complete, file, error);
  if (status != CLA_OK || !*found) return status;
  if (!complete)
    return error_set(
        error, CLA_ERROR_INPUT,
        "it has no 12 columns with tabs between, so this is no PAF; give PAF, SAM, BAM, chain, MAF or delta");
  status = records_set_names(record, line.query, line.target, error);
  return status == CLA_OK ? take_line(record, file, &line, error) : status;
}
