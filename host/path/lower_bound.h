#ifndef HOST_PATH_LOWER_BOUND_H
#define HOST_PATH_LOWER_BOUND_H

#include "clalign/alignment.h"
#include "clalign/lower_bound.h"
#include "path/bound_path.h"
#include "scoring/pair_problem.h"

/* A lower bound on the optimal score. It is either proven by an alignment of the two ranges with that score,
 * or claimed by the user without proof. */

typedef enum lower_bound_source {
  LOWER_BOUND_NONE,  /* no bound is known */
  LOWER_BOUND_CLAIM, /* the user's score, higher than that of any known path */
  LOWER_BOUND_PATH,  /* the user's path, re-scored */
  LOWER_BOUND_SEEDS  /* a path from exact matches */
} lower_bound_source;

typedef struct lower_bound_input {
  pair_problem problem;              /* the two ranges, neither of them empty */
  int64_t query_begin, target_begin; /* starts of the ranges in the records, for the user's path */
  cla_mode mode;
  int free_ends; /* like cla_align_options.free_ends */
  const cla_lower_bound *wanted;
  bound_banded
      *banded;       /* aligns parts of the path again that cost too much; NULL: no part is aligned again */
  int64_t work_most; /* limit on the work, in space_crosser.work's unit; 0: no path from exact matches */
  int threads;       /* >= 1; the bound does not depend on the number of threads */
  /* Memory limit for all threads together. If it is too small for all threads, fewer threads work. If it is
   * too small for a single thread, no path is searched for. */
  int64_t memory_bytes;
  /* A status other than CLA_OK ends the search; NULL: no tick. */
  cla_status (*tick)(void *user, cla_error *error);
  void *tick_user;
} lower_bound_input;

typedef struct lower_bound {
  lower_bound_source source;
  int64_t score; /* the bound; above 0 in local mode, unless the source is LOWER_BOUND_NONE */
  bool has_path;
  int64_t path_score; /* the path's score: equal to `score`, or lower if `score` is claimed */
  int64_t query_start, target_start, query_stop, target_stop; /* 0-based, half-open positions in the ranges */
  cla_run *runs; /* owned; adjacent runs are of different kinds */
  size_t run_count;
  double seconds; /* duration of the search */
} lower_bound;

/* A path is searched for only if the shorter sequence has at least this many letters. For shorter sequences,
 * the sweep is faster. */
#define LOWER_BOUND_LEAST_LETTERS 5000

/* Finds a bound of the kind that input->wanted names. The path satisfies the mode: global paths lead from
 * corner to corner, local ones begin and end with a pair, others end where their mode allows. Every path is
 * scored again, letter by letter. Finding no useful bound is no error. The same input gives the same bound,
 * because no clock is read. When the work limit is reached, methods of linear time finish the path. The
 * calling thread calls the tick every few milliseconds per million letters. If the tick does not return
 * CLA_OK, the search returns that status. Other errors: CLA_ERROR_OPTION if the user's runs are impossible,
 * CLA_ERROR_MEMORY. The caller calls lower_bound_free, also after an error. */
cla_status lower_bound_find(lower_bound *out, const lower_bound_input *input, cla_error *error);
void lower_bound_free(lower_bound *bound);

/* Checks that the optimal score is at least the bound. If a claimed bound is higher, the user's claim is
 * wrong: fails with CLA_ERROR_OPTION, and the message contains the remedy. If a path's bound is higher, the
 * program has a bug: fails with CLA_ERROR_VERIFICATION. */
cla_status lower_bound_check(const lower_bound *bound, int64_t score, const cla_scoring *scoring,
                             cla_error *error);

#endif
