#include "cli/report/tune_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/options/letters_option.h"
#include "cli/report/progress_bar.h"

#define DRAW_SECONDS 0.1
#define LINE_SECONDS 30.0 /* where there is no terminal */
#define DEFAULT_COLUMNS 80

void tune_report_init(tune_report *report, bool quiet) {
  progress_bar bar;
  progress_bar_init(&bar, quiet);
  *report = (tune_report){.quiet = quiet, .draws = bar.style == PROGRESS_BAR};
}

void tune_report_clear(tune_report *report) {
  if (report->drawn_width > 0) fprintf(stderr, "\r%*s\r", report->drawn_width, "");
  report->drawn_width = 0;
}

static void draw(tune_report *report, const char *text) {
  struct winsize size;
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  const int room = (known ? size.ws_col : DEFAULT_COLUMNS) - 1; /* a full last column wraps */
  const int length = (int)strlen(text), width = length < room ? length : room;
  const int rest =
      report->drawn_width > width && report->drawn_width <= room ? report->drawn_width - width : 0;
  fprintf(stderr, "\r%.*s%*s", width, text, rest, "");
  fflush(stderr);
  report->drawn_width = width;
}

void tune_report_update(const cla_tune_progress *progress, void *user) {
  tune_report *report = user;
  char length[32], line[512], left[64] = "";
  if (progress->notice) {
    tune_report_clear(report);
    fprintf(stderr, "clalign: %s\n", progress->notice);
    return;
  }
  if (report->quiet) return;
  cli_letters_text(length, sizeof length, progress->length);
  if (progress->finished) {
    tune_report_clear(report);
    fprintf(stderr, "clalign: %-6s %5s  %s\n", progress->mode, length, progress->finished);
    return;
  }
  if (progress->seconds - report->drawn_seconds < (report->draws ? DRAW_SECONDS : LINE_SECONDS)) return;
  report->drawn_seconds = progress->seconds;
  if (progress->limit_seconds > 0) {
    const double seconds = progress->limit_seconds - progress->seconds;
    progress_duration(left, sizeof left, seconds > 0 ? seconds : 0);
    strncat(left, " left", sizeof left - strlen(left) - 1);
  }
  snprintf(line, sizeof line, "%d/%d %s %s  best %.2f GCUPS  %s  %s", progress->number, progress->count,
           progress->mode, length, progress->best_gcups, left, progress->activity);
  if (report->draws)
    draw(report, line);
  else
    fprintf(stderr, "clalign: %s\n", line);
}

void tune_report_summary(const tune_report *report, const cla_tune_summary *summary, const char *path) {
  const int64_t failed =
      summary->build_failed + summary->refused + summary->wrong + summary->hung + summary->crashed;
  if (!report->quiet) fprintf(stderr, "clalign: %" PRId64 " candidates measured\n", summary->measured);
  if (failed > 0)
    fprintf(stderr,
            "clalign: %" PRId64 " candidates skipped: %" PRId64 " do not build, %" PRId64
            " the device refused, %" PRId64 " gave wrong results, %" PRId64 " hung, %" PRId64 " crashed\n",
            failed, summary->build_failed, summary->refused, summary->wrong, summary->hung, summary->crashed);
  if (report->quiet) return;
  if (summary->classes_kept > 0)
    fprintf(stderr, "clalign: %d size classes were in the record before; --restart measures them again\n",
            summary->classes_kept);
  if (summary->classes_done > 0)
    fprintf(stderr, "clalign: %d size classes written to %s\n", summary->classes_done, path);
}
