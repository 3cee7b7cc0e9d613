/* Reads lines of PAF. */

#include "path/paf_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text_number.h"

bool paf_line_split(paf_line *out, char *text) {
  int count = 0;
  *out = (paf_line){.cigar = NULL};
  for (char *rest = text, *field; (field = strsep(&rest, "\t")); count++) {
    if (count < PAF_COLUMNS)
      out->column[count] = field;
    else if (strncmp(field, "cg:Z:", 5) == 0)
      out->cigar = field + 5;
    else if (strncmp(field, "cs:Z:", 5) == 0)
      out->difference = field + 5;
    else if (strcmp(field, "tp:A:S") == 0)
      out->secondary = true;
  }
  out->query = out->column[0];
  out->target = out->column[5];
  return count >= PAF_COLUMNS;
}

bool paf_line_is_comment(const char *text) {
  int columns = 1;
  if (*text != '#') return *text == '\0';
  for (const char *at = strchr(text, '\t'); at && columns < PAF_COLUMNS; at = strchr(at + 1, '\t')) columns++;
  return columns < PAF_COLUMNS;
}

/* Counts the letters of the cs text from `text` on. */
static int64_t count_letters(const char *text) {
  int64_t count = 0;
  while (isalpha((unsigned char)text[count])) count++;
  return count;
}

/* Adds an intron such as ~ac123gt. Returns the text after it, or NULL. */
static const char *add_intron(path_operations *operations, bool *fits, const char *text, cla_status *status,
                              cla_error *error) {
  char *end = NULL;
  if (count_letters(text) != 2) return NULL;
  const long long length = strtoll(text + 2, &end, 10);
  if (!isdigit((unsigned char)text[2]) || count_letters(end) < 2) return NULL;
  *status = path_operations_add(operations, fits, 'N', length, error);
  return end + 2;
}

/* Adds an operation of cs. Returns the text after it; NULL: not an operation. */
static const char *add_difference(path_operations *operations, bool *fits, const char *text,
                                  cla_status *status, cla_error *error) {
  const char kind = *text++;
  char *end = NULL;
  if (kind == '~') return add_intron(operations, fits, text, status, error);
  if (kind == ':') {
    const long long length = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : 0;
    *status = path_operations_add(operations, fits, 'M', length, error);
    return end;
  }
  const int64_t letters = count_letters(text);
  if (kind == '*') {
    if (letters < 2) return NULL;
    *status = path_operations_add(operations, fits, 'M', 1, error);
    return text + 2;
  }
  const char operation = kind == '=' ? 'M' : kind == '+' ? 'I' : kind == '-' ? 'D' : '?';
  *status = path_operations_add(operations, fits, operation, letters, error);
  return text + letters;
}

cla_status paf_difference_read(path_operations *operations, bool *fits, const char *text, cla_error *error) {
  cla_status status = CLA_OK;
  *fits = true;
  path_operations_clear(operations);
  while (status == CLA_OK && *fits && text && *text)
    text = add_difference(operations, fits, text, &status, error);
  *fits = *fits && text;
  return status;
}

static cla_status bad(const char *what, cla_error *error) {
  return error_set(error, CLA_ERROR_INPUT, "%s", what);
}

static cla_status read_operations(path_operations *operations, const paf_line *line, cla_error *error) {
  bool fits = true;
  cla_status status = CLA_OK;
  if (!line->cigar && !line->difference)
    return bad("it has no path; align again with 'minimap2 -c' or the like, for the tag cg or cs", error);
  if (line->cigar)
    status = path_operations_read(operations, &fits, line->cigar, error);
  else
    status = paf_difference_read(operations, &fits, line->difference, error);
  if (status != CLA_OK || fits) return status;
  return bad(line->cigar ? "its CIGAR has an operation that PAF does not have; make the file again"
                         : "its tag cs cannot be read; make the file again",
             error);
}

/* Reads the region of one side from three columns: the record's length, and the region's begin and end. */
static cla_status read_region(int64_t region[3], char *const column[3], const char *side, cla_error *error) {
  for (int i = 0; i < 3; i++) region[i] = text_number(column[i]);
  if (region[0] < 0 || region[1] < 0 || region[2] < 0)
    return bad("it has no whole number where a length or position is due; make the file again", error);
  if (region[1] < region[2] && region[2] <= region[0]) return CLA_OK;
  return error_set(error, CLA_ERROR_INPUT,
                   "its %s region %lld-%lld is empty or not within %lld letters; make the file again", side,
                   (long long)region[1], (long long)region[2], (long long)region[0]);
}

cla_status paf_line_read_path(path_operations *operations, int64_t length[2], const paf_line *line,
                              cla_error *error) {
  int64_t query[3], target[3];
  const char *strand = line->column[4];
  const bool reverse = strcmp(strand, "-") == 0;
  cla_status status = read_region(query, line->column + 1, "query", error);
  if (status == CLA_OK) status = read_region(target, line->column + 6, "target", error);
  if (status == CLA_OK && !reverse && strcmp(strand, "+") != 0)
    return bad("it has neither + nor - as its fifth column; make the file again", error);
  if (status == CLA_OK) status = read_operations(operations, line, error);
  if (status != CLA_OK) return status;
  if (operations->query_letters != query[2] - query[1] || operations->target_letters != target[2] - target[1])
    return error_set(
        error, CLA_ERROR_INPUT,
        "its %s takes %lld query and %lld target letters, its region has %lld and %lld; make the file again",
        line->cigar ? "CIGAR" : "tag cs", (long long)operations->query_letters,
        (long long)operations->target_letters, (long long)(query[2] - query[1]),
        (long long)(target[2] - target[1]));
  length[0] = query[0];
  length[1] = target[0];
  operations->path.strand = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  operations->path.query_start = reverse ? query[0] - query[2] : query[1];
  operations->path.target_start = target[1];
  return CLA_OK;
}
