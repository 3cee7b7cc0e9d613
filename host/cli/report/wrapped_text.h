#ifndef HOST_CLI_REPORT_WRAPPED_TEXT_H
#define HOST_CLI_REPORT_WRAPPED_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Text as wide as the terminal. */

/* Columns of the terminal behind a descriptor, or `elsewhere` where there is none. */
int terminal_columns(int descriptor, int elsewhere);

/* A page whose lines are broken at spaces. */
typedef struct wrapped {
  FILE *file;
  int width;  /* of the page */
  int indent; /* of each line that follows a break */
  int column; /* where the last word ended; 0: nothing is on the line yet */
} wrapped;

/* Puts the words of a text, which are separated by spaces and ends of lines, after what is on the page. */
void wrapped_put(wrapped *page, const char *text);

/* Copies lines, breaking those that are too wide at a space; what is broken off is indented by `indent`. */
void wrapped_lines(FILE *file, const char *text, int width, int indent);

#endif
