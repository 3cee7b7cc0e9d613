/* Reads features of BED and GFF files for a plot. */

#include <stdlib.h>
#include <string.h>

#include "clalign/lines.h"
#include "cli/report/compare_outputs.h"
#include "cli/report/report.h"

#define COLUMNS_MOST 9

/* Splits a line at tabs. Returns the number of columns, at most COLUMNS_MOST. */
static int split(char *columns[COLUMNS_MOST], char *line) {
  int count = 0;
  for (char *at = line; at && count < COLUMNS_MOST; count++) {
    columns[count] = at;
    at = strchr(at, '\t');
    if (at) *at++ = 0;
  }
  return count;
}

/* Returns the position that a text contains; -1: no position. */
static int64_t position_of(const char *text) {
  char *end;
  const long long value = strtoll(text, &end, 10);
  return *text && !*end && value >= 0 ? value : -1;
}

/* Adds the feature of a line. In GFF, whose third column is a word, all features but genes and pseudogenes
 * are skipped. */
static cla_status add_line(cla_records_plot *plot, char *line, bool *right, bool *known, cla_error *error) {
  char *columns[COLUMNS_MOST];
  const int count = split(columns, line);
  const bool gff = count >= 8 && position_of(columns[1]) < 0;
  *known = true;
  *right = count >= (gff ? 8 : 3);
  if (!*right || (gff && strcmp(columns[2], "gene") != 0 && strcmp(columns[2], "pseudogene") != 0))
    return CLA_OK;
  const int64_t begin = position_of(columns[gff ? 3 : 1]) - gff, end = position_of(columns[gff ? 4 : 2]);
  const char *strand = gff ? columns[6] : count > 5 ? columns[5] : "+";
  *right = begin >= 0 && end >= begin;
  if (!*right) return CLA_OK;
  return cla_records_plot_add_feature(known, plot, columns[0], begin, end, *strand == '-', error);
}

static cla_status read_lines(cla_records_plot *plot, cla_lines *lines, const char *path, cla_error *error) {
  char *line = NULL;
  size_t length;
  int64_t number = 0, unknown = 0, features = 0;
  cla_status status = CLA_OK;
  while (status == CLA_OK) {
    bool right, known;
    status = cla_lines_next(&line, &length, lines, error);
    if (status != CLA_OK || !line) break;
    number++;
    if (strncmp(line, "##FASTA", 7) == 0 || *line == '>') break;
    if (*line == '#' || *line == 0 || strncmp(line, "track", 5) == 0 || strncmp(line, "browser", 7) == 0)
      continue;
    status = add_line(plot, line, &right, &known, error);
    if (status == CLA_OK && !right)
      return cli_error(error, CLA_ERROR_INPUT,
                       "line %lld of %.1024s is neither BED nor GFF; give --tracks a file of one of them",
                       (long long)number, path);
    features++;
    unknown += !known;
  }
  if (status == CLA_OK && features > 0 && unknown == features)
    return cli_error(error, CLA_ERROR_INPUT,
                     "no feature of %.1024s is of a record of the target; its names must be those of the "
                     "target's FASTA file",
                     path);
  return status;
}

cla_status feature_tracks_add(cla_records_plot *plot, const char *path, cla_error *error) {
  cla_lines *lines = NULL;
  cla_status status = cla_lines_open(&lines, path, error);
  if (status == CLA_OK) status = read_lines(plot, lines, path, error);
  cla_lines_close(lines);
  return status;
}
