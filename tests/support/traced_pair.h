#ifndef TESTS_SUPPORT_TRACED_PAIR_H
#define TESTS_SUPPORT_TRACED_PAIR_H

#include "packs/packs.h"

/* The path of one pair, found by the host's lanes from its score and end. */
typedef struct traced_pair {
  int32_t start_query, start_target;
  cla_run *runs; /* owned; free with free */
  size_t run_count;
} traced_pair;

/* Finds the path, with vectors of at most `widest` bytes. Pairs of more than `large_cells` cells are traced
 * back and forth. Returns false if lanes cannot trace the pair. Aborts the test on an error. */
bool traced_pair_find(traced_pair *out, const path_scheme *scheme, const pack_pair *pair, int64_t large_cells,
                      int widest);

#endif
