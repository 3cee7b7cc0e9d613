#ifndef TESTS_SUPPORT_BUILD_KINDS_H
#define TESTS_SUPPORT_BUILD_KINDS_H

#include <stdbool.h>

#include "clalign/scoring.h"
#include "scoring/pair_problem.h"
#include "support/random_pairs.h"

/* Device tests take most of their time to compile kernels, which are built anew for each form of gap costs,
 * with scores that are looked up or not, for each mode's borders and best cell, and with pruning or not.
 * Every day a third of all these combinations is tested, in which each two of the last three meet, with one
 * form of gap costs each. `part` says which third: another one for the next config. With
 * CLALIGN_TEST_KINDS=all every combination is tested. */
bool build_kind_is_tested(int part, const cla_scoring *scoring, bool lookup, const path_ends *ends,
                          bool prune);

/* The same of a whole alignment. Of the kernels that are asked for by name, or chosen, each has the same part
 * in all tests, so that they share builds; and the one that is chosen gets no scheme for which lanes of 8
 * bits move their bases more often than they must, which test_region and test_lane_limits have. */
enum { PART_CHOSEN, PART_VECTOR32, PART_GROUP32 };
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
