#ifndef HOST_CLI_REPORT_PROGRESS_BAR_H
#define HOST_CLI_REPORT_PROGRESS_BAR_H

#include "clalign/align.h"

/* Progress on stderr. On a terminal, it is one line that is redrawn; elsewhere, a plain line every
 * PROGRESS_LINE_SECONDS; nothing if quiet. NO_COLOR needs no handling, because no colours are used. */

#define PROGRESS_LINE_SECONDS 10.0
#define PROGRESS_COLUMNS 80 /* width assumed for a terminal that does not report it */

typedef enum progress_style { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_BAR } progress_style;

typedef struct progress_bar {
  progress_style style;
  double drawn_seconds; /* time of the last drawing, by the clock of cla_progress */
  double seen_seconds;  /* time of the last call */
  char stage[64];       /* the stage that is drawn */
  double stage_began_seconds;
  int drawn_width; /* number of columns to clear */
} progress_bar;

void progress_bar_init(progress_bar *bar, bool quiet);

/* Resets the bar for another run, whose clock starts at 0. Keeps the style. */
void progress_bar_restart(progress_bar *bar);

/* A cla_progress_function whose user pointer is a progress_bar. Returns false after an interrupt. */
bool progress_bar_update(const cla_progress *progress, void *user);

/* True if the caller should show the next line. Plain lines are shown every `line_seconds`. */
bool progress_bar_due(progress_bar *bar, double seconds, double line_seconds);

/* Prints a line. On a terminal, redraws it, cut so that the last `free_columns` columns stay free. */
void progress_bar_show(progress_bar *bar, const char *line, int free_columns);

/* Clears the line. Must be called before other text is printed. */
void progress_bar_clear(progress_bar *bar);

/* Writes a duration: "8 s", "3 min 20 s", "2 h 05 min", "18 days 05 h". */
void progress_duration(char *text, size_t size, double seconds);

#endif
