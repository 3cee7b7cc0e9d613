#ifndef HOST_COMPARE_LIFT_LINES_H
#define HOST_COMPARE_LIFT_LINES_H

#include <stdio.h>

#include "compare/lift/lift_place.h"

#define LIFT_POSITION_MOST (INT64_C(1) << 40) /* limit of positions, larger than any record */

/* The lifting of a file of annotations. */
typedef struct lift_work {
  const cla_lift *map;
  const cla_lift_job *job;
  cla_lift_counts *counts;
  const char *shown;       /* the file's name in messages */
  int64_t number;          /* line number, from 1 */
  FILE *lifted, *unlifted; /* unlifted: NULL if not wanted */
  const lift_record *last; /* record of the previous feature; NULL: none */
  char *lost_name;         /* name of the first feature's record that is not in the map; owned; NULL: none */
} lift_work;

/* Sets the error "line N of FILE WHAT". Returns CLA_ERROR_INPUT. */
cla_status lift_report(const lift_work *work, int64_t number, const char *what, cla_error *error);

/* Finds the record of a feature in the map, and counts the feature. *record is NULL, without an error, if the
 * map does not contain it. CLA_ERROR_MEMORY. */
cla_status lift_work_record(const lift_record **record, lift_work *work, const char *name, cla_error *error);

/* Lifts a line of BED; changes the text of `line`. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status lift_bed_line(lift_work *work, char *line, cla_error *error);

/* Lines of GFF3 and GTF that wait until their parents have been read. */
typedef struct lift_features lift_features;

/* Makes an empty list of lines. CLA_ERROR_MEMORY. */
cla_status lift_features_open(lift_features **out, lift_work *work, cla_error *error);

/* Adds a line; changes its text. *end: no further features follow. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status lift_features_add(bool *end, lift_features *features, char *line, size_t length, cla_error *error);

/* Lifts and writes all waiting lines. CLA_ERROR_INPUT if a feature is its own ancestor; CLA_ERROR_MEMORY. */
cla_status lift_features_flush(lift_features *features, cla_error *error);

/* Frees the list, which may be NULL. */
void lift_features_close(lift_features *features);

#endif
