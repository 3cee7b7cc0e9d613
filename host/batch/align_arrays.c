/* cla_align_arrays: pairs as arrays, in chunks that host threads take, each with a solver of its own. */

#include "clalign/arrays.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/allocate.h"
#include "base/error.h"
#include "base/extremes.h"
#include "base/machine.h"
#include "dp/pair_solver.h"
#include "pipeline/align_settle.h"
#include "seq/sequence.h"

/* A chunk has so many pairs at the most, and is full with so many letters. */
#define CHUNK_PAIRS 2048
/* Fewer where there would be too few chunks for all threads, but so many at least. */
#define CHUNK_LEAST 128
#define CHUNKS_OF_THREAD 4
#define CHUNK_LETTERS (INT64_C(1) << 21)
/* The status of a pair that is to be aligned by itself. */
#define ALONE UINT8_MAX
/* Bytes of directions that a thread may take; what needs more is aligned by itself. */
#define THREAD_PATH_BYTES (INT64_C(64) << 20)
/* Of budgets.memory_bytes directions take this part at the most. */
#define BUDGET_SHARE 2

/* Pairs that one thread solves together. */
typedef struct chunk {
  int64_t first, past;
  cla_packed_run *runs; /* of its paths, in the pairs' order; owned */
} chunk;

typedef struct call {
  const cla_pair_arrays *pairs;
  cla_pair_results *results;
  cla_device *device;
  cla_align_options options; /* with the scheme of the alphabet */
  const letter_set *letters;
  letter_set room;
  score_table plain, table; /* of pairs without ambiguous letters, and of all */
  path_scheme plain_scheme, scheme;
  uint32_t matches[32];
  uint32_t unknown; /* codes that the scheme has no scores for */
  chunk *chunks;
  int64_t *run_counts; /* of each pair; with paths */
  int64_t chunk_count, chunk_capacity;
  bool paths;
  int64_t path_bytes; /* of directions, of each thread */
  atomic_llong next, cells, failed;
  atomic_int status; /* of the call */
  cla_error *error;  /* the first one's, by whoever set the status */
} call;

/* What one thread has. */
typedef struct worker {
  call *c;
  pair_solver *plain, *any;
  solver_pairs pairs;
  const uint8_t **sides[2];
  int32_t *numbers; /* the seven arrays of 32 bits in `pairs` */
  int64_t *longs;   /* score and runs */
  int64_t *places;  /* of the solver's pairs among all */
  uint8_t *codes;   /* of text, and of the other strand */
  int64_t code_room, code_count;
  bool *solved;
  cla_packed_run *runs; /* of the chunk's paths, as they are found; */
  int64_t run_room, run_count;
  int64_t *run_begins; /* where those of its pairs begin there */
} worker;

static void fail_call(call *c, cla_status status, const cla_error *why) {
  int none = CLA_OK;
  if (!atomic_compare_exchange_strong(&c->status, &none, (int)status)) return;
  if (c->error && why) *c->error = *why;
}

static int64_t sequence_of(const cla_pair_arrays *pairs, int side, int64_t pair) {
  return pairs->of[side] ? pairs->of[side][pair] : pair;
}

static int64_t pair_letters(const cla_pair_arrays *pairs, int side, int64_t pair) {
  const int64_t *offset = pairs->offsets[side] + sequence_of(pairs, side, pair);
  return offset[1] - offset[0];
}

static cla_status check_options(const cla_align_options *o, cla_error *error) {
  const bool plain = o->several.most == 1 && !o->several.split && o->circular == CLA_CIRCULAR_NONE &&
                     !o->has_band && !o->has_min_score && o->gap_placement == CLA_GAPS_CANONICAL &&
                     o->partner_count == 0 && !o->ranks && !o->run.directory && !o->kernel.name &&
                     !o->kernel.settings && !o->keep_work && o->lower_bound.kind == CLA_LOWER_BOUND_AUTO;
  if (plain) return align_options_check(o, error);
  return error_set(error, CLA_ERROR_OPTION,
                   "pairs as arrays have one alignment each, without circular, has_band, has_min_score, "
                   "gap_placement, partners, ranks, run, kernel, keep_work and lower_bound; leave these as "
                   "cla_align_options_init sets them, or use cla_batch");
}

static cla_status check_arrays(const cla_pair_arrays *p, cla_error *error) {
  static const char *const names[] = {"queries", "targets"};
  for (int side = 0; side < 2; side++) {
    for (int64_t i = 0; i < p->sequences[side]; i++)
      if (p->offsets[side][i] > p->offsets[side][i + 1] || p->offsets[side][i] < 0)
        return error_set(error, CLA_ERROR_OPTION, "the offsets of the %s fall at index %lld; they must rise",
                         names[side], (long long)i);
    for (int64_t i = 0; i < p->pairs; i++)
      if (sequence_of(p, side, i) < 0 || sequence_of(p, side, i) >= p->sequences[side])
        return error_set(error, CLA_ERROR_OPTION, "pair %lld is about sequence %lld of %lld %s", (long long)i,
                         (long long)sequence_of(p, side, i), (long long)p->sequences[side], names[side]);
  }
  return CLA_OK;
}

/* Cuts the pairs into chunks. */
static cla_status cut(call *c, int threads, cla_error *error) {
  const cla_pair_arrays *p = c->pairs;
  const int64_t most = larger(smaller(p->pairs / (CHUNKS_OF_THREAD * threads), CHUNK_PAIRS), CHUNK_LEAST);
  cla_status status = CLA_OK;
  for (int64_t first = 0, past; first < p->pairs && status == CLA_OK; first = past) {
    int64_t letters = 0;
    for (past = first; past < p->pairs && past - first < most && letters < CHUNK_LETTERS; past++)
      letters += pair_letters(p, 0, past) + pair_letters(p, 1, past);
    status = allocate_grow((void **)&c->chunks, &c->chunk_capacity, c->chunk_count + 1, sizeof *c->chunks,
                           "chunks of pairs", error);
    if (status == CLA_OK) c->chunks[c->chunk_count++] = (chunk){.first = first, .past = past};
  }
  return status;
}

/* Sets the scheme for the letters, and checks that the two go together, as of sequences without any. */
static cla_status settle_scheme(call *c, cla_error *error) {
  cla_scoring *scoring = &c->options.scoring;
  const cla_sequence_options how = {
      .known = true, .alphabet = c->pairs->alphabet, .own = scoring->letters, .allow_empty = true};
  cla_sequence *none = NULL;
  cla_status status = cla_sequence_from_letters_with(&none, "none", "", 0, &how, error);
  if (status == CLA_OK) pair_letters_scheme(scoring, none, none);
  if (status == CLA_OK) status = pair_letters_check(scoring, none, none, error);
  cla_sequence_free(none);
  return status;
}

/* Letters that the scheme has no scores for. */
static uint32_t unknown_letters(const call *c) {
  uint32_t unknown = 0;
  for (int code = 0; c->letters->letters[code]; code++)
    if (!score_table_knows(&c->options.scoring, c->letters->letters[code])) unknown |= UINT32_C(1) << code;
  return unknown;
}

/* The scheme for the alphabet, its tables, and which pairs of letters are matches. */
static cla_status settle(call *c, cla_error *error) {
  cla_scoring *scoring = &c->options.scoring;
  const cla_pair_arrays *p = c->pairs;
  cla_status status = check_options(&c->options, error);
  if (status == CLA_OK) status = settle_scheme(c, error);
  if (status == CLA_OK) status = check_arrays(p, error);
  if (status == CLA_OK) status = alphabet_choose(&c->letters, &c->room, p->alphabet, scoring->letters, error);
  if (status == CLA_OK && c->options.strand != CLA_STRAND_FORWARD && p->alphabet != CLA_ALPHABET_DNA)
    status = error_set(error, CLA_ERROR_INPUT, "only DNA has another strand; leave strand as it is");
  if (status != CLA_OK) return status;
  const uint32_t all = (uint32_t)((UINT64_C(1) << strlen(c->letters->letters)) - 1);
  const uint32_t unambiguous = (uint32_t)((UINT64_C(1) << c->letters->unambiguous) - 1);
  c->unknown = unknown_letters(c);
  score_table_build(&c->table, scoring, c->letters->letters, c->letters->unambiguous);
  c->plain = c->table;
  score_table_keep(&c->plain, unambiguous, unambiguous);
  c->scheme = (path_scheme){scoring, &c->table, path_ends_make(c->options.mode, c->options.free_ends)};
  c->plain_scheme = (path_scheme){scoring, &c->plain, c->scheme.ends};
  if (!score_table_matches(c->matches, scoring, c->letters, all, all))
    memset(c->matches, 0, sizeof c->matches);
  for (int code = 0; code < c->letters->unambiguous; code++) c->matches[code] |= UINT32_C(1) << code;
  return CLA_OK;
}

/* One pair as two sequences, which the caller frees. */
static cla_status make_sequences(cla_sequence *out[2], const call *c, int64_t pair, cla_error *error) {
  const cla_pair_arrays *p = c->pairs;
  const cla_sequence_options how = {
      .known = true, .alphabet = p->alphabet, .own = c->options.scoring.letters, .allow_empty = true};
  static const char *const names[] = {"query", "target"};
  cla_status status = CLA_OK;
  for (int side = 0; side < 2 && status == CLA_OK; side++) {
    const uint8_t *letters = p->letters[side] + p->offsets[side][sequence_of(p, side, pair)];
    const int64_t count = pair_letters(p, side, pair);
    char *text = NULL;
    status = allocate_array((void **)&text, count, 1, "a sequence", error);
    if (status == CLA_OK && p->coded)
      letter_codes_spell(text, c->letters, letters, count);
    else if (status == CLA_OK && count > 0)
      memcpy(text, letters, (size_t)count);
    if (status == CLA_OK)
      status = cla_sequence_from_letters_with(&out[side], names[side], text, count, &how, error);
    free(text);
  }
  return status;
}

/* Aligns one pair by itself. */
static cla_status align_alone(cla_alignment **out, const call *c, int64_t pair, cla_error *error) {
  cla_sequence *sides[2] = {NULL, NULL};
  cla_align_options options = c->options;
  options.score_only = !c->paths;
  options.budgets.threads = 1;
  options.callbacks.progress = NULL;
  if (!c->device && !options.callbacks.device) options.host_cells = INT64_MAX;
  cla_status status = make_sequences(sides, c, pair, error);
  if (status == CLA_OK) status = cla_align(out, c->device, sides[0], sides[1], &options, error);
  cla_sequence_free(sides[0]);
  cla_sequence_free(sides[1]);
  return status;
}

/* Room for the runs of one more path of the chunk. */
static cla_status grow_runs(worker *w, int64_t more, cla_error *error) {
  return allocate_grow((void **)&w->runs, &w->run_room, w->run_count + more, sizeof *w->runs,
                       "the runs of paths", error);
}

/* Splits an alignment's runs of pairs into matches and others. */
static cla_status pack_runs(worker *w, const cla_alignment *found, int64_t pair, cla_error *error) {
  const call *c = w->c;
  cla_sequence *sides[2] = {NULL, NULL};
  cla_status status = make_sequences(sides, c, pair, error);
  if (status == CLA_OK)
    status = grow_runs(w, found->query.stop - found->query.start + found->target.stop - found->target.start,
                       error);
  if (status == CLA_OK) {
    const uint8_t *target = sequence_codes(sides[1]);
    const strand_letters query = {.codes = sequence_codes(sides[0]),
                                  .length = cla_sequence_length(sides[0]),
                                  .reverse = found->strand == CLA_STRAND_REVERSE};
    int64_t i = query.reverse ? query.length - found->query.stop : found->query.start,
            j = found->target.start;
    for (size_t k = 0; k < found->run_count; k++) {
      const cla_run *run = &found->runs[k];
      if (run->kind != CLA_RUN_PAIR) {
        const bool of_query = run->kind == CLA_RUN_QUERY;
        w->runs[w->run_count++] =
            (cla_packed_run)run->length << 4 | (of_query ? CLA_PACKED_QUERY : CLA_PACKED_TARGET);
        *(of_query ? &i : &j) += run->length;
        continue;
      }
      for (int64_t done = 0, from; done < run->length; i += done - from, j += done - from) {
        const uint32_t match = c->matches[strand_code(&query, i)] >> target[j] & 1;
        from = done;
        do done++;
        while (done < run->length &&
               (c->matches[strand_code(&query, i + done - from)] >> target[j + done - from] & 1) == match);
        w->runs[w->run_count++] =
            (cla_packed_run)(done - from) << 4 | (match ? CLA_PACKED_MATCH : CLA_PACKED_OTHER);
      }
    }
  }
  cla_sequence_free(sides[0]);
  cla_sequence_free(sides[1]);
  return status;
}

/* What was found of a pair, in coordinates of the forward strands. */
typedef struct found_pair {
  int64_t score, start[2], end[2];
  cla_strand strand;
} found_pair;

static void put_found(const call *c, int64_t pair, const found_pair *found) {
  const cla_pair_results *r = c->results;
  if (r->score) r->score[pair] = found->score;
  if (r->strand) r->strand[pair] = (uint8_t)found->strand;
  for (int side = 0; side < 2; side++) {
    if (r->start[side]) r->start[side][pair] = found->start[side];
    if (r->end[side]) r->end[side][pair] = found->end[side];
  }
}

static void put_failed(call *c, int64_t pair, cla_status status) {
  put_found(c, pair, &(found_pair){0});
  c->results->status[pair] = (uint8_t)status;
  atomic_fetch_add(&c->failed, 1);
}

/* A pair that lanes cannot take. */
static cla_status solve_alone(worker *w, const chunk *of, int64_t pair, cla_error *error) {
  call *c = w->c;
  cla_alignment *found = NULL;
  cla_error why = {.status = CLA_OK};
  const int64_t before = w->run_count;
  c->results->status[pair] = CLA_OK;
  w->run_begins[pair - of->first] = before;
  cla_status status = align_alone(&found, c, pair, &why);
  if (status == CLA_OK) {
    put_found(c, pair,
              &(found_pair){found->score,
                            {found->query.start, found->target.start},
                            {found->query.stop, found->target.stop},
                            found->strand});
    atomic_fetch_add(&c->cells, found->metrics.cells_computed);
    if (c->paths) status = pack_runs(w, found, pair, error);
    if (c->paths) c->run_counts[pair] = w->run_count - before;
  } else {
    put_failed(c, pair, status);
    status = status == CLA_ERROR_INTERRUPTED ? status : CLA_OK;
  }
  cla_alignment_free(found);
  return status;
}

/* Codes of a sequence, which are made where the letters are text; NULL for what is no letter. */
static const uint8_t *codes_of(worker *w, int side, int64_t pair) {
  const call *c = w->c;
  const cla_pair_arrays *p = c->pairs;
  const uint8_t *letters = p->letters[side] + p->offsets[side][sequence_of(p, side, pair)];
  const int64_t count = pair_letters(p, side, pair);
  if (p->coded) return letters;
  uint8_t *codes = w->codes + w->code_count;
  w->code_count += count;
  return letter_codes_of(codes, c->letters, letters, count) == count ? codes : NULL;
}

/* Whether the scheme has a score for all letters. */
static bool are_known(const call *c, const uint8_t *codes, int64_t count) {
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
static void fill(worker *w, const chunk *of, bool *ambiguous) {
  call *c = w->c;
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
static cla_status make_codes_room(worker *w, const chunk *of, cla_error *error) {
  const call *c = w->c;
  const bool turned = c->options.strand != CLA_STRAND_FORWARD;
  int64_t count = 0;
  for (int64_t pair = of->first; pair < of->past; pair++)
    for (int side = 0; side < 2; side++)
      count += pair_letters(c->pairs, side, pair) * (!c->pairs->coded + (turned && side == 0));
  return allocate_grow((void **)&w->codes, &w->code_room, count, 1, "the codes of letters", error);
}

/* The other strand of all the solver's queries. */
static void turn_queries(worker *w) {
  for (int64_t i = 0; i < w->pairs.count; i++) {
    uint8_t *codes = w->codes + w->code_count;
    reverse_complement_codes(codes, w->sides[0][i], w->pairs.rows[i]);
    w->sides[0][i] = codes;
    w->code_count += w->pairs.rows[i];
  }
}

/* Takes what the solver found on a strand, where that is better than what is there. */
static cla_status take(worker *w, const pair_solver *solver, const chunk *of, cla_strand strand, bool first,
                       cla_error *error) {
  call *c = w->c;
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
    put_found(c, pair, &found);
    if (!c->paths) continue;
    cla_status status = grow_runs(w, s->run_count[i], error);
    if (status != CLA_OK) return status;
    const uint32_t *runs = pair_solver_runs(solver) + s->runs[i];
    w->run_begins[pair - of->first] = w->run_count;
    c->run_counts[pair] = s->run_count[i];
    for (int32_t k = s->run_count[i] - 1; k >= 0; k--) w->runs[w->run_count++] = runs[k];
  }
  return CLA_OK;
}

/* The chunk's runs in the pairs' order: solved pairs come in another one. */
static cla_status order_runs(worker *w, chunk *of, cla_error *error) {
  const call *c = w->c;
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

static cla_status solve_strand(worker *w, pair_solver *solver, const chunk *of, cla_strand strand, bool first,
                               cla_error *error) {
  const int64_t cells = pair_solver_cells(solver);
  cla_status status = pair_solver_solve(solver, &w->pairs, error);
  atomic_fetch_add(&w->c->cells, pair_solver_cells(solver) - cells);
  return status == CLA_OK ? take(w, solver, of, strand, first, error) : status;
}

static cla_status solve_chunk(worker *w, chunk *of, cla_error *error) {
  call *c = w->c;
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
    if (c->results->status[pair] == ALONE) status = solve_alone(w, of, pair, error);
  return status == CLA_OK && c->paths ? order_runs(w, of, error) : status;
}

static void end_worker(worker *w) {
  pair_solver_free(w->plain);
  pair_solver_free(w->any);
  void *const all[] = {
      (void *)w->sides[0], (void *)w->sides[1], w->numbers, w->longs, w->places, w->codes, w->runs,
      w->solved,           w->run_begins};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

static cla_status begin_worker(worker *w, call *c, cla_error *error) {
  static const char what[] = "pairs of a chunk";
  *w = (worker){.c = c};
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

static bool go_on(const call *c) {
  const cla_callbacks *callbacks = &c->options.callbacks;
  const int64_t done = atomic_load(&c->next);
  const cla_progress progress = {.stage = "pairs",
                                 .fraction = (double)smaller(done, c->chunk_count) / (double)c->chunk_count,
                                 .seconds_left = -1};
  return !callbacks->progress || callbacks->progress(&progress, callbacks->progress_user);
}

/* What each thread does; the first one is the caller's. */
static void work(void *user, int index) {
  call *c = user;
  worker w;
  cla_error why = {.status = CLA_OK};
  cla_status status = begin_worker(&w, c, &why);
  while (status == CLA_OK && atomic_load(&c->status) == CLA_OK) {
    const int64_t next = atomic_fetch_add(&c->next, 1);
    if (next >= c->chunk_count) break;
    status = solve_chunk(&w, &c->chunks[next], &why);
    if (status == CLA_OK && index == 0 && !go_on(c))
      status = error_set(&why, CLA_ERROR_INTERRUPTED, "interrupted");
  }
  end_worker(&w);
  if (status != CLA_OK) fail_call(c, status, &why);
}

/* Puts all runs one behind the other. */
static cla_status collect_runs(call *c, cla_error *error) {
  cla_pair_results *r = c->results;
  int64_t count = 0;
  for (int64_t pair = 0; pair < c->pairs->pairs; pair++) {
    if (r->run_offsets) r->run_offsets[pair] = count;
    count += c->run_counts[pair];
  }
  if (r->run_offsets) r->run_offsets[c->pairs->pairs] = count;
  r->runs_wanted = count;
  if (count > r->runs_capacity)
    return error_set(error, CLA_ERROR_OPTION, "the paths have %lld runs, and there is room for %lld",
                     (long long)count, (long long)r->runs_capacity);
  int64_t at = 0;
  for (int64_t i = 0; i < c->chunk_count; i++) {
    int64_t of_chunk = 0;
    for (int64_t pair = c->chunks[i].first; pair < c->chunks[i].past; pair++) of_chunk += c->run_counts[pair];
    if (of_chunk > 0) memcpy(r->runs + at, c->chunks[i].runs, (size_t)of_chunk * sizeof *r->runs);
    at += of_chunk;
  }
  return CLA_OK;
}

int cla_host_threads(void) {
  return machine_threads();
}

cla_status cla_align_arrays(cla_pair_results *results, const cla_pair_arrays *pairs, cla_device *device,
                            const cla_align_options *options, cla_error *error) {
  call c = {.pairs = pairs,
            .results = results,
            .device = device,
            .options = *options,
            .paths = results->runs && !options->score_only,
            .error = error};
  const int threads = options->budgets.threads > 0 ? options->budgets.threads : machine_threads();
  const int64_t budget = options->budgets.memory_bytes / (BUDGET_SHARE * threads);
  c.path_bytes = budget > 0 ? smaller(budget, THREAD_PATH_BYTES) : THREAD_PATH_BYTES;
  cla_status status = settle(&c, error);
  if (status == CLA_OK) status = cut(&c, threads, error);
  if (status == CLA_OK && c.paths)
    status =
        allocate_zeros((void **)&c.run_counts, pairs->pairs, sizeof *c.run_counts, "runs of pairs", error);
  if (status == CLA_OK) {
    parallel_run((int)smaller(threads, c.chunk_count > 0 ? c.chunk_count : 1), work, &c);
    status = (cla_status)atomic_load(&c.status);
  }
  results->failed = atomic_load(&c.failed);
  results->cells_computed = atomic_load(&c.cells);
  results->runs_wanted = 0;
  if (status == CLA_OK && c.paths) status = collect_runs(&c, error);
  for (int64_t i = 0; i < c.chunk_count; i++) free(c.chunks[i].runs);
  free(c.chunks);
  free(c.run_counts);
  return status;
}

cla_status cla_pair_arrays_tell(const cla_pair_arrays *pairs, int64_t index, cla_device *device,
                                const cla_align_options *options, cla_error *error) {
  call c = {.pairs = pairs, .device = device, .options = *options, .paths = !options->score_only};
  cla_alignment *found = NULL;
  cla_status status = settle(&c, error);
  if (status == CLA_OK) status = align_alone(&found, &c, index, error);
  cla_alignment_free(found);
  return status;
}
