#ifndef TESTS_SUPPORT_BUILD_KINDS_H
#define TESTS_SUPPORT_BUILD_KINDS_H

#include <stdbool.h>

#include "clalign/scoring.h"
#include "scoring/pair_problem.h"
#include "support/random_pairs.h"

/* True if a combination of build options is tested. Device tests spend most of their time compiling kernels,
 * and there is one build for each form of gap costs, look-up of scores, mode, and pruning. So only a third
 * of the combinations is tested, such that all values of the last three properties meet, each with one form
 * of gap costs. `part` chooses the third; each config has another one. CLALIGN_TEST_KINDS=all tests every
 * combination. */
bool build_kind_is_tested(int part, const cla_scoring *scoring, bool lookup, const path_ends *ends,
                          bool prune);

/* Like build_kind_is_tested, for a whole alignment. Each kernel, named or chosen, has the same part in all
 * tests, so that tests share builds. The chosen kernel gets no scheme for which lanes of 8 bits need shorter
 * segments; test_region and test_lane_limits test these. */
enum { PART_CHOSEN, PART_VECTOR32, PART_WAVE32 };
bool pair_is_tested(int part, const cla_scoring *scoring, const score_table *table, const path_ends *ends,
                    bool prune);
/* Like pair_is_tested, for a random pair. Half of these kinds is tested one day, the other half the next
 * (CLALIGN_TEST_DAY). */
bool random_pair_is_tested(const random_pair *pair, int part, bool prune);

/* True if every kind is tested. */
bool build_kinds_all(void);

/* Factor for the number of random cases, which makes up for the cases that are passed over. */
int build_kinds_drawn(void);

#endif
