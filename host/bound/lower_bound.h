#ifndef HOST_BOUND_LOWER_BOUND_H
#define HOST_BOUND_LOWER_BOUND_H

#include "bound/bound_path.h"
#include "clalign/alignment.h"
#include "clalign/lower_bound.h"
#include "scoring/pair_problem.h"

/* A lower bound of the optimal score: the score of a real alignment of the two ranges, which is the proof of
 * it, or what the user claims, which is not proven. */

typedef enum lower_bound_source {
  LOWER_BOUND_NONE,  /* nothing is known */
  LOWER_BOUND_CLAIM, /* the user's score, above that of the path, if one is known */
  LOWER_BOUND_PATH,  /* the user's path, re-scored */
  LOWER_BOUND_SEEDS  /* a path from exact matches */
} lower_bound_source;

typedef struct lower_bound_input {
  pair_problem problem;              /* of the ranges, which have letters */
  int64_t query_begin, target_begin; /* of the ranges in the records, for the user's path */
  cla_mode mode;
  int free_ends; /* as in cla_align_options */
  const cla_lower_bound *wanted;
  bound_banded *banded; /* aligns what a path costs too much; NULL: nothing does */
  int64_t work_most;    /* bound/space_cross.h; no path from exact matches is looked for if it is 0 */
  int threads;          /* >= 1, that may work at the same time; the bound does not depend on it */
  int64_t memory_bytes; /* nor if one thread needs more; else fewer threads work if all need more */
  cla_status (*tick)(void *user, cla_error *error); /* whether to go on; NULL: always */
  void *tick_user;
} lower_bound_input;

typedef struct lower_bound {
  lower_bound_source source;
  int64_t score; /* in local mode above 0, unless the source is none */
  bool has_path;
  int64_t path_score; /* the path's score: equal to `score`, or below it if that is claimed */
  int64_t query_start, target_start, query_stop, target_stop; /* 0-based in the ranges, half-open */
  cla_run *runs;                                              /* neighbours of different kinds; owned */
  size_t run_count;
  double seconds; /* that it took */
} lower_bound;

/* Below so many letters of the shorter sequence no path is looked for: the sweep takes less time. */
#define LOWER_BOUND_LEAST_LETTERS 5000

/* Finds a bound as input->wanted says. A path is one of the mode's kind: global ones lead from corner to
 * corner, local ones begin and end with a pair, others are led to ends of their mode. Every path has been
 * re-scored letter by letter. That nothing is found, or nothing that could help, is no error. No clock is
 * looked at: the same input gives the same bound. What is left when all work is done is done in linear time.
 * The tick is called between steps that take some milliseconds for each million letters, from the calling
 * thread; unless it returns CLA_OK, the search ends with what it returned. Errors: that, CLA_ERROR_OPTION
 * (the user's runs cannot be), CLA_ERROR_MEMORY. The caller ends with lower_bound_free, also after an error.
 */
cla_status lower_bound_find(lower_bound *out, const lower_bound_input *input, cla_error *error);
void lower_bound_free(lower_bound *bound);

/* CLA_OK unless the optimal score is below the bound: CLA_ERROR_OPTION for a claim that was wrong, naming the
 * remedy; CLA_ERROR_VERIFICATION for a path, which cannot be. */
cla_status lower_bound_check(const lower_bound *bound, int64_t score, const cla_scoring *scoring,
                             cla_error *error);

#endif
