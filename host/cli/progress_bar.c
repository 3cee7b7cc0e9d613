#include "cli/progress_bar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli_interrupt.h"

#define BAR_INTERVAL_SECONDS 0.1
#define LINE_INTERVAL_SECONDS 10.0
#define DEFAULT_COLUMNS 80
#define BAR_LIMIT 40 /* longer bars show nothing more */
#define TEXT_SIZE 256

void progress_bar_init(progress_bar *bar, bool quiet) {
  memset(bar, 0, sizeof *bar);
  const char *terminal = getenv("TERM");
  bool can_draw = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
  bar->style = quiet ? PROGRESS_NONE : can_draw ? PROGRESS_BAR : PROGRESS_LINES;
}

void progress_bar_restart(progress_bar *bar) {
  progress_bar_clear(bar);
  *bar = (progress_bar){.style = bar->style};
}

static int terminal_columns(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return DEFAULT_COLUMNS;
}

void progress_duration(char *text, size_t size, double seconds) {
  double limit = 1e9;
  long long whole = (long long)((seconds < limit ? seconds : limit) + 0.5);
  if (whole < 60)
    snprintf(text, size, "%lld s", whole);
  else if (whole < 3600)
    snprintf(text, size, "%lld min %02lld s", whole / 60, whole % 60);
  else
    snprintf(text, size, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
}

/* "forward sweep  42 %  8.41 GCUPS  12 s left", of which a narrow terminal gets the first words. */
static void describe(char *text, size_t size, const progress_bar *bar, const cla_progress *progress) {
  double stage_seconds = progress->seconds - bar->stage_began_seconds;
  int used = snprintf(text, size, "%s  %3d %%", progress->stage, (int)(progress->fraction * 100));
  if (stage_seconds > 0 && progress->cells_done > 0)
    used += snprintf(text + used, size - (size_t)used, "  %.2f GCUPS",
                     (double)progress->cells_done / stage_seconds / 1e9);
  if (progress->seconds_left < 0) return;
  char left[64];
  progress_duration(left, sizeof left, progress->seconds_left);
  snprintf(text + used, size - (size_t)used, "  %s left", left);
}

/* The line with a bar before it where there is room, cut to the terminal's width less one, because a full
 * last column wraps. */
static void draw(progress_bar *bar, const cla_progress *progress, const char *text) {
  int room = terminal_columns() - 1;
  int bar_columns = room - (int)strlen(text) - 4;
  if (bar_columns > BAR_LIMIT) bar_columns = BAR_LIMIT;
  char line[TEXT_SIZE + BAR_LIMIT + 8];
  if (bar_columns >= 8) {
    int full = (int)(progress->fraction * bar_columns);
    char drawn[BAR_LIMIT + 1];
    memset(drawn, '.', (size_t)bar_columns);
    memset(drawn, '#', (size_t)full);
    drawn[bar_columns] = '\0';
    snprintf(line, sizeof line, "[%s]  %s", drawn, text);
  } else {
    snprintf(line, sizeof line, "%s", text);
  }
  if (room < 0) room = 0;
  int width = (int)strlen(line) < room ? (int)strlen(line) : room;
  int rest = bar->drawn_width > width && bar->drawn_width <= room ? bar->drawn_width - width : 0;
  fprintf(stderr, "\r%.*s%*s", width, line, rest, "");
  fflush(stderr);
  bar->drawn_width = width;
}

bool progress_bar_update(const cla_progress *progress, void *user) {
  progress_bar *bar = user;
  if (interrupt_requested()) return false;
  if (bar->style == PROGRESS_NONE) return true;
  bool stage_changed = strncmp(bar->stage, progress->stage, sizeof bar->stage - 1) != 0;
  if (stage_changed) {
    snprintf(bar->stage, sizeof bar->stage, "%s", progress->stage);
    bar->stage_began_seconds = progress->cells_done > 0 ? bar->seen_seconds : progress->seconds;
  }
  bar->seen_seconds = progress->seconds;
  bool draws = bar->style == PROGRESS_BAR;
  double interval = draws ? BAR_INTERVAL_SECONDS : LINE_INTERVAL_SECONDS;
  if (progress->seconds - bar->drawn_seconds < interval && !(draws && stage_changed)) return true;
  bar->drawn_seconds = progress->seconds;
  cla_progress shown = *progress;
  if (!(shown.fraction >= 0)) shown.fraction = 0;
  if (shown.fraction > 1) shown.fraction = 1;
  char text[TEXT_SIZE];
  describe(text, sizeof text, bar, &shown);
  if (draws)
    draw(bar, &shown, text);
  else
    fprintf(stderr, "clalign: %s\n", text);
  return true;
}

void progress_bar_clear(progress_bar *bar) {
  if (bar->drawn_width > 0) fprintf(stderr, "\r%*s\r", bar->drawn_width, "");
  bar->drawn_width = 0;
}
