/* Reads paths from PAF, plain or gzip. A line has twelve columns, then tags; the tag cg:Z is the CIGAR. */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text_number.h"
#include "clalign/lines.h"
#include "path/path_read_internal.h"

#define COLUMNS 12

typedef struct paf_line {
  const path_wanted *wanted;
  int64_t number; /* 1-based line number */
  char *column[COLUMNS];
  const char *cigar; /* value of the tag cg:Z; NULL: the line has no such tag */
} paf_line;

static cla_status report_line(const paf_line *line, const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "line %lld of %s %s", (long long)line->number, line->wanted->shown,
                   what);
}

/* Splits the line at tabs. Returns false if it has fewer than COLUMNS columns. */
static bool split(paf_line *line, char *text) {
  int count = 0;
  line->cigar = NULL;
  for (char *rest = text, *field; (field = strsep(&rest, "\t"));) {
    if (count < COLUMNS) line->column[count] = field;
    count++;
    if (count > COLUMNS && strncmp(field, "cg:Z:", 5) == 0) line->cigar = field + 5;
  }
  return count >= COLUMNS;
}

/* Reads the line's path, and compares it with the line's columns and the sequences' lengths. */
static cla_status read_line(path_operations *operations, const paf_line *line, cla_error *error) {
  const cla_sequence *query = line->wanted->query, *target = line->wanted->target;
  char *const *column = line->column;
  const int64_t query_start = text_number(column[2]), query_end = text_number(column[3]),
                target_start = text_number(column[7]), target_end = text_number(column[8]);
  bool fits;
  if (text_number(column[1]) != cla_sequence_length(query) ||
      text_number(column[6]) != cla_sequence_length(target))
    return report_line(line, "tells other lengths than these sequences have; align them again, whole records",
                       error);
  if (!line->cigar)
    return report_line(line, "has no CIGAR (tag cg:Z); align again with 'minimap2 -c' or the like", error);
  cla_status status = path_operations_read(operations, &fits, line->cigar, error);
  if (status != CLA_OK) return status;
  if (!fits || query_start < 0 || target_start < 0 || query_end > cla_sequence_length(query) ||
      target_end > cla_sequence_length(target) || operations->query_letters != query_end - query_start ||
      operations->target_letters != target_end - target_start)
    return report_line(line, "is damaged: its CIGAR does not lead from its starts to its ends; make it again",
                       error);
  const bool reverse = line->column[4][0] == '-';
  operations->path.strand = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  operations->path.query_start = reverse ? cla_sequence_length(query) - query_end : query_start;
  operations->path.target_start = target_start;
  return CLA_OK;
}

/* Reads one line. If the line aligns the pair, with more pairs of letters than *best, its path becomes *best.
 * Sets *other if the line aligns the pair on an unwanted strand. */
static cla_status take_line(path_operations *best, path_operations *now, bool *other, paf_line *line,
                            char *text, cla_error *error) {
  const path_wanted *wanted = line->wanted;
  if (!split(line, text))
    return report_line(line, "has no 12 columns, so this is no PAF; give a PAF, SAM, BAM or .cla file",
                       error);
  if (!path_name_agrees(line->column[0], wanted->query) || !path_name_agrees(line->column[5], wanted->target))
    return CLA_OK;
  const bool reverse = strcmp(line->column[4], "-") == 0;
  if (!reverse && strcmp(line->column[4], "+") != 0) return CLA_OK;
  if (!path_strand_wanted(wanted->strand, reverse)) {
    *other = true;
    return CLA_OK;
  }
  cla_status status = read_line(now, line, error);
  if (status == CLA_OK) path_operations_keep(best, now);
  return status;
}

cla_status path_read_paf(cla_path *out, const path_wanted *wanted, cla_error *error) {
  path_operations best = {0}, now = {0};
  paf_line line = {.wanted = wanted};
  bool other = false;
  cla_lines *lines = NULL;
  char *text = NULL;
  size_t length = 0;
  cla_status status = CLA_OK;
  status = cla_lines_open(&lines, wanted->file, error);
  if (status == CLA_OK) status = cla_lines_next(&text, &length, lines, error);
  while (status == CLA_OK && text) {
    line.number++;
    if (*text) status = take_line(&best, &now, &other, &line, text, error);
    if (status == CLA_OK) status = cla_lines_next(&text, &length, lines, error);
  }
  if (status == CLA_OK && best.pairs == 0) status = path_report_none(wanted, other, error);
  cla_lines_close(lines);
  free(now.path.runs);
  if (status == CLA_OK)
    *out = best.path;
  else
    free(best.path.runs);
  return status;
}
