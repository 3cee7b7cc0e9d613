/* Reads records of PAF: twelve columns, and then tags. The tag cg is the CIGAR, and cs the differences. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/text_number.h"
#include "compare/records/records_internal.h"

#define COLUMNS 12

typedef struct paf_columns {
  char *column[COLUMNS];
  const char *cigar, *difference; /* NULL: no such tag */
} paf_columns;

/* Splits a line at tabs. Returns false if it has too few columns. */
static bool split(paf_columns *out, char *line) {
  int count = 0;
  *out = (paf_columns){.cigar = NULL};
  for (char *rest = line, *field; (field = strsep(&rest, "\t")); count++) {
    if (count < COLUMNS)
      out->column[count] = field;
    else if (strncmp(field, "cg:Z:", 5) == 0)
      out->cigar = field + 5;
    else if (strncmp(field, "cs:Z:", 5) == 0)
      out->difference = field + 5;
  }
  return count >= COLUMNS;
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

cla_status records_read_difference(path_operations *operations, bool *fits, const char *text,
                                   cla_error *error) {
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

/* Reads the path from the tags into file->operations. */
static cla_status read_path(cla_aligned_record *record, cla_aligned_records *file, const paf_columns *line,
                            cla_error *error) {
  path_operations *operations = &file->operations;
  bool fits = true;
  cla_status status = CLA_OK;
  if (!line->cigar && !line->difference)
    return bad("it has no path; align again with 'minimap2 -c' or the like, for the tag cg or cs", error);
  if (line->cigar)
    status = path_operations_read(operations, &fits, line->cigar, error);
  else
    status = records_read_difference(operations, &fits, line->difference, error);
  if (status == CLA_OK && !fits)
    return bad(line->cigar ? "its CIGAR has an operation that PAF does not have; make the file again"
                           : "its tag cs cannot be read; make the file again",
               error);
  if (status == CLA_OK && line->cigar && strpbrk(line->cigar, "=X"))
    status = allocate_text(&record->cigar, line->cigar, error);
  if (status == CLA_OK && line->difference)
    status = allocate_text(&record->difference, line->difference, error);
  return status;
}

/* Sets the record from the columns and its path, and checks that they agree. */
static cla_status take_columns(cla_aligned_record *record, cla_aligned_records *file, const paf_columns *line,
                               cla_error *error) {
  char *const *column = line->column;
  int64_t from[2], to[2];
  for (int side = 0; side < 2; side++) {
    char *const *first = column + (side ? 6 : 1);
    record->length[side] = text_number(first[0]);
    from[side] = text_number(first[1]);
    to[side] = text_number(first[2]);
    if (record->length[side] < 0 || from[side] < 0 || to[side] < 0)
      return error_set(
          error, CLA_ERROR_INPUT,
          "columns %d to %d have no whole numbers as length, begin and end of the %s; make the file again",
          side ? 7 : 2, side ? 9 : 4, side ? "target" : "query");
    if (from[side] >= to[side] || to[side] > record->length[side])
      return error_set(error, CLA_ERROR_INPUT,
                       "its %s region %lld-%lld is empty or not within %lld letters; make the file again",
                       side ? "target" : "query", (long long)from[side], (long long)to[side],
                       (long long)record->length[side]);
  }
  const bool reverse = column[4][0] == '-';
  if ((column[4][0] != '+' && !reverse) || column[4][1])
    return bad("it has neither + nor - as its fifth column; make the file again", error);
  cla_status status = read_path(record, file, line, error);
  if (status != CLA_OK) return status;
  const path_operations *path = &file->operations;
  if (path->query_letters != to[0] - from[0] || path->target_letters != to[1] - from[1])
    return error_set(error, CLA_ERROR_INPUT,
                     "its CIGAR takes %lld query and %lld target letters, its region has %lld and %lld; make "
                     "the file again",
                     (long long)path->query_letters, (long long)path->target_letters,
                     (long long)(to[0] - from[0]), (long long)(to[1] - from[1]));
  record->path.strand = reverse ? CLA_STRAND_REVERSE : CLA_STRAND_FORWARD;
  record->path.query_start = reverse ? record->length[0] - to[0] : from[0];
  record->path.target_start = from[1];
  return records_take_path(record, file, error);
}

/* Reads the columns of the next line that has a place. *found is false at the end. */
static cla_status next_columns(paf_columns *out, bool *found, bool *complete, cla_aligned_records *file,
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
    if (*line == '#' || (*line == '\0' && letters == 0)) continue;
    *complete = strlen(line) == letters && split(out, line);
    *found = !*complete || strcmp(out->column[5], "*") != 0;
    if (*found) return CLA_OK;
    file->passed++;
  }
}

cla_status records_next_paf(cla_aligned_record *record, bool *found, cla_aligned_records *file,
                            cla_error *error) {
  paf_columns line;
  bool complete = false;
  cla_status status = next_columns(&line, found, &complete, file, error);
  if (status != CLA_OK || !*found) return status;
  if (!complete)
    return bad(
        "it has no 12 columns with tabs between, so this is no PAF; give PAF, SAM, BAM, chain, MAF or delta",
        error);
  status = allocate_text(&record->name[0], line.column[0], error);
  if (status == CLA_OK) status = allocate_text(&record->name[1], line.column[5], error);
  return status == CLA_OK ? take_columns(record, file, &line, error) : status;
}
