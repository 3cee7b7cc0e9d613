#ifndef TESTS_DIFFERENTIAL_SHAPES_H
#define TESTS_DIFFERENTIAL_SHAPES_H

#include "differential/cases.h"

/* Pairs of letters of every shape that is known to be hard, or was. */

/* How many rows and columns the pair has, about, and of which letters: the first `plain` of them are what
 * sequences are made of, the others are ambiguous and rare. */
typedef struct shape_wish {
  int64_t rows, columns;
  const char *letters;
  int plain;
  bool ambiguous; /* some of the others are wanted */
  bool exact;     /* rows and columns are at the edge of a strip or tile, and hold */
} shape_wish;

/* Draws a shape, more often one whose ends differ, and makes the pair; returns the shape's name. */
const char *shape_draw(case_pair *pair, random_stream *stream, const shape_wish *wish);

#endif
