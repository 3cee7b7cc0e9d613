#ifndef TESTS_SUPPORT_BUILD_KINDS_H
#define TESTS_SUPPORT_BUILD_KINDS_H

#include <stdbool.h>

#include "clalign/scoring.h"
#include "scoring/pair_problem.h"
#include "support/random_pairs.h"

/* True if a combination is tested today. Device tests take most of their time to compile kernels. Each form
 * of gap costs, look-up of scores, mode's borders and best cell, and pruning has its own builds. Every day a
 * third of these combinations is tested. In it each two of the last three properties meet, with one form of
 * gap costs each. part: chooses the third, another one for each config. CLALIGN_TEST_KINDS=all tests every
 * combination. */
bool build_kind_is_tested(int part, const cla_scoring *scoring, bool lookup, const path_ends *ends,
                          bool prune);

/* build_kind_is_tested for a whole alignment. Each kernel, named or chosen, has the same part in all tests,
 * so that tests share builds. The chosen kernel gets no scheme for which lanes of 8 bits move their bases
 * more often than necessary; test_region and test_lane_limits have these. */
enum { PART_CHOSEN, PART_VECTOR32, PART_WAVE32 };
bool pair_is_tested(int part, const cla_scoring *scoring, const score_table *table, const path_ends *ends,
                    bool prune);
/* And of a random pair, of which half of these kinds are tested one day, the others the next
 * (CLALIGN_TEST_DAY). */
bool random_pair_is_tested(const random_pair *pair, int part, bool prune);

/* Whether every kind is tested. */
bool build_kinds_all(void);

/* How many times as many random cases are drawn, so that most of as many are left. */
int build_kinds_drawn(void);

#endif
