#ifndef TESTS_SUPPORT_TRACED_PAIR_H
#define TESTS_SUPPORT_TRACED_PAIR_H

#include "packs/packs.h"

/* The path of one pair, found by lanes from its score and end. */
typedef struct traced_pair {
  int32_t start_query, start_target;
  cla_run *runs; /* owned; free with free */
  size_t run_count;
} traced_pair;

/* Pairs with more than large_cells cells are traced forth and back, with vectors of at most `widest` bytes.
 * False if lanes cannot trace the pair. Aborts the test where they fail. */
bool traced_pair_find(traced_pair *out, const path_scheme *scheme, const pack_pair *pair, int64_t large_cells,
                      int widest);

#endif
