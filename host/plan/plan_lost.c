/* What the known path may lose against the best conceivable score. */

#include <math.h>

#include "base/extremes.h"
#include "plan/plan_internal.h"

/* Sequences may be dissimilar if the known path loses more than this fraction (plan_lost_share). */
#define LOST_SHARE_UNLIKE 0.4

/* Returns how many letters of the longer sequence every path must pass in gaps. */
static int64_t letters_passed(const plan_input *input) {
  const path_ends *ends = &input->ends;
  const int64_t rows = input->rows, columns = input->columns;
  const bool free = ends->anywhere || (rows > columns ? ends->query_start || ends->query_end
                                                      : ends->target_start || ends->target_end);
  return free ? 0 : larger(rows, columns) - smaller(rows, columns);
}

int64_t plan_best_conceivable(const plan_input *input) {
  const int64_t best = larger(input->table->maximum, 0) * smaller(input->rows, input->columns);
  return best - gap_least_ext(input->scoring) * letters_passed(input);
}

/* Every step away from the shortest way costs a pair, a gap's letter on the way out, and one on the way back.
 * The score that may still be lost shrinks along the path. So the average width, on both sides together, is
 * half of the largest width. */
double plan_lost_share(const plan_input *input, int64_t bound) {
  const double lost = (double)plan_best_conceivable(input) - (double)bound;
  const double match = (double)larger(input->table->maximum, 0), ext = (double)gap_least_ext(input->scoring);
  const double passed = (double)letters_passed(input),
               all = passed + (double)smaller(input->rows, input->columns);
  return match + ext <= 0 ? 1 : fmax(lost / (match + 2 * ext) + passed, 0) / all;
}

bool plan_unlike(const plan_input *input) {
  if (input->ends.floor) return false;
  return !input->bound_known || plan_lost_share(input, input->bound) > LOST_SHARE_UNLIKE;
}
