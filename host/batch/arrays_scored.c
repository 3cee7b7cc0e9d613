/* What a device has found of a chunk's pairs becomes results, with paths. */

#include <stdlib.h>

#include "base/error.h"
#include "batch/arrays_internal.h"
#include "result/path_check.h"

/* Without paths one pair in so many is verified by its path, or by its score from the host if ends are not
 * asked for. It has so many cells at the most. */
#define VERIFIED_EACH 256
#define VERIFIED_CELLS_MOST 0x1p30

/* Whether the path is looked for. Nothing is to be looked for in an empty local alignment. */
static bool wants_path(const arrays_call *c, int64_t pair, const scored_pair *scored) {
  const double rows = (double)pair_letters(c->pairs, 0, pair),
               columns = (double)pair_letters(c->pairs, 1, pair);
  if (c->scheme.ends.floor && scored->score == 0) return false;
  return c->paths || (!c->scores_alone && pair % VERIFIED_EACH == 0 && rows * columns <= VERIFIED_CELLS_MOST);
}

/* Whether the path has the score that the device has found. */
static cla_status verify(const pack_path *path, const pack_pair *pair, const path_scheme *scheme,
                         cla_error *error) {
  int64_t score = 0, letters = 0;
  const pair_problem part = {.query = pair->query + path->start_query,
                             .target = pair->target + path->start_target,
                             .rows = pair->end_query - path->start_query,
                             .columns = pair->end_target - path->start_target,
                             .scheme = *scheme};
  if (path_score(&score, &letters, path->runs, path->run_count, &part) && score == pair->score) return CLA_OK;
  return error_set(error, CLA_ERROR_VERIFICATION,
                   "a device gave a pair the score %lld, and its path has %lld", (long long)pair->score,
                   (long long)score);
}

/* Looks for the path of a pair, and notes where it starts. */
static cla_status trace(arrays_worker *w, int64_t pair, const scored_pair *scored, found_pair *found,
                        cla_error *error) {
  arrays_call *c = w->c;
  const uint8_t *sides[2];
  pack_path path = {.runs = NULL};
  const arrays_chunk alone = {.first = pair, .past = pair + 1};
  cla_status status = arrays_codes_room(&w->codes, c, &alone, error);
  if (status != CLA_OK) return status;
  arrays_pair_codes(sides, &w->codes, c, pair);
  pack_pair ends = {.query_letters = pair_letters(c->pairs, 0, pair),
                    .target = sides[1],
                    .target_letters = pair_letters(c->pairs, 1, pair),
                    .score = scored->score,
                    .end_query = scored->end_row,
                    .end_target = scored->end_column};
  const bool turned = scored->strand == CLA_STRAND_REVERSE;
  ends.query = turned ? arrays_turned(&w->codes, sides[0], ends.query_letters) : sides[0];
  status = pack_trace(&path, &c->scheme, &ends, c->path_bytes, error);
  if (status == CLA_OK) status = verify(&path, &ends, &c->scheme, error);
  if (status == CLA_OK && c->paths) {
    const strand_letters query = {.codes = ends.query, .length = ends.query_letters};
    found->start[0] = path.start_query;
    found->start[1] = path.start_target;
    status = arrays_grow_runs(w, ends.query_letters + ends.target_letters, error);
    if (status == CLA_OK)
      arrays_add_path(w, path.runs, path.run_count, &query, ends.target, path.start_query, path.start_target);
  }
  free(path.runs);
  return status;
}

static cla_status finish_pair(arrays_worker *w, const arrays_chunk *of, int64_t pair, cla_error *error) {
  arrays_call *c = w->c;
  const scored_pair *scored = &of->scored[pair - of->first];
  found_pair found = {
      .score = scored->score, .end = {scored->end_row, scored->end_column}, .strand = scored->strand};
  const int64_t before = w->run_count;
  cla_status status = CLA_OK;
  const bool taken = scored->end_row >= 0;
  if (taken && wants_path(c, pair, scored)) status = trace(w, pair, scored, &found, error);
  const bool alone = !taken || status == CLA_ERROR_MEMORY;
  c->results->status[pair] = alone ? ALONE : CLA_OK;
  if (alone || status != CLA_OK) return alone ? CLA_OK : status;
  arrays_put_on_strand(c, pair, found);
  if (!c->paths) return CLA_OK;
  w->run_begins[pair - of->first] = before;
  c->run_counts[pair] = w->run_count - before;
  return CLA_OK;
}

/* Pairs of the chunk whose scores the host finds, too: a full group of lanes for each VERIFIED_EACH such
 * groups. Large pairs are left out. */
static arrays_chunk some_of(const arrays_call *c, const arrays_chunk *of) {
  const int64_t each = VERIFIED_EACH * LANES_MOST, first = (of->first + each - 1) / each * each;
  arrays_chunk out = {.first = first, .past = first};
  for (; out.past < of->past && out.past - first < LANES_MOST; out.past++)
    if ((double)pair_letters(c->pairs, 0, out.past) * (double)pair_letters(c->pairs, 1, out.past) >
        VERIFIED_CELLS_MOST)
      break;
  return out;
}

/* Compares some scores with those that the host finds. */
static cla_status check_scores(arrays_worker *w, const arrays_chunk *of, cla_error *error) {
  const arrays_call *c = w->c;
  arrays_chunk some = some_of(c, of);
  cla_status status = some.first < some.past ? arrays_solve_chunk(w, &some, error) : CLA_OK;
  for (int64_t pair = some.first; pair < some.past && status == CLA_OK; pair++) {
    const scored_pair *scored = &of->scored[pair - of->first];
    const int64_t score = c->results->score[pair];
    if (scored->end_row >= 0 && c->results->status[pair] == CLA_OK && score != scored->score)
      status =
          error_set(error, CLA_ERROR_VERIFICATION, "a device gave a pair the score %lld, and the host %lld",
                    (long long)scored->score, (long long)score);
  }
  return status;
}

cla_status arrays_finish_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error) {
  const int strands = w->c->options.strand == CLA_STRAND_BOTH ? 2 : 1;
  cla_status status = atomic_load(&of->by->lost) ? CLA_ERROR_DEVICE : CLA_OK;
  if (status == CLA_OK && w->c->scores_alone) status = check_scores(w, of, error);
  arrays_begin_runs(w, of);
  for (int64_t pair = of->first; pair < of->past && status == CLA_OK; pair++)
    status = finish_pair(w, of, pair, error);
  free(of->scored);
  of->scored = NULL;
  if (status == CLA_ERROR_DEVICE || status == CLA_ERROR_VERIFICATION) {
    if (!atomic_load(&of->by->lost)) arrays_lose(of->by, error);
    return arrays_solve_chunk(w, of, error);
  }
  if (status != CLA_OK) return status;
  atomic_fetch_add(&w->c->cells, (int64_t)of->cells * strands);
  if (w->c->rules.scored) atomic_fetch_add(w->c->rules.scored, of->past - of->first);
  return arrays_solve_rest(w, of, error);
}
