#ifndef TESTS_DIFFERENTIAL_SCHEMES_H
#define TESTS_DIFFERENTIAL_SCHEMES_H

#include "differential/cases.h"

/* A score scheme with the letters it is for. */
typedef struct drawn_scheme {
  cla_scoring scoring;
  cla_alphabet alphabet;
  const char *kind;                    /* what the pair scores are; static */
  char letters[CLA_MATRIX_STRIDE + 1]; /* for sequences: the plain ones come first */
  int plain;
  bool ambiguous; /* others than the plain ones should occur */
} drawn_scheme;

/* Draws a scheme for the family: its gap costs, and pair scores that are looked up or are not. Some are as
 * large as the family's lanes just hold. */
void scheme_draw(drawn_scheme *out, random_stream *stream, const build_family *family);

/* The largest score of a pair, 0 at least. */
int32_t scheme_largest(const cla_scoring *scoring);

/* "linear" and the like, with "ext 0" and "match 0" apart. */
const char *scheme_gaps_word(const cla_scoring *scoring);

#endif
