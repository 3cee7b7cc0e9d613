#ifndef HOST_CLI_REPORT_TUNE_REPORT_H
#define HOST_CLI_REPORT_TUNE_REPORT_H

#include <stdbool.h>

#include "clalign/tuner.h"

/* What 'clalign tune' says on stderr: on a terminal a line that is drawn over while it works; elsewhere, and
 * there too, a line for each class that is done. */
typedef struct tune_report {
  bool quiet, draws;
  double drawn_seconds;
  int drawn_width;
} tune_report;

void tune_report_init(tune_report *report, bool quiet);

/* A cla_tune_progress_function whose user pointer is a tune_report. */
void tune_report_update(const cla_tune_progress *progress, void *user);

/* Clears the line; to be called before anything else is printed. */
void tune_report_clear(tune_report *report);

/* The closing lines: what became of the candidates and classes. Failures are told even when quiet. */
void tune_report_summary(const tune_report *report, const cla_tune_summary *summary, const char *path);

#endif
