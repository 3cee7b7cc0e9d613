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

/* What was read of a file. */
typedef struct track_reading {
  cla_records_plot *plot; /* NULL: lines are only checked */
  const char *path;
  int64_t number;         /* number of the line that was read last */
  int64_t features;       /* lines of features, also of kinds that are not drawn */
  int64_t drawn, unknown; /* features that are drawn; those of records that the plot does not have */
} track_reading;

static cla_status not_features(const track_reading *reading, cla_error *error) {
  return cli_error(error, CLA_ERROR_INPUT,
                   "line %lld of %.1024s is neither BED nor GFF; give --tracks a file of one of them",
                   (long long)reading->number, reading->path);
}

/* Adds the feature of a line. In GFF, whose third column is a word, all features but genes and pseudogenes
 * are skipped. */
static cla_status add_line(track_reading *reading, char *line, cla_error *error) {
  char *columns[COLUMNS_MOST];
  bool known = true;
  const int count = split(columns, line);
  const bool gff = count >= 8 && position_of(columns[1]) < 0;
  if (count < (gff ? 8 : 3)) return not_features(reading, error);
  reading->features++;
  if (gff && strcmp(columns[2], "gene") != 0 && strcmp(columns[2], "pseudogene") != 0) return CLA_OK;
  const int64_t begin = position_of(columns[gff ? 3 : 1]) - gff, end = position_of(columns[gff ? 4 : 2]);
  const char *strand = gff ? columns[6] : count > 5 ? columns[5] : "+";
  if (begin < 0 || end < begin) return not_features(reading, error);
  reading->drawn++;
  if (!reading->plot) return CLA_OK;
  cla_status status =
      cla_records_plot_add_feature(&known, reading->plot, columns[0], begin, end, *strand == '-', error);
  reading->unknown += !known;
  return status;
}

/* Checks what was read of the whole file. */
static cla_status check_all(const track_reading *reading, cla_error *error) {
  if (reading->features == 0)
    return cli_error(error, CLA_ERROR_INPUT, "%.1024s has no features; give --tracks a file of BED or GFF",
                     reading->path);
  if (reading->drawn == 0)
    return cli_error(error, CLA_ERROR_INPUT,
                     "%.1024s has no line of the type gene or pseudogene, which --tracks draws of GFF; give "
                     "one that has, or BED",
                     reading->path);
  if (reading->unknown == reading->drawn)
    return cli_error(error, CLA_ERROR_INPUT,
                     "no feature of %.1024s is of a record of the target; its names must be those of the "
                     "target's FASTA file",
                     reading->path);
  return CLA_OK;
}

static cla_status read_lines(track_reading *reading, cla_lines *lines, cla_error *error) {
  char *line = NULL;
  size_t length;
  cla_status status = CLA_OK;
  while (status == CLA_OK) {
    status = cla_lines_next(&line, &length, lines, error);
    if (status != CLA_OK || !line) break;
    reading->number++;
    if (strncmp(line, "##FASTA", 7) == 0) break;
    if (*line == '>' && reading->features == 0) return not_features(reading, error);
    if (*line == '>') break;
    if (*line == '#' || *line == 0 || strncmp(line, "track", 5) == 0 || strncmp(line, "browser", 7) == 0)
      continue;
    status = add_line(reading, line, error);
  }
  return status == CLA_OK ? check_all(reading, error) : status;
}

cla_status feature_tracks_add(cla_records_plot *plot, const char *path, cla_error *error) {
  track_reading reading = {.plot = plot, .path = path};
  cla_lines *lines = NULL;
  cla_status status = cla_lines_open(&lines, path, error);
  if (status == CLA_OK) status = read_lines(&reading, lines, error);
  cla_lines_close(lines);
  return status;
}
