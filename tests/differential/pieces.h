#ifndef TESTS_DIFFERENTIAL_PIECES_H
#define TESTS_DIFFERENTIAL_PIECES_H

#include "differential/compare.h"

/* Whether `got` are the pieces that docs/splitting.md wants of the path: found by trying, for each pair as a
 * piece's end, each pair as its begin. With both strands what these leave is aligned on the other strand by
 * the oracle, and cut likewise. `text` says what differs. */
bool compare_pieces(char text[DIFFERENCE_SIZE], const drawn_case *one, const case_pair *pair,
                    const oracle_path *path, int64_t drop, cla_alignment *const *got, size_t count);

#endif
