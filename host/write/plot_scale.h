#ifndef HOST_WRITE_PLOT_SCALE_H
#define HOST_WRITE_PLOT_SCALE_H

#include <stdbool.h>
#include <stdint.h>

#include "clalign/alphabet.h"

/* Round numbers on an axis of letters. */
typedef struct plot_scale {
  int64_t step;     /* letters between two marks, 1, 2 or 5 times a power of ten */
  int64_t unit;     /* letters: 1, 1000 or 1000000 */
  int decimals;     /* that a mark needs in this unit */
  const char *name; /* of the unit: "bp", "kbp", "Mbp", "aa" or "letters" */
} plot_scale;

/* For positions `from` to `to` on so many points, with marks at least `least` points apart. */
plot_scale plot_scale_choose(int64_t from, int64_t to, double points, double least, cla_alphabet alphabet);

/* The smallest of 1, 2, 5, 10, 20 ... that is at least `least`. */
int64_t plot_round_number(double least);

#define PLOT_NUMBER_SIZE 48

/* A mark's text without its unit: "12", "1,250", "0.25". */
void plot_scale_text(char text[PLOT_NUMBER_SIZE], const plot_scale *scale, int64_t position);

/* A whole number with a comma between thousands. */
void plot_number_text(char text[PLOT_NUMBER_SIZE], int64_t number);

/* A share in percent: "87.63", with so many decimals that only a whole is 100. */
void plot_percent_text(char text[PLOT_NUMBER_SIZE], int64_t part, int64_t whole);

/* How wide a text is, about: as wide as DejaVu Sans, which is wider than most. */
double plot_text_width(const char *text, double size, bool bold);

/* Cuts the text, which has room for three more bytes, so that it is at most so wide, with an ellipsis at the
 * end of what was cut. */
void plot_text_fit(char *text, double size, bool bold, double width);

#endif
