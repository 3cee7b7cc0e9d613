#ifndef HOST_CLI_BENCH_BENCH_PAIRS_H
#define HOST_CLI_BENCH_BENCH_PAIRS_H

#include "cli/bench/bench.h"

/* Simulated pairs with the lengths of the sequences of a database. */

typedef struct bench_pairs {
  cla_sequence **queries, **targets; /* owned */
  int64_t count;
  double cells; /* m x n, added up */
} bench_pairs;

/* Makes `count` pairs; end with bench_pairs_free, also after an error. CLA_ERROR_MEMORY,
 * CLA_ERROR_INTERRUPTED. */
cla_status bench_pairs_make(bench_pairs *pairs, const bench_settings *settings, int64_t count,
                            cla_error *error);
void bench_pairs_free(bench_pairs *pairs); /* zeroed is allowed */

#endif
