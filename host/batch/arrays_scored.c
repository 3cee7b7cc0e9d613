/* Completes the results of a chunk that a device has scored. */

#include <stdlib.h>

#include "base/error.h"
#include "batch/arrays_internal.h"

/* If no paths are wanted, one pair in VERIFIED_EACH is verified: by its path or, if no ends are wanted, by
 * the host's score. Pairs with more than VERIFIED_CELLS_MANY cells are verified more rarely, because their
 * paths take long. Pairs with more than VERIFIED_CELLS_MOST cells are never verified. */
#define VERIFIED_EACH 256
#define VERIFIED_EACH_LARGE 4096
#define VERIFIED_CELLS_MOST 0x1p30
#define VERIFIED_CELLS_MANY 0x1p24

/* Returns true if the pair's path has to be found. An empty local alignment has no path. */
static bool wants_path(const arrays_call *c, int64_t pair, const scored_pair *scored) {
  const double rows = (double)pair_letters(c->pairs, 0, pair),
               columns = (double)pair_letters(c->pairs, 1, pair);
  if (c->scheme.ends.floor && scored->score == 0) return false;
  const int64_t each = rows * columns > VERIFIED_CELLS_MANY ? VERIFIED_EACH_LARGE : VERIFIED_EACH;
  return c->paths || (!c->scores_alone && pair % each == 0 && rows * columns <= VERIFIED_CELLS_MOST);
}

static void put_scored(const arrays_worker *w, const arrays_chunk *of, int64_t pair, int64_t start_row,
                       int64_t start_column) {
  const scored_pair *scored = &of->scored[pair - of->first];
  arrays_put_on_strand(w->c, pair,
                       (found_pair){.score = scored->score,
                                    .start = {start_row, start_column},
                                    .end = {scored->end_row, scored->end_column},
                                    .strand = scored->strand});
}

/* Gives the solver the pairs whose paths have to be found, and stores the results of the others. Pairs that
 * the device did not take get the status ALONE. */
static void fill(arrays_worker *w, const arrays_chunk *of, bool *ambiguous) {
  arrays_call *c = w->c;
  solver_pairs *s = &w->pairs;
  uint8_t bits = 0;
  s->count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) {
    const scored_pair *scored = &of->scored[pair - of->first];
    const int64_t at = s->count;
    const uint8_t *sides[2];
    const bool taken = scored->end_row >= 0;
    c->results->status[pair] = taken ? CLA_OK : ALONE;
    if (!taken) continue;
    if (!wants_path(c, pair, scored)) {
      put_scored(w, of, pair, 0, 0);
      continue;
    }
    arrays_pair_codes(sides, &w->codes, c, pair);
    if (scored->strand == CLA_STRAND_REVERSE)
      sides[0] = arrays_turned(&w->codes, sides[0], pair_letters(c->pairs, 0, pair));
    bits |= arrays_add_pair(w, pair, sides);
    s->score[at] = scored->score;
    s->end_row[at] = scored->end_row;
    s->end_column[at] = scored->end_column;
  }
  *ambiguous = bits >= c->letters->unambiguous;
}

/* Finds the paths of the chunk's pairs, and so verifies the device's scores. Pairs whose paths the lanes
 * cannot find get the status ALONE. */
static cla_status trace(arrays_worker *w, const arrays_chunk *of, cla_error *error) {
  arrays_call *c = w->c;
  const solver_pairs *s = &w->pairs;
  bool ambiguous = false;
  cla_status status = arrays_codes_room(&w->codes, c, of, error);
  if (status != CLA_OK) return status;
  fill(w, of, &ambiguous);
  pair_solver *solver = ambiguous ? w->any : w->plain;
  status = pair_solver_trace(solver, s, error);
  for (int64_t i = 0; i < s->count && status == CLA_OK; i++) {
    const int64_t pair = w->places[i];
    if (!s->solved[i]) {
      c->results->status[pair] = ALONE;
      continue;
    }
    put_scored(w, of, pair, s->start_row[i], s->start_column[i]);
    if (c->paths) status = arrays_take_runs(w, of, pair, pair_solver_runs(solver), i, error);
  }
  return status;
}

/* Returns the pairs of the chunk that the host scores again: one full group of lanes in VERIFIED_EACH
 * groups. They end before the first large pair. */
static arrays_chunk some_of(const arrays_call *c, const arrays_chunk *of) {
  const int64_t each = VERIFIED_EACH * LANES_MOST, first = (of->first + each - 1) / each * each;
  arrays_chunk out = {.first = first, .past = first};
  for (; out.past < of->past && out.past - first < LANES_MOST; out.past++)
    if ((double)pair_letters(c->pairs, 0, out.past) * (double)pair_letters(c->pairs, 1, out.past) >
        VERIFIED_CELLS_MOST)
      break;
  return out;
}

/* Compares a sample of the device's scores with the host's. */
static cla_status check_scores(arrays_worker *w, const arrays_chunk *of, cla_error *error) {
  const arrays_call *c = w->c;
  arrays_chunk some = some_of(c, of);
  cla_status status = some.first < some.past ? arrays_solve_chunk(w, &some, error) : CLA_OK;
  for (int64_t pair = some.first; pair < some.past && status == CLA_OK; pair++) {
    const scored_pair *scored = &of->scored[pair - of->first];
    const int64_t score = c->results->score[pair];
    if (scored->end_row >= 0 && c->results->status[pair] == CLA_OK && score != scored->score)
      status = error_set(error, CLA_ERROR_DEVICE,
                         "wrong value: a device gave a pair the score %lld, and the host %lld",
                         (long long)scored->score, (long long)score);
  }
  return status;
}

cla_status arrays_finish_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error) {
  const int strands = w->c->options.strand == CLA_STRAND_BOTH ? 2 : 1;
  cla_status status = atomic_load(&of->by->lost) ? CLA_ERROR_DEVICE : CLA_OK;
  if (status == CLA_OK && w->c->scores_alone && w->c->results->score) status = check_scores(w, of, error);
  arrays_begin_runs(w, of);
  if (status == CLA_OK) status = trace(w, of, error);
  free(of->scored);
  of->scored = NULL;
  if (status == CLA_ERROR_DEVICE) {
    if (!atomic_load(&of->by->lost)) arrays_lose(of->by, error);
    return arrays_solve_chunk(w, of, error);
  }
  if (status != CLA_OK) return status;
  atomic_fetch_add(&w->c->cells, (int64_t)of->cells * strands);
  if (w->c->rules.scored) atomic_fetch_add(w->c->rules.scored, of->past - of->first);
  return arrays_solve_rest(w, of, error);
}
