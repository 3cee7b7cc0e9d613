/* Reads paths from PAF, plain or gzip. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clalign/lines.h"
#include "path/paf_line.h"
#include "path/path_read_internal.h"

/* A line, and what is sought. */
typedef struct paf_search {
  const path_wanted *wanted;
  int64_t number; /* 1-based line number */
  bool other;     /* a line aligns the pair on an unwanted strand */
} paf_search;

static cla_status report_line(const paf_search *search, const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "line %lld of %s: %s", (long long)search->number,
                   search->wanted->shown, what);
}

/* Reads the line's path, and compares it with the sequences' lengths. */
static cla_status read_line(path_operations *operations, const paf_search *search, const paf_line *line,
                            cla_error *error) {
  const cla_sequence *query = search->wanted->query, *target = search->wanted->target;
  cla_error why = {.status = CLA_OK};
  int64_t length[2];
  cla_status status = paf_line_read_path(operations, length, line, &why);
  if (status == CLA_ERROR_INPUT) return report_line(search, why.message, error);
  if (status != CLA_OK) *error = why;
  if (status != CLA_OK) return status;
  if (length[0] == cla_sequence_length(query) && length[1] == cla_sequence_length(target)) return CLA_OK;
  return report_line(
      search, "it tells other lengths than these sequences have; align them again, whole records", error);
}

/* Reads one line. If the line aligns the pair, with more pairs of letters than *best, its path becomes *best.
 */
static cla_status take_line(path_operations *best, path_operations *now, paf_search *search, char *text,
                            cla_error *error) {
  const path_wanted *wanted = search->wanted;
  paf_line line;
  if (!paf_line_split(&line, text))
    return report_line(search, "it has no 12 columns, so this is no PAF; give a PAF, SAM, BAM or .cla file",
                       error);
  if (!path_name_agrees(line.query, wanted->query) || !path_name_agrees(line.target, wanted->target))
    return CLA_OK;
  if (!path_strand_wanted(wanted->strand, strcmp(line.column[4], "-") == 0)) {
    search->other = true;
    return CLA_OK;
  }
  cla_status status = read_line(now, search, &line, error);
  if (status == CLA_OK) path_operations_keep(best, now);
  return status;
}

cla_status path_read_paf(cla_path *out, const path_wanted *wanted, cla_error *error) {
  path_operations best = {0}, now = {0};
  paf_search search = {.wanted = wanted};
  cla_lines *lines = NULL;
  char *text = NULL;
  size_t length = 0;
  cla_status status = CLA_OK;
  status = cla_lines_open(&lines, wanted->file, error);
  if (status == CLA_OK) status = cla_lines_next(&text, &length, lines, error);
  while (status == CLA_OK && text) {
    search.number++;
    if (!paf_line_is_comment(text)) status = take_line(&best, &now, &search, text, error);
    if (status == CLA_OK) status = cla_lines_next(&text, &length, lines, error);
  }
  if (status == CLA_OK && best.pairs == 0) status = path_report_none(wanted, search.other, error);
  cla_lines_close(lines);
  free(now.path.runs);
  if (status == CLA_OK)
    *out = best.path;
  else
    free(best.path.runs);
  return status;
}
