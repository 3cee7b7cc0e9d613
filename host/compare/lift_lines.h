#ifndef HOST_COMPARE_LIFT_LINES_H
#define HOST_COMPARE_LIFT_LINES_H

#include <stdio.h>

#include "compare/lift_place.h"

#define LIFT_POSITION_MOST (INT64_C(1) << 40) /* more than any record has */

/* A file of annotations on its way. */
typedef struct lift_work {
  const cla_lift *map;
  const cla_lift_job *job;
  cla_lift_counts *counts;
  const char *shown;       /* the file's name in messages */
  int64_t number;          /* of the line, from 1 */
  FILE *lifted, *unlifted; /* unlifted: NULL where nobody wants them */
  const lift_record *last; /* of the feature before, or NULL */
  char *lost_name; /* the first feature's record that the map does not have; NULL: it had all. Owned */
} lift_work;

/* CLA_ERROR_INPUT: "line N of FILE WHAT". */
cla_status lift_report(const lift_work *work, int64_t number, const char *what, cla_error *error);

/* Finds the record of a feature, and counts the feature. *record is NULL, without an error, if the map has
 * none. CLA_ERROR_MEMORY. */
cla_status lift_work_record(const lift_record **record, lift_work *work, const char *name, cla_error *error);

/* A line of BED, which is altered. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status lift_bed_line(lift_work *work, char *line, cla_error *error);

/* Lines of GFF3 and GTF that wait for their parents. */
typedef struct lift_features lift_features;

/* CLA_ERROR_MEMORY. */
cla_status lift_features_open(lift_features **out, lift_work *work, cla_error *error);

/* Adds a line, which is altered. *end: no features follow. CLA_ERROR_INPUT, CLA_ERROR_MEMORY. */
cla_status lift_features_add(bool *end, lift_features *features, char *line, size_t length, cla_error *error);

/* Lifts and writes all lines that wait. CLA_ERROR_INPUT (parents in a circle), CLA_ERROR_MEMORY. */
cla_status lift_features_flush(lift_features *features, cla_error *error);

/* NULL is allowed. */
void lift_features_close(lift_features *features);

#endif
