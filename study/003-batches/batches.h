#ifndef TOOLS_STUDY_003_BATCHES_BATCHES_H
#define TOOLS_STUDY_003_BATCHES_BATCHES_H

#include "study.h"

#define BATCH_PAIRS 100

/* Pairs of a batch, and the oracle's score of each. */
typedef struct batch_pairs {
  int64_t letters; /* what the lengths were made for; 0: none are there */
  cla_sequence *query[BATCH_PAIRS], *target[BATCH_PAIRS];
  int64_t score[BATCH_PAIRS];
  double cells; /* m x n, added up */
} batch_pairs;

/* The pairs for so many letters: lengths as those of the database NT (Aji 2008, table 4.2), in which most
 * sequences have about 2000, times letters / 2000. They are kept for the next call, which may have other
 * letters once in between. CLA_ERROR_MEMORY. */
cla_status batch_pairs_make(const batch_pairs **out, const study_scheme *scheme, int64_t letters,
                            cla_error *error);

#endif
