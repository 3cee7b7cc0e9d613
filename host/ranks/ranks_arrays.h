#ifndef HOST_RANKS_RANKS_ARRAYS_H
#define HOST_RANKS_RANKS_ARRAYS_H

#include "clalign/arrays.h"
#include "ranks/ranks_batch.h"

/* Messages between ranks: pairs as arrays, and their results. */

/* The head of a message of pairs. The arrays of rank_arrays_parts follow. */
typedef struct rank_arrays {
  rank_lot lot;
  int32_t alphabet;
  int64_t sequences[2];
  uint32_t wanted; /* bit mask of the wanted result arrays, in the order of rank_results_parts */
  bool coded, has_of[2], has_strand;
  bool kept; /* the targets were sent before, in the message whose lot is 0 */
} rank_arrays;

/* The head of a message of results. The wanted arrays of rank_results_parts follow. */
typedef struct rank_found {
  rank_lot lot;
  int64_t runs; /* number of runs of all paths */
  int64_t failed, cells_computed;
} rank_found;

#define RANK_ARRAYS_PARTS 7
#define RANK_RESULT_PARTS 9

/* An array of results. */
typedef struct rank_result_part {
  void *at; /* the array; NULL: not wanted */
  int64_t bytes;
} rank_result_part;

/* Lists the result arrays in their order, for `pairs` pairs with `runs` runs in total. Returns their
 * number. */
int rank_results_parts(rank_result_part out[RANK_RESULT_PARTS], const cla_pair_results *found, int64_t pairs,
                       int64_t runs);

/* Aligns the pairs that rank 0 sends until the batch ends. `head` is the message with which the batch
 * started. */
cla_status arrays_for_rank0(const cla_ranks *ranks, const batch_means *means, const rank_batch *head,
                            cla_error *error);

#endif
