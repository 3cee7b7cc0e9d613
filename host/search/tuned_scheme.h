#ifndef HOST_SEARCH_TUNED_SCHEME_H
#define HOST_SEARCH_TUNED_SCHEME_H

#include "scoring/score_table.h"
#include "seq/alphabet.h"

/* What pairs of letters score in a tuning, and of which letters its sequences are. */
typedef struct tuned_scheme {
  cla_scoring scoring;
  score_table table;
  const letter_set *letters;
} tuned_scheme;

/* `scoring` NULL: the defaults for DNA. CLA_ERROR_OPTION for scores out of range and for a matrix of letters
 * that are neither DNA nor proteins: no pair of such sequences can be made. */
cla_status tuned_scheme_make(tuned_scheme *out, const cla_scoring *scoring, cla_error *error);

#endif
