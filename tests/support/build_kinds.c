#include "support/build_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/kernel.h"
#include "seq/sequence.h"
#include "support/test_devices.h"

#define PARTS 3  /* the number of forms of gap costs */
#define HALVES 2 /* parts are halved for tests of whole alignments: one half a day */

bool build_kinds_all(void) {
  const char *kinds = getenv("CLALIGN_TEST_KINDS");
  return kinds && strcmp(kinds, "all") == 0;
}

bool build_kind_is_tested(int part, const cla_scoring *scoring, bool lookup, const path_ends *ends,
                          bool prune) {
  const int mode = ends->floor ? 0 : 1 + (int)path_ends_best(ends);
  return build_kinds_all() || ((int)kernel_gaps_of(scoring) + lookup + mode + prune + part) % PARTS == 0;
}

static uint32_t letters_of(const uint8_t *codes, int64_t length) {
  uint32_t letters = 0;
  for (int64_t i = 0; i < length; i++) letters |= UINT32_C(1) << codes[i];
  return letters;
}

/* True if lanes of 8 bits take the scheme with the longest segments, or not at all. */
static bool has_long_segments(const cla_scoring *scoring, const score_table *table) {
  const kernel_variant *variant = &kernel_vector8;
  const kernel_config config = {.variant = variant, .lanes = variant->lanes[0], .alpha = variant->alphas[0]};
  return kernel_tile_limit(&config, scoring, table, 0) < config.lanes ||
         kernel_segment(&config, scoring, table) == variant->segments[0];
}

/* True if the kind belongs to the half that is tested today; CLALIGN_TEST_DAY rises by one a day. */
static bool is_of_the_day(const cla_scoring *scoring, bool lookup, const path_ends *ends) {
  const int mode = ends->floor ? 0 : 1 + (int)path_ends_best(ends);
  return ((int)kernel_gaps_of(scoring) + lookup + mode / 2 + (int)test_count("CLALIGN_TEST_DAY", 0)) %
             HALVES ==
         0;
}

bool pair_is_tested(int part, const cla_scoring *scoring, const score_table *table, const path_ends *ends,
                    bool prune) {
  return build_kinds_all() || (build_kind_is_tested(part, scoring, table->needs_lookup, ends, prune) &&
                               (part != PART_CHOSEN || has_long_segments(scoring, table)));
}

bool random_pair_is_tested(const random_pair *pair, int part, bool prune) {
  const path_ends ends = path_ends_make(pair->mode, pair->free_ends);
  score_table table;
  score_table_build(&table, &pair->scoring, SEQUENCE_LETTERS, SEQUENCE_UNAMBIGUOUS);
  score_table_keep(&table, letters_of(pair->query, pair->query_length),
                   letters_of(pair->target, pair->target_length));
  return pair_is_tested(part, &pair->scoring, &table, &ends, prune) &&
         (build_kinds_all() || is_of_the_day(&pair->scoring, table.needs_lookup, &ends));
}

int build_kinds_drawn(void) {
  return build_kinds_all() ? 1 : PARTS - 1;
}
