/* The pairs of cla_align_arrays that one thread solves together. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "batch/arrays_internal.h"

/* Codes of a sequence, which are made where the letters are text; NULL for what is no letter. */
static const uint8_t *codes_of(arrays_worker *w, int side, int64_t pair) {
  const arrays_call *c = w->c;
  const cla_pair_arrays *p = c->pairs;
  const uint8_t *letters = p->letters[side] + p->offsets[side][sequence_of(p, side, pair)];
  const int64_t count = pair_letters(p, side, pair);
  if (p->coded) return letters;
  uint8_t *codes = w->codes + w->code_count;
  w->code_count += count;
  return letter_codes_of(codes, c->letters, letters, count) == count ? codes : NULL;
}

/* Whether the scheme has a score for all letters. */
static bool are_known(const arrays_call *c, const uint8_t *codes, int64_t count) {
  if (!c->unknown) return true;
  for (int64_t i = 0; i < count; i++)
    if (c->unknown >> codes[i] & 1) return false;
  return true;
}

static uint8_t all_bits(const uint8_t *codes, int64_t count) {
  uint8_t bits = 0;
  for (int64_t i = 0; i < count; i++) bits |= codes[i];
  return bits;
}

/* Gives the solver the chunk's pairs; the others are noted as failed, or have `alone`. */
static void fill(arrays_worker *w, const arrays_chunk *of, bool *ambiguous) {
  arrays_call *c = w->c;
  solver_pairs *s = &w->pairs;
  uint8_t bits = 0;
  s->count = 0;
  w->code_count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) {
    const int64_t rows = pair_letters(c->pairs, 0, pair), columns = pair_letters(c->pairs, 1, pair);
    c->results->status[pair] = CLA_OK;
    const uint8_t *query = codes_of(w, 0, pair), *target = codes_of(w, 1, pair);
    const bool fits = rows > 0 && columns > 0 && rows < INT32_MAX / 4 && columns < INT32_MAX / 4;
    if (!query || !target || !fits || !are_known(c, query, rows) || !are_known(c, target, columns)) {
      c->results->status[pair] = ALONE;
      continue;
    }
    bits |= all_bits(query, rows) | all_bits(target, columns);
    w->sides[0][s->count] = query;
    w->sides[1][s->count] = target;
    ((int32_t *)s->rows)[s->count] = (int32_t)rows;
    ((int32_t *)s->columns)[s->count] = (int32_t)columns;
    w->places[s->count++] = pair;
  }
  *ambiguous = bits >= c->letters->unambiguous;
}

/* Room for the codes of the chunk's letters where they are text, and for those of the other strand. */
static cla_status make_codes_room(arrays_worker *w, const arrays_chunk *of, cla_error *error) {
  const arrays_call *c = w->c;
  const bool turned = c->options.strand != CLA_STRAND_FORWARD;
  int64_t count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++)
    for (int side = 0; side < 2; side++)
      count += pair_letters(c->pairs, side, pair) * (!c->pairs->coded + (turned && side == 0));
  return allocate_grow((void **)&w->codes, &w->code_room, count, 1, "the codes of letters", error);
}

/* The other strand of all the solver's queries. */
static void turn_queries(arrays_worker *w) {
  for (int64_t i = 0; i < w->pairs.count; i++) {
    uint8_t *codes = w->codes + w->code_count;
    reverse_complement_codes(codes, w->sides[0][i], w->pairs.rows[i]);
    w->sides[0][i] = codes;
    w->code_count += w->pairs.rows[i];
  }
}

/* Takes what the solver found on a strand, where that is better than what is there. */
static cla_status take(arrays_worker *w, const pair_solver *solver, const arrays_chunk *of, cla_strand strand,
                       bool first, cla_error *error) {
  arrays_call *c = w->c;
  const solver_pairs *s = &w->pairs;
  for (int64_t i = 0; i < s->count; i++) {
    const int64_t pair = w->places[i];
    uint8_t *pair_status = &c->results->status[pair];
    if (!s->solved[i]) *pair_status = ALONE;
    if (*pair_status != CLA_OK) continue;
    if (!first && s->score[i] <= c->results->score[pair]) continue;
    found_pair found = {.score = s->score[i], .strand = strand};
    found.start[0] = c->paths ? s->start_row[i] : -1;
    found.start[1] = c->paths ? s->start_column[i] : -1;
    found.end[0] = s->end_row[i];
    found.end[1] = s->end_column[i];
    const bool empty = c->scheme.ends.floor && found.score == 0; /* at 0 on either strand */
    if (strand == CLA_STRAND_REVERSE && !empty) {
      const int64_t end = found.end[0];
      found.end[0] = c->paths ? s->rows[i] - found.start[0] : -1;
      found.start[0] = s->rows[i] - end;
    }
    arrays_put_found(c, pair, &found);
    if (!c->paths) continue;
    cla_status status = arrays_grow_runs(w, s->run_count[i], error);
    if (status != CLA_OK) return status;
    const uint32_t *runs = pair_solver_runs(solver) + s->runs[i];
    w->run_begins[pair - of->first] = w->run_count;
    c->run_counts[pair] = s->run_count[i];
    for (int32_t k = s->run_count[i] - 1; k >= 0; k--) w->runs[w->run_count++] = runs[k];
  }
  return CLA_OK;
}

/* The chunk's runs in the pairs' order: solved pairs come in another one. */
static cla_status order_runs(arrays_worker *w, arrays_chunk *of, cla_error *error) {
  const arrays_call *c = w->c;
  int64_t count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) count += c->run_counts[pair];
  cla_status status = allocate_array((void **)&of->runs, count, sizeof *of->runs, "the runs of paths", error);
  if (status != CLA_OK) return status;
  count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) {
    const size_t bytes = (size_t)c->run_counts[pair] * sizeof *of->runs;
    if (bytes > 0) memcpy(of->runs + count, w->runs + w->run_begins[pair - of->first], bytes);
    count += c->run_counts[pair];
  }
  return CLA_OK;
}

static cla_status solve_strand(arrays_worker *w, pair_solver *solver, const arrays_chunk *of,
                               cla_strand strand, bool first, cla_error *error) {
  const int64_t cells = pair_solver_cells(solver);
  cla_status status = pair_solver_solve(solver, &w->pairs, error);
  atomic_fetch_add(&w->c->cells, pair_solver_cells(solver) - cells);
  return status == CLA_OK ? take(w, solver, of, strand, first, error) : status;
}

cla_status arrays_solve_chunk(arrays_worker *w, arrays_chunk *of, cla_error *error) {
  arrays_call *c = w->c;
  const cla_strand strand = c->options.strand;
  bool ambiguous = false;
  w->run_count = 0;
  if (c->paths) memset(c->run_counts + of->first, 0, (size_t)(of->past - of->first) * sizeof *c->run_counts);
  cla_status status = make_codes_room(w, of, error);
  if (status != CLA_OK) return status;
  fill(w, of, &ambiguous);
  pair_solver *solver = ambiguous ? w->any : w->plain;
  if (strand != CLA_STRAND_REVERSE) status = solve_strand(w, solver, of, CLA_STRAND_FORWARD, true, error);
  if (strand != CLA_STRAND_FORWARD && status == CLA_OK) {
    turn_queries(w);
    status = solve_strand(w, solver, of, CLA_STRAND_REVERSE, strand == CLA_STRAND_REVERSE, error);
  }
  for (int64_t pair = of->first; pair < of->past && status == CLA_OK; pair++)
    if (c->results->status[pair] == ALONE) status = arrays_solve_alone(w, of, pair, error);
  return status == CLA_OK && c->paths ? order_runs(w, of, error) : status;
}

void arrays_end_worker(arrays_worker *w) {
  pair_solver_free(w->plain);
  pair_solver_free(w->any);
  void *const all[] = {
      (void *)w->sides[0], (void *)w->sides[1], w->numbers, w->longs, w->places, w->codes, w->runs,
      w->solved,           w->run_begins};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

cla_status arrays_begin_worker(arrays_worker *w, arrays_call *c, cla_error *error) {
  static const char what[] = "pairs of a chunk";
  *w = (arrays_worker){.c = c};
  cla_status status = pair_solver_create(&w->plain, &c->plain_scheme, c->matches, c->path_bytes, error);
  if (status == CLA_OK) status = pair_solver_create(&w->any, &c->scheme, c->matches, c->path_bytes, error);
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = allocate_array((void **)&w->sides[side], CHUNK_PAIRS, sizeof *w->sides[side], what, error);
  if (status == CLA_OK) status = allocate_array((void **)&w->numbers, 7 * CHUNK_PAIRS, 4, what, error);
  if (status == CLA_OK) status = allocate_array((void **)&w->longs, 2 * CHUNK_PAIRS, 8, what, error);
  if (status == CLA_OK) status = allocate_array((void **)&w->places, CHUNK_PAIRS, 8, what, error);
  if (status == CLA_OK) status = allocate_array((void **)&w->run_begins, CHUNK_PAIRS, 8, what, error);
  if (status == CLA_OK) status = allocate_array((void **)&w->solved, CHUNK_PAIRS, 1, what, error);
  if (status != CLA_OK) return status;
  int32_t *const n = w->numbers;
  w->pairs = (solver_pairs){.query = w->sides[0],
                            .target = w->sides[1],
                            .rows = n,
                            .columns = n + CHUNK_PAIRS,
                            .paths = c->paths,
                            .scores_only = !c->paths && !c->results->start[0] && !c->results->start[1] &&
                                           !c->results->end[0] && !c->results->end[1],
                            .score = w->longs,
                            .end_row = n + 2 * CHUNK_PAIRS,
                            .end_column = n + 3 * CHUNK_PAIRS,
                            .start_row = n + 4 * CHUNK_PAIRS,
                            .start_column = n + 5 * CHUNK_PAIRS,
                            .runs = w->longs + CHUNK_PAIRS,
                            .run_count = n + 6 * CHUNK_PAIRS,
                            .solved = w->solved};
  return CLA_OK;
}
