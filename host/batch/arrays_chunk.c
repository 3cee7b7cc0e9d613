/* Aligns a chunk of the pairs of cla_align_arrays on one thread. */

#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "batch/arrays_internal.h"
#include "result/cigar_reader.h"

/* Returns the codes of a sequence, converted if the letters are text; NULL if a character is not a letter. */
static const uint8_t *codes_of(arrays_codes *all, const arrays_call *c, int side, int64_t pair) {
  const cla_pair_arrays *p = c->pairs;
  const uint8_t *letters = p->letters[side] + p->offsets[side][sequence_of(p, side, pair)];
  const int64_t count = pair_letters(p, side, pair);
  if (p->coded) return letters;
  uint8_t *codes = all->made + all->count;
  all->count += count;
  return letter_codes_of(codes, c->letters, letters, count) == count ? codes : NULL;
}

/* Returns true if the scheme has scores for all of these letters. */
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

uint8_t arrays_add_pair(arrays_worker *w, int64_t pair, const uint8_t *const sides[2]) {
  const cla_pair_arrays *p = w->c->pairs;
  solver_pairs *s = &w->pairs;
  const int64_t at = s->count++, rows = pair_letters(p, 0, pair), columns = pair_letters(p, 1, pair);
  for (int side = 0; side < 2; side++) w->sides[side][at] = sides[side];
  ((int32_t *)s->rows)[at] = (int32_t)rows;
  ((int32_t *)s->columns)[at] = (int32_t)columns;
  w->places[at] = pair;
  return all_bits(sides[0], rows) | all_bits(sides[1], columns);
}

bool arrays_pair_codes(const uint8_t *sides[2], arrays_codes *all, const arrays_call *c, int64_t pair) {
  const int64_t rows = pair_letters(c->pairs, 0, pair), columns = pair_letters(c->pairs, 1, pair);
  for (int side = 0; side < 2; side++) sides[side] = codes_of(all, c, side, pair);
  const bool strand = !c->pairs->strand || c->pairs->strand[pair] == CLA_STRAND_FORWARD ||
                      c->pairs->alphabet == CLA_ALPHABET_DNA;
  const bool fits = strand && rows > 0 && columns > 0 && rows < INT32_MAX / 4 && columns < INT32_MAX / 4;
  return sides[0] && sides[1] && fits && are_known(c, sides[0], rows) && are_known(c, sides[1], columns);
}

/* Gives the solver the chunk's pairs. Pairs that the solver cannot take get the status ALONE. */
static void fill(arrays_worker *w, const arrays_chunk *of, bool *ambiguous) {
  arrays_call *c = w->c;
  uint8_t bits = 0;
  w->pairs.count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) {
    const uint8_t *sides[2];
    const bool alone = !arrays_pair_codes(sides, &w->codes, c, pair) || arrays_for_device(c, pair);
    if (!alone && c->pairs->strand && strand_of(c, pair) == CLA_STRAND_REVERSE)
      sides[0] = arrays_turned(&w->codes, sides[0], pair_letters(c->pairs, 0, pair));
    c->results->status[pair] = alone ? ALONE : CLA_OK;
    if (!alone) bits |= arrays_add_pair(w, pair, sides);
  }
  *ambiguous = bits >= c->letters->unambiguous;
}

cla_status arrays_codes_room(arrays_codes *all, const arrays_call *c, const arrays_chunk *of,
                             cla_error *error) {
  const bool turned = c->pairs->strand || c->options.strand != CLA_STRAND_FORWARD;
  int64_t count = 0;
  all->count = 0;
  if (c->pairs->coded && !turned) return CLA_OK;
  for (int64_t pair = of->first; pair < of->past; pair++)
    for (int side = 0; side < 2; side++)
      count += pair_letters(c->pairs, side, pair) * (!c->pairs->coded + (turned && side == 0));
  return ALLOCATE_GROW(&all->made, &all->room, count, "the codes of letters", error);
}

const uint8_t *arrays_turned(arrays_codes *all, const uint8_t *query, int64_t letters) {
  uint8_t *codes = all->made + all->count;
  reverse_complement_codes(codes, query, letters);
  all->count += letters;
  return codes;
}

/* Replaces all the solver's queries by their reverse complements. */
static void turn_queries(arrays_worker *w) {
  for (int64_t i = 0; i < w->pairs.count; i++)
    w->sides[0][i] = arrays_turned(&w->codes, w->sides[0][i], w->pairs.rows[i]);
}

/* Adds the path of the solver's pair `place`, with `count` runs. Its gaps are placed as the options ask. */
static cla_status add_placed(arrays_worker *w, const uint32_t *next, int32_t count, int64_t place,
                             cla_error *error) {
  const solver_pairs *s = &w->pairs;
  const uint32_t *const end = next + count;
  cla_run *runs = NULL;
  gapped_path path = {.query = {.codes = s->query[place], .length = s->rows[place]},
                      .target = {.codes = s->target[place], .length = s->columns[place]},
                      .start = {s->start_row[place], s->start_column[place]},
                      .ends = w->c->scheme.ends};
  /* Room for the found path and, behind it, the placed path, in which each moved gap adds a run. */
  cla_status status = ALLOCATE_ARRAY(&runs, 3 * (int64_t)count + 1, "a path", error);
  int64_t letters = 0;
  for (; status == CLA_OK && next < end; path.run_count++) {
    runs[path.run_count] = packed_run_next(&next, end);
    letters += runs[path.run_count].length;
  }
  path.runs = runs;
  if (status == CLA_OK) status = arrays_grow_runs(w, letters, error);
  if (status == CLA_OK)
    status = gapped_path_place(runs + count, &path.run_count, &path, w->c->options.gap_placement, error);
  path.runs = runs + count;
  if (status == CLA_OK) arrays_add_path(w, &path);
  free(runs);
  return status;
}

cla_status arrays_take_runs(arrays_worker *w, const arrays_chunk *of, int64_t pair, const uint32_t *all,
                            int64_t place, cla_error *error) {
  const int32_t count = w->pairs.run_count[place];
  const uint32_t *runs = all + w->pairs.runs[place];
  const int64_t begin = w->run_begins[pair - of->first] = w->run_count;
  cla_status status = arrays_grow_runs(w, count, error);
  if (status == CLA_OK && w->c->options.gap_placement != CLA_GAPS_CANONICAL) {
    status = add_placed(w, runs, count, place, error);
  } else if (status == CLA_OK && count > 0) {
    memcpy(w->runs + w->run_count, runs, (size_t)count * sizeof *runs);
    w->run_count += count;
  }
  w->c->run_counts[pair] = w->run_count - begin;
  return status;
}

/* Stores the solver's results for one strand. A pair's earlier result is kept unless the new one is
 * better. */
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
    arrays_put_on_strand(c, pair,
                         (found_pair){.score = s->score[i],
                                      .start = {s->start_row[i], s->start_column[i]},
                                      .end = {s->end_row[i], s->end_column[i]},
                                      .strand = c->pairs->strand ? strand_of(c, pair) : strand});
    if (!c->paths) continue;
    cla_status status = arrays_take_runs(w, of, pair, pair_solver_runs(solver), i, error);
    if (status != CLA_OK) return status;
  }
  return CLA_OK;
}

/* Copies the chunk's runs into the order of the pairs, because the solver finds them in another order. */
static cla_status order_runs(arrays_worker *w, arrays_chunk *of, cla_error *error) {
  const arrays_call *c = w->c;
  int64_t count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) count += c->run_counts[pair];
  cla_status status = ALLOCATE_ARRAY(&of->runs, count, "the runs of paths", error);
  if (status != CLA_OK) return status;
  count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++) {
    const size_t bytes = (size_t)c->run_counts[pair] * sizeof *of->runs;
    if (bytes > 0) memcpy(of->runs + count, w->runs + w->run_begins[pair - of->first], bytes);
    count += c->run_counts[pair];
  }
  return CLA_OK;
}

cla_status arrays_solve_rest(arrays_worker *w, arrays_chunk *of, cla_error *error) {
  const arrays_call *c = w->c;
  cla_status status = CLA_OK;
  for (int64_t pair = of->first; pair < of->past && status == CLA_OK; pair++)
    if (c->results->status[pair] == ALONE) status = arrays_solve_alone(w, of, pair, error);
  return status == CLA_OK && c->paths ? order_runs(w, of, error) : status;
}

void arrays_begin_runs(arrays_worker *w, const arrays_chunk *of) {
  arrays_call *c = w->c;
  w->run_count = 0;
  if (c->paths) memset(c->run_counts + of->first, 0, (size_t)(of->past - of->first) * sizeof *c->run_counts);
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
  const cla_strand strand = c->pairs->strand ? CLA_STRAND_FORWARD : c->options.strand;
  bool ambiguous = false;
  arrays_begin_runs(w, of);
  cla_status status = arrays_codes_room(&w->codes, c, of, error);
  if (status != CLA_OK) return status;
  fill(w, of, &ambiguous);
  pair_solver *solver = ambiguous ? w->any : w->plain;
  if (strand != CLA_STRAND_REVERSE) status = solve_strand(w, solver, of, CLA_STRAND_FORWARD, true, error);
  if (strand != CLA_STRAND_FORWARD && status == CLA_OK) {
    turn_queries(w);
    status = solve_strand(w, solver, of, CLA_STRAND_REVERSE, strand == CLA_STRAND_REVERSE, error);
  }
  return status == CLA_OK ? arrays_solve_rest(w, of, error) : status;
}

void arrays_end_worker(arrays_worker *w) {
  pair_solver_free(w->plain);
  pair_solver_free(w->any);
  void *const all[] = {(void *)w->sides[0], (void *)w->sides[1], w->numbers, w->longs,
                       w->places,           w->codes.made,       w->runs,    w->solved,
                       w->run_begins};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

cla_status arrays_begin_worker(arrays_worker *w, arrays_call *c, cla_error *error) {
  static const char what[] = "pairs of a chunk";
  *w = (arrays_worker){.c = c};
  cla_status status = pair_solver_create(&w->plain, &c->plain_scheme, c->matches, c->path_bytes, error);
  if (status == CLA_OK) status = pair_solver_create(&w->any, &c->scheme, c->matches, c->path_bytes, error);
  for (int side = 0; side < 2 && status == CLA_OK; side++)
    status = ALLOCATE_ARRAY(&w->sides[side], CHUNK_PAIRS, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->numbers, 7 * CHUNK_PAIRS, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->longs, 2 * CHUNK_PAIRS, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->places, CHUNK_PAIRS, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->run_begins, CHUNK_PAIRS, what, error);
  if (status == CLA_OK) status = ALLOCATE_ARRAY(&w->solved, CHUNK_PAIRS, what, error);
  if (status != CLA_OK) return status;
  int32_t *const n = w->numbers;
  w->pairs = (solver_pairs){.query = w->sides[0],
                            .target = w->sides[1],
                            .rows = n,
                            .columns = n + CHUNK_PAIRS,
                            .paths = c->paths,
                            .scores_only = c->scores_alone,
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
