/* Functions that the readers of all formats share. */

#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "compare/records/records_internal.h"
#include "path/paf_line.h"

cla_status records_line(char **line, size_t *letters, cla_aligned_records *file, cla_error *error) {
  if (file->ahead) {
    *line = file->ahead;
    *letters = file->ahead_letters;
    file->ahead = NULL;
    return CLA_OK;
  }
  cla_status status = cla_lines_next(line, letters, file->lines, error);
  if (status == CLA_OK && *line) file->line++;
  return status;
}

cla_status records_next_line(char **line, cla_aligned_records *file, cla_error *error) {
  size_t letters = 0;
  cla_status status;
  do {
    status = records_line(line, &letters, file, error);
  } while (status == CLA_OK && *line && (**line == '\0' || **line == '#'));
  return status;
}

cla_status records_find_format(cla_aligned_records *file, cla_error *error) {
  char *line = NULL;
  size_t letters = 0;
  bool passed = false;
  cla_status status;
  do {
    status = records_line(&line, &letters, file, error);
    if (status == CLA_OK && line && strncmp(line, "##maf", 5) == 0) file->format = RECORDS_MAF;
    passed = status == CLA_OK && line && (*line || letters == 0) && paf_line_is_comment(line);
    file->comments += passed && letters > 0;
  } while (passed && file->format == RECORDS_PAF);
  if (status != CLA_OK || !line) return status;
  if (strncmp(line, "chain", 5) == 0 && (line[5] == ' ' || line[5] == '\t')) file->format = RECORDS_CHAIN;
  if (line[0] == 'a' && !strchr(line, '\t') && (line[1] == ' ' || !line[1])) file->format = RECORDS_MAF;
  if (strchr(line, ' ') && !strchr(line, '\t') && file->format == RECORDS_PAF) {
    status = records_line(&line, &letters, file, error);
    if (status != CLA_OK || !line) return status;
    if (strcmp(line, "NUCMER") == 0) file->format = RECORDS_DELTA;
    if (file->format == RECORDS_DELTA) return CLA_OK;
  }
  file->ahead = line;
  file->ahead_letters = letters;
  return CLA_OK;
}

cla_status records_damaged(const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "%s; make the file again", what);
}

cla_status records_set_names(cla_aligned_record *record, const char *query, const char *target,
                             cla_error *error) {
  cla_status status = allocate_text(&record->name[0], query, error);
  return status == CLA_OK ? allocate_text(&record->name[1], target, error) : status;
}

cla_status records_add(path_operations *operations, bool *fits, char operation, int64_t length,
                       cla_error *error) {
  if (!*fits || length == 0) return CLA_OK;
  return path_operations_add(operations, fits, operation, length, error);
}

cla_status records_take_path(cla_aligned_record *record, cla_aligned_records *file, cla_error *error) {
  const path_operations *from = &file->operations;
  cla_path *path = &record->path;
  const int64_t count = (int64_t)from->path.run_count;
  cla_status status = ALLOCATE_ARRAY(&path->runs, count, "a path", error);
  if (status != CLA_OK) return status;
  memcpy(path->runs, from->path.runs, (size_t)count * sizeof *path->runs);
  path->run_count = (size_t)count;
  const int64_t begin = path->query_start, end = begin + from->query_letters;
  const bool reverse = path->strand == CLA_STRAND_REVERSE;
  record->start[0] = reverse ? record->length[0] - end : begin;
  record->end[0] = reverse ? record->length[0] - begin : end;
  record->start[1] = path->target_start;
  record->end[1] = path->target_start + from->target_letters;
  return CLA_OK;
}
