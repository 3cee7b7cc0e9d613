#ifndef HOST_RESULT_PATH_CHECK_H
#define HOST_RESULT_PATH_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "clalign/alignment.h"
#include "scoring/pair_problem.h"

#define PATH_FAULT_SIZE 256

/* True if an alignment is consistent, without regard to its letters:
 *
 * - strand and ambiguity are allowed for the alphabet
 * - 0 <= begin < end <= length, or the record has no letters
 * - the aligned part lies within the range
 * - runs have at least one letter, alternate, and lead from the starts to the stops
 * - a global path leads from end to end; a local path starts and ends with a pair, or is empty with score 0
 *   and start = stop = 0
 *
 * Otherwise `fault` is set to a phrase that describes what is wrong and where, such as "run 3 passes the
 * query's stop ...". Positions in the phrase are 0-based, on the strand that was aligned. The function
 * assumes nothing about the alignment's contents. */
bool path_is_consistent(const cla_alignment *alignment, char fault[PATH_FAULT_SIZE]);

/* True if no letters are aligned: the alignment has no place (path_is_nowhere), or the path has no runs. */
bool path_is_empty(const cla_alignment *alignment);

/* True if the path has pairs. */
bool path_has_pairs(const cla_alignment *alignment);

/* Returns CLA_OK if the alignment is consistent and its lengths are those of the sequences, so that code can
 * walk along its columns; else CLA_ERROR_VERIFICATION. Checksums and score are not checked. */
cla_status path_check_fit(const cla_alignment *alignment, const cla_sequence *query,
                          const cla_sequence *target, cla_error *error);

/* Computes the score of a path letter by letter, from the scheme's table and not by the rules of the
 * kernels. The codes in `pair` start at the path's start and must extend to the end of the path's runs;
 * pair->ends is not used. Returns false if the sum exceeds 2^63. Then *query_letters is the number of query
 * letters up to that place. */
bool path_score(int64_t *out, int64_t *query_letters, const cla_run *runs, size_t run_count,
                const pair_problem *pair);

/* Computes the score of an alignment's path. The sequences must already be rotated (rotated_pair) and fit the
 * alignment (path_check_fit). CLA_ERROR_VERIFICATION if the score exceeds 2^63; CLA_ERROR_MEMORY. */
cla_status alignment_rescore(int64_t *out, const cla_alignment *alignment, const cla_sequence *query,
                             const cla_sequence *target, cla_error *error);

/* A part of a path: its runs, and its positions on the strand that was aligned. */
typedef struct path_part {
  size_t first, last;
  int64_t first_length, last_length; /* number of columns of the first and of the last run that belong to the
                                        part; equal if both are the same run */
  int64_t query, target, query_end, target_end;
} path_part;

/* Creates a global alignment of exactly the letters in the part, without a score. The caller frees *out.
 * CLA_ERROR_MEMORY. */
cla_status path_part_copy(cla_alignment **out, const cla_alignment *alignment, const path_part *part,
                          cla_error *error);

#endif
