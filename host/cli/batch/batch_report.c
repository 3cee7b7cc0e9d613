#include "cli/batch/batch_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/report/report.h"

#define TEXT_SIZE 256

void batch_report_init(batch_report *report, bool quiet) {
  *report = (batch_report){.total = -1};
  progress_bar_init(&report->bar, quiet);
}

/* Returns how bad an error is: a wrong result is worse than a lack of memory or devices, which is worse than
 * a bad input. */
static int badness(cla_status status) {
  switch (status) {
    case CLA_OK: return 0;
    case CLA_ERROR_INPUT: return 1;
    case CLA_ERROR_VERIFICATION: return 3;
    default: return 2;
  }
}

cla_status batch_report_worse(const batch_report *report, cla_status status) {
  return badness(status) > badness(report->worst) ? status : report->worst;
}

void batch_report_failure(batch_report *report, const batch_pair_name *name, cla_status status,
                          const cla_error *error) {
  cla_error line = {.status = status};
  progress_bar_clear(&report->bar);
  cli_error(&line, status, "%.1000s: %.1000s", name->text,
            error && error->message[0] ? error->message : cla_status_name(status));
  cli_finish(status, &line);
  report->failed++;
  /* an option that does not suit this pair is an error of the input, not of the options */
  report->worst = batch_report_worse(report, status == CLA_ERROR_OPTION ? CLA_ERROR_INPUT : status);
}

void batch_report_warn(batch_report *report, const char *text) {
  progress_bar_clear(&report->bar);
  cli_warn(text);
}

void batch_report_plan(batch_report *report, const char *text) {
  progress_bar_clear(&report->bar);
  fputs(text, stderr);
}

/* Returns the seconds without those spent on compiling kernels. */
static double working_seconds(const batch_report *report, const cla_batch_progress *progress) {
  return report->seconds + progress->seconds - report->build_seconds - progress->build_seconds;
}

/* Writes a progress line: "1234 of 100000 pairs  1 %  24.10 GCUPS  3 failed  12 s left". */
static void describe(char *text, size_t size, const batch_report *report,
                     const cla_batch_progress *progress) {
  const int64_t done = report->done_before + progress->pairs_done + report->replayed;
  const double seconds = working_seconds(report, progress);
  size_t used = (size_t)snprintf(text, size, "%" PRId64, done);
  if (report->total > 0)
    used += (size_t)snprintf(text + used, size - used, " of %" PRId64 " pairs  %3d %%", report->total,
                             (int)(100.0 * (double)done / (double)report->total));
  else
    used += (size_t)snprintf(text + used, size - used, done == 1 ? " pair" : " pairs");
  if (progress->building)
    used += (size_t)snprintf(text + used, size - used, "  compiling kernels, once for this machine");
  else if (seconds > 0)
    used += (size_t)snprintf(text + used, size - used, "  %.2f GCUPS",
                             (report->cells + progress->cells_done) / seconds / 1e9);
  if (report->failed > 0)
    used += (size_t)snprintf(text + used, size - used, "  %" PRId64 " failed", report->failed);
  if (progress->seconds_left >= 0) {
    char left[40];
    progress_duration(left, sizeof left, progress->seconds_left);
    snprintf(text + used, size - used, "  %s left", left);
  }
}

void batch_report_progress(batch_report *report, const cla_batch_progress *progress) {
  char text[TEXT_SIZE];
  if (!progress_bar_due(&report->bar, report->seconds + progress->seconds, PROGRESS_LINE_SECONDS)) return;
  describe(text, sizeof text, report, progress);
  progress_bar_show(&report->bar, text, 1); /* one column stays free, because a full line wraps */
}

void batch_report_add(batch_report *report, const cla_batch_progress *done) {
  report->cells += done->cells_done;
  report->seconds += done->seconds;
  report->build_seconds += done->build_seconds;
  report->done_before += done->pairs_done;
}

/* Prints the pairs without an alignment: "12 of them without an alignment of E-value 1e-06 or less
 * (--max-evalue)". */
static void print_without(const batch_run *run) {
  fprintf(stderr, ", %" PRId64 " of them without an alignment", run->report.without);
  if (run->cutoff.on) fprintf(stderr, " of E-value %g or less (--max-evalue)", run->cutoff.most);
}

static void print_pairs(const batch_run *run) {
  const batch_report *report = &run->report;
  if (run->how.best_of_group > 0)
    fprintf(stderr, "  pairs    %" PRId64 " scored, %" PRId64 " of them reported", report->done_before,
            report->written - report->without);
  else
    fprintf(stderr, "  pairs    %" PRId64 " aligned", report->written);
  if (report->without > 0 && run->how.best_of_group == 0) print_without(run);
  if (report->replayed > 0) fprintf(stderr, ", %" PRId64 " in an earlier run", report->replayed);
  if (report->failed > 0) fprintf(stderr, ", %" PRId64 " failed", report->failed);
}

static void print_time(const batch_run *run) {
  const batch_report *report = &run->report;
  const char *before = "";
  fprintf(stderr, "\n  time     %.2f s", report->seconds);
  const double working = report->seconds - report->build_seconds;
  if (working > 0) fprintf(stderr, ", %.3g cells, %.2f GCUPS", report->cells, report->cells / working / 1e9);
  fputs(" on ", stderr);
  if (!run->devices || run->how.align.host_cells > 0) {
    fputs("threads of the host", stderr);
    before = ", ";
  }
  for (int i = 0; run->devices && i < (int)run->devices->count; i++, before = ", ")
    fprintf(stderr, "%s%s", before, cla_device_describe(run->devices->items[i])->name);
  if (report->build_seconds >= BUILD_SHOWN)
    fprintf(stderr, "; %.2f s of that for kernels, compiled once for a machine", report->build_seconds);
  fputc('\n', stderr);
}

void batch_report_summary(const batch_run *run) {
  if (run->report.bar.style == PROGRESS_NONE) return;
  print_pairs(run);
  print_time(run);
}

cla_status batch_report_verdict(const batch_report *report, cla_error *error) {
  if (report->failed == 0) return CLA_OK;
  return cli_error(error, report->worst,
                   "%" PRId64 " of the pairs failed, which are named above; all others are done",
                   report->failed);
}
