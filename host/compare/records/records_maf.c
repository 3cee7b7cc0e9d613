/* Reads records of MAF: blocks of two lines, one for the target and one for the query. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/text_number.h"
#include "compare/records/chain_text.h"
#include "compare/records/records_internal.h"

/* A line of MAF: "s name start size strand srcSize text". */
typedef struct maf_side {
  char *words[7];
  int64_t start, size, length;
} maf_side;

static bool take_maf_side(maf_side *out, char *line) {
  char *words[7];
  if (text_columns(words, 7, line) < 7) return false;
  for (int i = 0; i < 7; i++) out->words[i] = words[i];
  out->start = text_number(words[2]);
  out->size = text_number(words[3]);
  out->length = text_number(words[5]);
  const bool strand = strcmp(words[4], "+") == 0 || strcmp(words[4], "-") == 0;
  return strand && out->start >= 0 && out->size > 0 && out->start + out->size <= out->length;
}

/* Makes the path of two lines of letters and gaps. *fits: both have the same number of columns. */
static cla_status read_columns(path_operations *operations, bool *fits, const char *target, const char *query,
                               cla_error *error) {
  cla_status status = CLA_OK;
  path_operations_clear(operations);
  *fits = strlen(target) == strlen(query);
  for (size_t i = 0, next; *fits && target[i] && status == CLA_OK; i = next) {
    const bool no_target = target[i] == '-', no_query = query[i] == '-';
    for (next = i + 1;
         target[next] && (target[next] == '-') == no_target && (query[next] == '-') == no_query;)
      next++;
    if (no_target && no_query) continue;
    status = records_add(operations, fits,
                         no_target  ? 'I'
                         : no_query ? 'D'
                                    : 'M',
                         (int64_t)(next - i), error);
  }
  return status;
}

/* Copies the query's letters without gaps, to be checked later. */
static cla_status keep_letters(char **out, const char *text, cla_error *error) {
  cla_status status = allocate_text(out, text, error);
  if (status != CLA_OK) return status;
  char *at = *out;
  for (; *text; text++)
    if (*text != '-') *at++ = *text;
  *at = '\0';
  return CLA_OK;
}

/* Makes a record of a block of two lines. */
static cla_status take_maf(cla_aligned_record *record, const maf_side *target, const maf_side *query,
                           cla_aligned_records *file, cla_error *error) {
  bool fits = true;
  cla_status status = read_columns(&file->operations, &fits, target->words[6], query->words[6], error);
  if (status == CLA_OK) status = records_set_names(record, query->words[1], target->words[1], error);
  if (status != CLA_OK) return status;
  if (!fits || file->operations.query_letters != query->size ||
      file->operations.target_letters != target->size)
    return records_damaged("its lines have other numbers of letters than they say", error);
  if (target->words[4][0] == '-') return records_damaged("its target is on the reverse strand", error);
  record->length[0] = query->length;
  record->length[1] = target->length;
  record->path.strand = query->words[4][0] == '-' ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  record->path.query_start = query->start;
  record->path.target_start = target->start;
  status = keep_letters(&record->letters, query->words[6], error);
  return status == CLA_OK ? records_take_path(record, file, error) : status;
}

/* Copies the next line of letters. *out is NULL at the end, or if `within` is true at the next block. */
static cla_status next_letters(char **out, cla_aligned_records *file, bool within, cla_error *error) {
  char *line = NULL;
  *out = NULL;
  do {
    cla_status status = records_next_line(&line, file, error);
    if (status != CLA_OK || !line || (within && *line == 'a')) return status;
  } while (*line != 's');
  return allocate_text(out, line, error);
}

cla_status records_next_maf(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error) {
  maf_side target, query;
  char *lines[2] = {NULL, NULL};
  cla_status status = next_letters(&lines[0], file, false, error);
  *found = status == CLA_OK && lines[0];
  file->number = file->line;
  if (*found) status = next_letters(&lines[1], file, true, error);
  if (*found && status == CLA_OK) {
    if (lines[1] && take_maf_side(&target, lines[0]) && take_maf_side(&query, lines[1]))
      status = take_maf(record, &target, &query, file, error);
    else
      status = records_damaged("its block has no two lines 's' with a region within their records", error);
  }
  free(lines[0]);
  free(lines[1]);
  return status;
}
