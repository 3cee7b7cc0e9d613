#include "cli/report/progress_bar.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/report/report.h"

#define FREE_COLUMNS 3 /* columns left free, because a full line wraps and ^C is printed after it */
#define BAR_LIMIT 40   /* longest bar in columns */
#define TEXT_SIZE 256
#define DAYS_FROM (2 * 86400) /* seconds */

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

void progress_duration(char *text, size_t size, double seconds) {
  double limit = 1e9;
  long long whole = (long long)((seconds < limit ? seconds : limit) + 0.5);
  if (whole < 60)
    snprintf(text, size, "%lld s", whole);
  else if (whole < 3600)
    snprintf(text, size, "%lld min %02lld s", whole / 60, whole % 60);
  else if (whole >= DAYS_FROM)
    snprintf(text, size, "%lld days %02lld h", whole / 86400, whole % 86400 / 3600);
  else
    snprintf(text, size, "%lld h %02lld min", whole / 3600, whole % 3600 / 60);
}

/* The words of a line, in order. A narrow terminal shows only the words with the lowest ranks. */
typedef struct words {
  char text[5][64];
  int rank[5];
  int count;
} words;

static void add_words(words *line, int rank, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line->text[line->count], sizeof line->text[0], format, arguments);
  va_end(arguments);
  line->rank[line->count++] = rank;
}

/* Joins the words whose rank is at most `most`. Returns the length of the text. */
static int join_words(char *text, size_t size, const words *line, int most) {
  int used = 0;
  text[0] = '\0';
  for (int i = 0; i < line->count; i++)
    if (line->rank[i] <= most)
      used += snprintf(text + used, size - (size_t)used, "%s%s", used > 0 ? "  " : "", line->text[i]);
  return used;
}

/* Writes a line such as "forward sweep 42 % 8.41 GCUPS 3.10 raw 63 % passed over 12 s left", cut to
 * `columns`. GCUPS counts all cells that are done; raw counts only the computed ones. */
static void describe(char *text, size_t size, int columns, const progress_bar *bar,
                     const cla_progress *progress) {
  const double seconds = progress->seconds - bar->stage_began_seconds;
  const double done = (double)progress->cells_done, passed_over = (double)progress->cells_passed_over;
  words line = {.count = 0};
  add_words(&line, 0, "%s  %3d %%", progress->stage, (int)(progress->fraction * 100));
  if (seconds > 0 && done > 0) add_words(&line, 2, "%.2f GCUPS", done / seconds / 1e9);
  if (seconds > 0 && done > 0 && passed_over > 0) {
    add_words(&line, 4, "%.2f raw", (done - passed_over) / seconds / 1e9);
    add_words(&line, 3, "%d %% passed over", (int)(100 * passed_over / done));
  }
  if (progress->seconds_left >= 0) {
    char left[40];
    progress_duration(left, sizeof left, progress->seconds_left);
    add_words(&line, 1, "%s left", left);
  }
  for (int most = 4; join_words(text, size, &line, most) > columns && most > 0;) most--;
}

bool progress_bar_due(progress_bar *bar, double seconds, double line_seconds) {
  const double interval = bar->style == PROGRESS_BAR ? CLA_PROGRESS_SECONDS : line_seconds;
  if (bar->style == PROGRESS_NONE || seconds - bar->drawn_seconds < interval) return false;
  bar->drawn_seconds = seconds;
  return true;
}

void progress_bar_show(progress_bar *bar, const char *line, int free_columns) {
  if (bar->style != PROGRESS_BAR) {
    fprintf(stderr, "clalign: %s\n", line);
    return;
  }
  const int columns = terminal_columns(STDERR_FILENO, PROGRESS_COLUMNS) - free_columns;
  const int room = columns > 0 ? columns : 0, length = (int)strlen(line);
  const int width = length < room ? length : room;
  const int rest = bar->drawn_width > width && bar->drawn_width <= room ? bar->drawn_width - width : 0;
  fprintf(stderr, "\r%.*s%*s", width, line, rest, "");
  fflush(stderr);
  bar->drawn_width = width;
}

/* Draws the text, with a bar before it if there is room. */
static void draw(progress_bar *bar, double fraction, const char *text, int room) {
  char line[TEXT_SIZE + BAR_LIMIT + 8] = "", drawn[BAR_LIMIT + 1] = "";
  int columns = room - (int)strlen(text) - 4;
  if (columns > BAR_LIMIT) columns = BAR_LIMIT;
  if (columns >= 8) {
    memset(drawn, '.', (size_t)columns);
    memset(drawn, '#', (size_t)(fraction * columns));
    snprintf(line, sizeof line, "[%s]  ", drawn);
  }
  strcat(line, text);
  progress_bar_show(bar, line, FREE_COLUMNS);
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
  if (draws && stage_changed)
    bar->drawn_seconds = progress->seconds;
  else if (!progress_bar_due(bar, progress->seconds, PROGRESS_LINE_SECONDS))
    return true;
  cla_progress shown = *progress;
  if (!(shown.fraction >= 0)) shown.fraction = 0;
  if (shown.fraction > 1) shown.fraction = 1;
  char text[TEXT_SIZE];
  const int room = draws ? terminal_columns(STDERR_FILENO, PROGRESS_COLUMNS) - FREE_COLUMNS : TEXT_SIZE;
  describe(text, sizeof text, room, bar, &shown);
  if (draws)
    draw(bar, shown.fraction, text, room);
  else
    progress_bar_show(bar, text, 0);
  return true;
}

void progress_bar_clear(progress_bar *bar) {
  if (bar->drawn_width > 0) fprintf(stderr, "\r%*s\r", bar->drawn_width, "");
  bar->drawn_width = 0;
}
