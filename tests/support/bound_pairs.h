#ifndef TESTS_SUPPORT_BOUND_PAIRS_H
#define TESTS_SUPPORT_BOUND_PAIRS_H

#include "clalign/alignment.h"
#include "path/bound_path.h"
#include "support/related_pairs.h"

/* Pairs for tests of lower bounds, and checks of paths through them. */

#define BOUND_MUCH_WORK (INT64_C(1) << 50)

/* Makes a pair; `table` is built from the scheme. */
bound_pair bound_pair_of(const uint8_t *query, int64_t query_length, const uint8_t *target,
                         int64_t target_length, const cla_scoring *scoring, score_table *table);

/* A related pair with one of the schemes of related_scheme; scheme 0 is the default. */
typedef struct bound_fixture {
  related_pair related;
  cla_scoring scoring;
  score_table table;
  bound_pair pair; /* refers to the fields above */
} bound_fixture;

void bound_fixture_set_up(bound_fixture *x, related_kind kind, uint64_t seed, int64_t letters, int scheme);
void bound_fixture_tear_down(bound_fixture *x);

/* Follows the runs and returns their score. Fails the test if they leave the matrix, if two runs of one kind
 * touch, or if they end elsewhere than at the given stops. */
int64_t bound_walk(const bound_pair *pair, const cla_run *runs, int64_t count, int64_t query, int64_t target,
                   int64_t query_stop, int64_t target_stop, const char *text);

/* The best score, by the oracle. */
int64_t bound_optimum(const bound_pair *pair, cla_mode mode);

#endif
